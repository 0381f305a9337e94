import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person } from '../../../test/harness.ts';
import { useStripe } from '../../../test/stripe-double/use-stripe.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { compareWithProvider } from '../../money/provider/provider-books.ts';
import { workThrough } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const stripe = useStripe();
const { app, settle } = stripe;
let jonas: Person;
beforeAll(async () => {
  const person = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, person, ['finance']);
  jonas = app.working(person);
});

/** Completed and approved work whose card payment was then charged back. */
async function chargedBackWork() {
  const owner = await stripe.payer();
  const leila = await app.person({ name: 'Leila Haddad' });
  const scope = app.scopeOf(owner);
  const job = await makeJob(app.db, scope, owner.businessId, { title: 'Barista on Saturday' });
  const application = await makeApplication(app.db, app.scopeOf(leila), job.id);
  const funding = { from: 'card' as const, cardId: owner.cards[0] ?? '' };
  await makeOffer(app.db, scope, application.id, { funding });
  await app.runDue();
  const offer = await app.db
    .selectFrom('offers')
    .select(['id', 'version'])
    .where('applicationId', '=', application.id)
    .executeTakeFirstOrThrow();
  const accepted = await leila.api.offers.accept({ offerId: offer.id, version: offer.version });
  const engagement = await leila.api.engagements.get({ engagementId: accepted.engagementId ?? '' });
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...app.scopeOf(side === 'worker' ? leila : owner),
    clock: { now: () => moment },
  });
  await workThrough(app.db, at, engagement, 'completed');
  const { id: chargeId, providerRef } = await app.db
    .selectFrom('charges')
    .select(['id', 'providerRef'])
    .where('businessId', '=', owner.businessId)
    .executeTakeFirstOrThrow();
  const { id: ref } = stripe.double.dispute(providerRef ?? '');
  await stripe.double.delivered();
  await app.runDue();
  await jonas.api.cases.claim({ kind: 'chargeback', subjectId: chargeId });
  return { owner, leila, chargeId, ref };
}

describe('chargebacks.answer', () => {
  it('sends the record that the operator read, once, and the outcome moves the ledger once', async () => {
    const { chargeId, ref } = await chargedBackWork();
    const { open, text, pdf } = await jonas.api.chargebacks.evidence({ chargeId, withPdf: 'true' });
    expect(
      Buffer.from(pdf ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    expect(open).toMatchObject([{ ref, answer: null }]);
    expect(Date.parse(open[0]?.answerBy ?? '')).toBeGreaterThan(app.clock.now().getTime());
    for (const part of [
      'Barista on Saturday, done by Leila Haddad',
      'check in',
      'paid to the worker',
      'ending in 4242',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/, \d\d:\d\d: check in/);
    await app.db.updateTable('releases').set({ reversedAt: app.clock.now() }).execute();
    expect((await jonas.api.chargebacks.evidence({ chargeId })).text).not.toContain('paid to the worker');
    await app.db.updateTable('releases').set({ reversedAt: null }).execute();
    // A business may hire in another zone than its own.
    const [agreed] = /Agreed: .+ to/.exec(text) ?? [];
    await app.db.updateTable('businesses').set({ timeZone: 'Asia/Tokyo' }).execute();
    const inTokyo = (await jonas.api.chargebacks.evidence({ chargeId })).text;
    expect(inTokyo).toContain('All times are those of Asia/Tokyo.');
    expect(inTokyo).not.toContain(agreed);
    stripe.double.fail('POST /v1/disputes/:id', '500');
    const answer = () => jonas.api.chargebacks.answer({ chargeId, ref, text: `We disagree.\n${text}` });
    expect(await answer()).toEqual({ ref, status: 'created' });
    expect(await failure(answer())).toMatchObject({ status: 409, code: 'chargeback/answered' });
    await settle();
    const { evidence, evidence_details: details } = stripe.double.object(ref);
    expect(evidence.uncategorized_text).toMatch(/^We disagree\./);
    expect(stripe.double.object(evidence.service_documentation).data).toMatch(/^%PDF-/);
    expect(details.submission_count).toBe(1);
    expect((await jonas.api.chargebacks.evidence({ chargeId })).open).toMatchObject([
      { answerBy: null, answer: { status: 'sent', by: 'Jonas Weber' } },
    ]);
    // The text names people and is not kept here.
    const stored = app.db.selectFrom('chargeback_answers').select('text').where('ref', '=', ref);
    expect(await stored.executeTakeFirst()).toEqual({ text: '' });
    const losses = () =>
      app.db.selectFrom('ledger_entries').select('kind').where('about', '=', chargeId).execute();
    stripe.double.closeDispute(ref, 'won');
    for (let again = 0; again < 2; again += 1) await settle();
    expect((await losses()).filter(({ kind }) => kind === 'chargeback_won')).toHaveLength(1);
    expect((await compareWithProvider(stripe.scope())).findings).toEqual([]);
    expect(await failure(jonas.api.chargebacks.evidence({ chargeId }))).toMatchObject({ status: 404 });
  });

  it('rejects a late answer, and the case shows it', async () => {
    const { owner, chargeId, ref } = await chargedBackWork();
    stripe.double.object(ref).status = 'under_review';
    expect((await jonas.api.chargebacks.evidence({ chargeId })).open).toMatchObject([{ answerBy: null }]);
    await jonas.api.chargebacks.answer({ chargeId, ref, text: 'Late.' });
    await app.runDue();
    expect((await jonas.api.chargebacks.evidence({ chargeId })).open).toMatchObject([
      { answer: { status: 'refused' } },
    ]);

    stripe.double.object(ref).status = 'needs_response';
    app.clock.forward({ days: 1 });
    const again = { chargeId, ref, text: 'Late.' };
    await jonas.api.chargebacks.answer(again);
    const printedAt = app.clock.now().toISOString().slice(0, 19).replaceAll(/\D/g, '');
    await app.runDue();
    const { evidence } = stripe.double.object(ref);
    const { data: pdf } = stripe.double.object(evidence.service_documentation);
    expect(pdf).toContain(`(D:${printedAt}Z)`);
    const unknown = jonas.api.chargebacks.answer({ chargeId, ref: 'dp_none', text: 'x' });
    expect(await failure(unknown)).toMatchObject({ status: 404, code: 'case/not-found' });
    const stranger = failure(owner.api.chargebacks.evidence({ chargeId }));
    expect((await stranger).status).toBe(403);
  });
});

describe('chargebacks.evidence', () => {
  it('names the work paid from the balance that the payment filled', async () => {
    const owner = await stripe.payer();
    const { id: chargeId } = await owner.topUp(5_000);
    await app.runDue();
    const { providerRef } = await app.db
      .selectFrom('charges')
      .select('providerRef')
      .where('id', '=', chargeId)
      .executeTakeFirstOrThrow();
    stripe.double.dispute(providerRef ?? '');
    await stripe.double.delivered();
    await app.runDue();
    await jonas.api.cases.claim({ kind: 'chargeback', subjectId: chargeId });
    const { text, pdf } = await jonas.api.chargebacks.evidence({ chargeId });
    expect(text).toContain('# What it was used for');
    expect(pdf).toBeNull();
    stripe.double.outage('429');
    expect(await failure(jonas.api.chargebacks.evidence({ chargeId }))).toMatchObject({
      code: 'payment/provider-unavailable',
    });
    stripe.double.outage(null);
  });
});
