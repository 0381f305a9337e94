import { dayMs } from '@nearhand/contract/durations';
import { sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useEndedWork } from '../../../test/use-ended-work.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { makeConversation } from '../../talk/messages/messages.fixtures.ts';
import { keptForAppealDays, purgeRedacted } from '../../talk/messages/messages.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeReview } from '../reviews/reviews.fixtures.ts';

const app = useTestApp();
const cast = useEndedWork(app);
let first: Person;
let second: Person;
beforeAll(async () => {
  first = await app.person({ name: 'Jonas Weber' });
  second = await app.person({ name: 'Mila Horvat' });
  for (const person of [first, second]) await makeOperator(app.db, app, person);
  [first, second] = [app.working(first), app.working(second)];
});

const words = { rule: 'respect', facts: 'It insults a person.' } as const;
const none = '019aa000-0000-7000-8000-000000000001';
/** Writes a review that is flagged for its words. */
const review = (person: Person, text: object = {}) =>
  makeReview(app.db, app.scopeOf(person), cast.engagementId, { body: 'A shitty kitchen.', ...text });
const count = async () =>
  (await app.apiAs(null).businesses.profile({ businessId: cast.businessId })).rating.count;
const noticesOf = async ({ api }: Person, topic: string) =>
  (await api.notifications.list({ limit: 50 })).items.filter((notice) => notice.topic === topic);
const listed = async () =>
  (await app.apiAs(null).reviews.ofBusiness({ businessId: cast.businessId })).items.map(({ id }) => id);
/**
 * Appeals a decision.
 * @returns what an operator reads to decide it
 */
async function appealed(person: Person, sanctionId: string) {
  const { appeal } = await person.api.appeals.create({ sanctionId, words: 'It is what happened.' });
  const { facts } = await second.api.cases.get({ kind: 'appeal', subjectId: appeal?.id ?? '' });
  if (facts.kind !== 'appeal') throw new Error(`The facts of an appeal, not of ${facts.kind}`);
  return facts.appeal;
}
/**
 * Reverses a decision.
 * @returns what the operator could read to decide it
 */
async function overturn(person: Person, sanctionId: string, state?: string) {
  const { id: appealId, reversal, evidence } = await appealed(person, sanctionId);
  if (state) expect(reversal).toMatchObject({ ends: true, state });
  await second.api.appeals.decide({ appealId, outcome: 'overturned', reason: 'It is an opinion.' });
  return evidence;
}

