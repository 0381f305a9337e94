import { addMs, hourMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { bringInterview, hoursAhead, makeInterview } from '../interviews/interviews.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeOffer } from './offers.fixtures.ts';

const app = useTestApp();
let owner: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner), { name: 'Hotel Brouwers' })).id;
});

async function applied(payMinor = 2_000) {
  const job = await makeJob(app.db, app.scopeOf(owner), businessId, { payMinor, headCount: 1 });
  const worker = await app.person({ name: 'Leila Haddad' });
  const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  return { job, worker, applicationId };
}
const refOf = ({ id, version }: { id: string; version: number }) => ({ offerId: id, version });
const balance = async () =>
  (await owner.api.wallet.get({ businessId })).balances.find(({ currency }) => currency === 'EUR')
    ?.availableMinor;
const statusOf = async (applicationId: string) =>
  (
    await app.db
      .selectFrom('applications')
      .select('status')
      .where('id', '=', applicationId)
      .executeTakeFirst()
  )?.status;
const noticesOf = async (person: Person) =>
  (await person.api.notifications.list({ limit: 100 })).items
    .filter(({ topic }) => topic.startsWith('offer-'))
    .map(({ topic, data }) => ({ topic, variant: data.variant }));

describe('offers.withdraw with keepsApplicant', () => {
  it('returns the applicant to the previous stage and the money to the balance', async () => {
    const { job, worker, applicationId } = await applied();
    await owner.api.applicants.shortlist({ applicationId });
    const before = await balance();
    const offer = await owner.api.offers.make({ applicationId });
    app.clock.forward({ days: 1 });
    const request = { ...refOf(offer), keepsApplicant: true, reason: 'Wrong job' };
    expect(await owner.api.offers.withdraw(request)).toMatchObject({ status: 'withdrawn', actions: [] });
    expect((await owner.api.offers.withdraw(request)).status).toBe('withdrawn');
    expect(await statusOf(applicationId)).toBe('shortlisted');
    expect(await balance()).toBe(before);
    const { offeredCount } = await app.db
      .selectFrom('jobs')
      .select('offeredCount')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow();
    expect(offeredCount).toBe(0);
    expect(await noticesOf(worker)).toEqual([
      { topic: 'offer-withdrawn', variant: 'kept' },
      { topic: 'offer-received', variant: undefined },
    ]);
    expect((await owner.api.offers.make({ applicationId })).status).toBe('sent');
  });

  it('marks a new applicant as viewed and leaves time to decide', async () => {
    const { job, worker, applicationId } = await applied();
    const offer = await owner.api.offers.make({ applicationId });
    const late = addMs(app.clock.now(), hourMs);
    await app.db
      .updateTable('applications')
      .set({ decideBy: late })
      .where('id', '=', applicationId)
      .execute();
    app.clock.forward({ hours: 30 });
    await owner.api.offers.withdraw({ ...refOf(offer), keepsApplicant: true });
    await app.runDue();
    expect(await statusOf(applicationId)).toBe('viewed');
    // The work starts in less than another 48 hours.
    expect((await worker.api.applications.get({ applicationId })).decideBy).toBe(job.startsAt);
  });

  it('keeps an agreed interview, with its applicant', async () => {
    const { worker, applicationId } = await applied();
    const business = app.scopeOf(owner);
    const interview = await makeInterview(app.db, business, applicationId, {
      slots: [hoursAhead(business, 30)],
    });
    await bringInterview(app.db, { worker: app.scopeOf(worker), business }, interview, 'scheduled');
    const offer = await makeOffer(app.db, business, applicationId);
    await owner.api.offers.withdraw({ ...refOf(offer), keepsApplicant: true });
    expect(await statusOf(applicationId)).toBe('interviewing');
    expect((await worker.api.interviews.get({ interviewId: interview.id })).status).toBe('scheduled');
  });

  it('rejects when there was no stage before the offer', async () => {
    const { worker, applicationId } = await applied();
    const offer = await makeOffer(app.db, app.scopeOf(owner), applicationId);
    await app.db.updateTable('offers').set({ source: 'waitlist' }).where('id', '=', offer.id).execute();
    const request = { ...refOf(offer), keepsApplicant: true };
    expect(await failure(owner.api.offers.withdraw(request))).toMatchObject({
      status: 409,
      code: 'offer/wrong-state',
    });
    expect((await worker.api.offers.accept(refOf(offer))).status).toBe('accepted');
  });
});

describe('offers.make with replaces', () => {
  it('replaces an offer on the last spot, adjusts the money and notifies the worker once', async () => {
    const { worker, applicationId } = await applied();
    const before = (await balance()) ?? 0;
    const wrong = await owner.api.offers.make({ applicationId, payMinor: 20_000 });
    const preview = await owner.api.offers.preview({ applicationId });
    expect(preview.spotsFree).toBe(1);
    const request = { applicationId, payMinor: 2_100, replaces: [refOf(wrong)] };
    const right = await owner.api.offers.make(request);
    expect(right).toMatchObject({ status: 'sent', terms: { payMinor: 2_100 } });
    expect(await balance()).toBe(before - right.terms.holdMinor);
    expect(await noticesOf(worker)).toEqual([
      { topic: 'offer-received', variant: 'changed' },
      { topic: 'offer-received', variant: undefined },
    ]);
    expect(await failure(worker.api.offers.accept(refOf(wrong)))).toMatchObject({ code: 'offer/stale' });
    expect(await failure(owner.api.offers.make(request))).toMatchObject({ code: 'offer/wrong-state' });
    expect((await worker.api.offers.accept(refOf(right))).status).toBe('accepted');
    expect(await failure(owner.api.offers.make({ ...request, replaces: [refOf(right)] }))).toMatchObject({
      status: 409,
    });
  });

  it('changes nothing when the new offer is rejected', async () => {
    const { worker, applicationId } = await applied();
    const offer = await owner.api.offers.make({ applicationId });
    const before = await balance();
    for (const input of [{ payMinor: 1_999 }, { payMinor: 900_000_000 }])
      await failure(owner.api.offers.make({ applicationId, ...input, replaces: [refOf(offer)] }));
    const other = await applied();
    expect(
      await failure(owner.api.offers.make({ applicationId: other.applicationId, replaces: [refOf(offer)] })),
    ).toMatchObject({ status: 404, code: 'offer/not-found' });
    expect(await balance()).toBe(before);
    expect((await worker.api.offers.accept(refOf(offer))).status).toBe('accepted');
  });

  it('races with an acceptance for the lock of the job', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const { worker, applicationId } = await applied();
      const offer = await owner.api.offers.make({ applicationId });
      const [accepted, replaced] = await Promise.allSettled([
        worker.api.offers.accept(refOf(offer)),
        owner.api.offers.make({ applicationId, payMinor: 2_100, replaces: [refOf(offer)] }),
        owner.api.offers.withdraw({ ...refOf(offer), keepsApplicant: true }),
      ]);
      expect([accepted, replaced].filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
      const status = await statusOf(applicationId);
      outcomes.add(status ?? '');
      const { rows } = await app.pool.query(
        `select count(*)::int as live from offers where application_id = $1 and status in ('sent', 'accepted')`,
        [applicationId],
      );
      expect(rows).toEqual([{ live: status === 'viewed' ? 0 : 1 }]);
    }
    for (const status of outcomes) expect(['hired', 'offered', 'viewed']).toContain(status);
  });
});