describe('sanctions.removeReview', () => {
  it('removes a published review from lists and ratings, with reasons to its author and the other side, once', async () => {
    const before = await count();
    const { id: reviewId } = await review(cast.leila, { stars: 1 });
    await review(cast.nadia);
    expect(await count()).toBe(before + 1);
    const sanction = await first.api.sanctions.removeReview({ reviewId, ...words });
    expect(sanction).toMatchObject({
      measure: 'removed',
      target: { kind: 'review', id: reviewId },
      ...words,
    });
    expect(await first.api.sanctions.removeReview({ reviewId, ...words })).toEqual(sanction);
    expect(await count()).toBe(before);
    expect(await listed()).not.toContain(reviewId);
    expect(await noticesOf(cast.leila, 'sanction-imposed')).toMatchObject([
      { data: { reason: words.facts, variant: 'removed' } },
    ]);
    expect((await noticesOf(cast.nadia, 'review-removed'))[0]?.data).toMatchObject({ reason: words.facts });
    expect((await cast.leila.api.reviews.given({})).items).toMatchObject([
      { state: 'removed', removed: { reason: words.facts } },
    ]);
    expect(await failure(cast.nadia.api.reviews.reply({ reviewId, body: 'Thanks' }))).toMatchObject({
      status: 404,
    });
  });

  it('shows and counts the review again after an appeal', async () => {
    const before = await count();
    const { id: reviewId } = await review(cast.leila, { stars: 1 });
    await review(cast.nadia);
    const { id: sanctionId } = await first.api.sanctions.removeReview({ reviewId, ...words });
    // The reviewed side is a party: its members neither see nor decide the appeal.
    const insider = await app.person();
    await makeMember(app.db, app.clock, cast.businessId, insider.accountId, 'finance');
    await makeOperator(app.db, app, insider);
    await overturn(cast.leila, sanctionId, 'published');
    expect(await count()).toBe(before + 1);
    expect(await listed()).toContain(reviewId);
    expect(await cast.leila.api.sanctions.get({ sanctionId })).toMatchObject({ ending: 'overturned' });
    expect((await noticesOf(cast.nadia, 'review-published')).length).toBeGreaterThan(1);
    expect((await cast.leila.api.reviews.given({})).items).toMatchObject([
      { state: 'published', removed: null },
    ]);
    await cast.nadia.api.reviews.reply({ reviewId, body: 'What a bitch.' });
    const again = await first.api.sanctions.removeReview({ reviewId, ...words });
    expect(again.id).not.toBe(sanctionId);
  });

  it('notifies only the author of a hidden review, which is published when reversed after the window', async () => {
    await cast.alone();
    const before = await count();
    const noticed = (await noticesOf(cast.nadia, 'review-removed')).length;
    const { id: reviewId, version, closesAt } = await review(cast.leila);
    const { id: sanctionId } = await first.api.sanctions.removeReview({ reviewId, ...words });
    expect(await noticesOf(cast.nadia, 'review-removed')).toHaveLength(noticed);
    const edit = { reviewId, version: version + 1, stars: 5 };
    expect(await failure(cast.leila.api.reviews.edit(edit))).toMatchObject({ code: 'review/removed' });
    expect(
      await failure(cast.leila.api.reviews.write({ engagementId: cast.engagementId, stars: 5 })),
    ).toMatchObject({ code: 'review/already-written' });
    // With one review removed, the timer publishes the other as the only one.
    expect(await review(cast.nadia)).toMatchObject({ state: 'submitted' });
    app.clock.set(closesAt);
    await app.runDue();
    expect(await count()).toBe(before);
    expect(
      (await cast.leila.api.reviews.ofEngagement({ engagementId: cast.engagementId })).other,
    ).toMatchObject({ stars: 5 });
    await overturn(cast.leila, sanctionId, 'published');
    expect(await count()).toBe(before + 1);
  });

  it('keeps a hidden review hidden when reversed within the window, until both are in', async () => {
    await cast.alone();
    const before = await count();
    const { id: reviewId } = await review(cast.leila);
    const { id: sanctionId } = await first.api.sanctions.removeReview({ reviewId, ...words });
    await overturn(cast.leila, sanctionId, 'submitted');
    expect(await count()).toBe(before);
    await review(cast.nadia);
    expect(await count()).toBe(before + 1);
  });

  it('requires an uninvolved operator, a rule, facts and a flagged review', async () => {
    const { id: reviewId } = await review(cast.leila);
    expect(await failure(cast.nadia.api.sanctions.removeReview({ reviewId, ...words }))).toMatchObject({
      status: 403,
    });
    for (const wrong of [{ facts: ' ' }, { facts: 'x'.repeat(2_001) }, { rule: 'manners' as 'respect' }])
      expect(await failure(first.api.sanctions.removeReview({ reviewId, ...words, ...wrong }))).toMatchObject(
        { status: 400, code: 'request/invalid' },
      );
    const open = await app.db
      .selectFrom('reviews')
      .select('id')
      .where('engagementId', '=', cast.engagementId)
      .where('authorSide', '=', 'business')
      .executeTakeFirstOrThrow();
    for (const id of [open.id, none])
      expect(await failure(first.api.sanctions.removeReview({ reviewId: id, ...words }))).toMatchObject({
        status: 404,
        code: 'review/not-found',
      });
    const member = await app.person();
    await makeMember(app.db, app.clock, cast.businessId, member.accountId, 'recruiter');
    await makeOperator(app.db, app, member);
    const own = app.working(member).api.sanctions.removeReview({ reviewId, ...words });
    expect(await failure(own)).toMatchObject({ code: 'operator/own-record' });
    await first.api.reviews.keep({ reviewId });
    // The operator still holds the claim of the decided case.
    expect(await failure(first.api.sanctions.removeReview({ reviewId, ...words }))).toMatchObject({
      status: 404,
      code: 'review/not-found',
    });
    expect(await cast.leila.api.reviews.given({})).toMatchObject({ items: [{ removed: null }] });
  });
});

describe('a decision about a reported conversation', () => {
  async function talk() {
    const { id: jobId } = await makeJob(app.db, app.scopeOf(cast.nadia), cast.businessId);
    await makeApplication(app.db, app.scopeOf(cast.leila), jobId);
    return (await makeConversation(app.db, app.scopeOf(cast.leila), jobId)).id;
  }
  const send = (person: Person, conversationId: string, body: string, more: object = {}) =>
    person.api.messages.send({ conversationId, clientId: crypto.randomUUID(), body, ...more });
  const report = async (person: Person, conversationId: string, seq?: number) =>
    (
      await person.api.chatReports.create({
        conversationId,
        reason: 'harassment',
        note: '',
        seq,
      })
    ).id;
  const decide = (reportId: string, decision: 'redact' | 'freeze') =>
    first.api.operators.decideReport({ reportId, decision, reason: words.facts, rule: 'respect' });
  const said = async (person: Person, conversationId: string, seq: number) =>
    (await person.api.conversations.messages({ conversationId })).items.find((item) => item.seq === seq);
  const latest = async ({ api }: Person) => (await api.sanctions.mine({ limit: 1 })).items[0]?.id ?? '';

  it('restores a removed message with its file and latest text when reversed', async () => {
    const id = await talk();
    const file = await makeFile(app.db, app.scopeOf(cast.leila), { purpose: 'chat' });
    const { seq } = await send(cast.leila, id, 'A first try', { fileIds: [file.id] });
    await cast.leila.api.messages.edit({ conversationId: id, seq, body: 'You were late' });
    await decide(await report(cast.nadia, id, seq), 'redact');
    expect(await said(cast.nadia, id, seq)).toMatchObject({ body: '', files: [] });
    const sanctionId = await latest(cast.leila);
    expect(await cast.leila.api.sanctions.get({ sanctionId })).toMatchObject({
      measure: 'redacted',
      source: 'report',
      ...words,
      target: { kind: 'message', id, name: 'Barista for the weekend' },
    });
    expect(await failure(cast.nadia.api.sanctions.get({ sanctionId }))).toMatchObject({ status: 404 });
    expect(await overturn(cast.leila, sanctionId, 'readable')).toMatchObject({
      text: null,
      seq,
      messages: expect.arrayContaining([
        expect.objectContaining({ seq, body: expect.stringContaining('You were late') }),
      ]),
      reports: [{ reason: 'harassment' }],
    });
    for (const person of [cast.leila, cast.nadia])
      expect(await said(person, id, seq)).toMatchObject({
        body: 'You were late',
        redactedAt: null,
        files: [{ id: file.id }],
      });
  });

  it('keeps the text of the message only until the appeal is decided', async () => {
    expect(keptForAppealDays).toBeGreaterThanOrEqual(
      sanctionLimits.appealDays + sanctionLimits.appealAnswerDays,
    );
    const id = await talk();
    const byStaff = await send(cast.leila, id, 'Late again');
    const byAuthor = await send(cast.leila, id, 'Oops');
    await decide(await report(cast.nadia, id, byStaff.seq), 'redact');
    await cast.leila.api.messages.redact({ conversationId: id, seq: byAuthor.seq });
    const storedSeqs = async () =>
      (
        await app.db.selectFrom('redacted_words').select('seq').where('conversationId', '=', id).execute()
      ).map(({ seq }) => seq);
    app.clock.forward({ days: 31 });
    await purgeRedacted(app.db, app);
    expect(await storedSeqs()).toEqual([byStaff.seq]);
    app.clock.forward({ days: keptForAppealDays });
    await purgeRedacted(app.db, app);
    expect(await storedSeqs()).toEqual([]);
  });

  it('keeps a message removed that its author had removed, when reversed', async () => {
    const id = await talk();
    const { seq } = await send(cast.leila, id, 'You were late');
    await cast.leila.api.messages.redact({ conversationId: id, seq });
    app.clock.forward({ minutes: 1 });
    await decide(await report(cast.nadia, id, seq), 'redact');
    await overturn(cast.leila, await latest(cast.leila), 'removed');
    expect(await said(cast.nadia, id, seq)).toMatchObject({ body: '' });
  });

  it('lets both sides of a frozen conversation write again when reversed, and notifies the other one', async () => {
    const id = await talk();
    const { seq } = await send(cast.nadia, id, 'Pay me a deposit');
    await decide(await report(cast.leila, id, seq), 'freeze');
    expect(await failure(send(cast.leila, id, 'No'))).toMatchObject({ code: 'chat/frozen' });
    const sanctionId = await latest(cast.nadia);
    expect(await cast.nadia.api.sanctions.get({ sanctionId })).toMatchObject({
      measure: 'frozen',
      target: { kind: 'conversation', id },
      business: { id: cast.businessId },
    });
    expect(await failure(cast.leila.api.sanctions.get({ sanctionId }))).toMatchObject({ status: 404 });
    expect(await failure(first.api.sanctions.lift({ sanctionId, reason: 'Sorry' }))).toMatchObject({
      code: 'operator/own-decision',
    });
    const evidence = await overturn(cast.nadia, sanctionId, 'open');
    expect(evidence).toMatchObject({ seq, reports: [{ reason: expect.any(String) }] });
    for (const person of [cast.leila, cast.nadia]) await send(person, id, 'Hello again');
    expect((await noticesOf(cast.leila, 'report-decided'))[0]?.data).toMatchObject({ variant: 'unfreeze' });
  });

  it('names its own report, not those of other decisions about the conversation', async () => {
    const id = await talk();
    const decideAbout = async (body: string, decision: 'redact' | 'freeze') => {
      const { seq } = await send(cast.nadia, id, body);
      app.clock.forward({ minutes: 1 });
      const reportId = await report(cast.leila, id, seq);
      await decide(reportId, decision);
      const fromCase = { kind: 'chat_report', subjectId: reportId };
      return { sanctionId: await latest(cast.nadia), seq, fromCase };
    };
    const redaction = await decideAbout('Are you stupid', 'redact');
    await decideAbout('Pay me a deposit', 'freeze');
    await second.api.operators.unfreeze({ conversationId: id, reason: 'Settled' });
    const freeze = await decideAbout('Pay me another one', 'freeze');
    for (const { sanctionId, seq, fromCase } of [redaction, freeze])
      expect(await appealed(cast.nadia, sanctionId)).toMatchObject({
        decider: 'Jonas Weber',
        fromCase,
        evidence: { seq, reports: [{ reason: 'harassment' }] },
      });
  });

  it('is appealed to others than who first dismissed the report of a message that froze it', async () => {
    const id = await talk();
    const { seq } = await send(cast.nadia, id, 'Pay me a deposit');
    const dismissed = await report(cast.leila, id, seq);
    await second.api.operators.decideReport({ reportId: dismissed, decision: 'dismiss', reason: 'Fine.' });
    await cast.leila.api.reports.contest({ reportId: dismissed, words: 'It is fraud.' });
    const contest = app.db.selectFrom('chat_reports').select('id').where('contestedId', '=', dismissed);
    await decide((await contest.executeTakeFirstOrThrow()).id, 'freeze');
    const sanctionId = await latest(cast.nadia);
    const { appeal } = await cast.nadia.api.appeals.create({ sanctionId, words: 'It was a joke.' });
    const decision = { appealId: appeal?.id ?? '', outcome: 'overturned', reason: 'It was.' } as const;
    expect(await failure(second.api.appeals.decide(decision))).toMatchObject({
      code: 'operator/own-decision',
    });
  });

  it('against both sides stays frozen until both are reversed, and ends when it is unfrozen', async () => {
    const id = await talk();
    await send(cast.leila, id, 'Hello');
    for (const person of [cast.leila, cast.nadia]) await decide(await report(person, id), 'freeze');
    await overturn(cast.leila, await latest(cast.leila), 'frozen');
    expect(await cast.leila.api.conversations.get({ conversationId: id })).toMatchObject({ state: 'frozen' });
    await second.api.operators.unfreeze({ conversationId: id, reason: 'Settled' });
    expect(await cast.nadia.api.sanctions.get({ sanctionId: await latest(cast.nadia) })).toMatchObject({
      ending: 'lifted',
      endReason: 'Settled',
    });
    await send(cast.leila, id, 'Hello again');
  });

  it('stays the only one while it runs, for any number of reporters', async () => {
    const id = await talk();
    const { seq } = await send(cast.leila, id, 'You were late');
    const other = await app.person();
    await makeMember(app.db, app.clock, cast.businessId, other.accountId, 'recruiter');
    for (const person of [cast.nadia, other]) await decide(await report(person, id, seq), 'redact');
    const { items } = await cast.leila.api.sanctions.mine({});
    expect(items.filter(({ target }) => target.id === id)).toHaveLength(1);
    expect(Date.parse(items[0]?.appealUntil ?? '') - app.clock.now().getTime()).toBeGreaterThan(100 * dayMs);
  });
});
