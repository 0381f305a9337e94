import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useEndedWork } from '../../../test/use-ended-work.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeReview } from '../reviews/reviews.fixtures.ts';

const app = useTestApp();
const cast = useEndedWork(app);
let operator: Person;
let ofBusiness: string;
let ofWorker: string;
beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});
beforeEach(async () => {
  const scope = (person: Person) => app.scopeOf(person);
  const words = { stars: 1, body: 'They made me work in the rain.' };
  ofBusiness = (await makeReview(app.db, scope(cast.leila), cast.engagementId, words)).id;
  ofWorker = (await makeReview(app.db, scope(cast.nadia), cast.engagementId)).id;
});

const report = (person: Person, subjectId: string, words: object = {}) =>
  person.api.reports.create({ kind: 'review', subjectId, reason: 'offensive', ...words });
const factsOf = async (reportCaseId: string) => {
  const { facts } = await operator.api.cases.get({ kind: 'report', subjectId: reportCaseId });
  if (facts.kind !== 'report') throw new Error(facts.kind);
  return facts.reported;
};
async function caseOf(reviewId: string): Promise<string> {
  const { items } = await operator.api.cases.list({ kind: 'report', limit: 100 });
  for (const { subjectId } of items) {
    if ((await factsOf(subjectId)).subject.id !== reviewId) continue;
    await operator.api.cases.claim({ kind: 'report', subjectId });
    return subjectId;
  }
  throw new Error(`no open case about ${reviewId}`);
}
const remove = { measure: 'removed', rule: 'respect', facts: 'The review insults a person.' } as const;
const listed = async () =>
  (await app.apiAs(null).reviews.ofBusiness({ businessId: cast.businessId })).items.map(({ id }) => id);

describe('a report of a review', () => {
  it("merges several readers' reports, with the text and both sides for the operator", async () => {
    const stranger = await app.person();
    expect(await report(stranger, ofBusiness)).toMatchObject({
      subject: { kind: 'review', id: ofBusiness, name: expect.any(String) },
    });
    await report(cast.nadia, ofBusiness, { reason: 'fake' });
    expect(await factsOf(await caseOf(ofBusiness))).toMatchObject({
      reporters: 2,
      business: { id: cast.businessId },
      subject: { text: expect.stringContaining('in the rain'), status: 'published' },
      author: 'worker',
      worker: { name: 'Leila Haddad' },
      work: { engagementId: cast.engagementId, startsAt: expect.any(String) },
    });
  });

  it("rejects one's own, hidden ones, those of a hidden worker, and reasons of other kinds", async () => {
    expect(await failure(report(cast.leila, ofBusiness))).toMatchObject({ code: 'report/own' });
    expect(await failure(report(cast.nadia, ofWorker))).toMatchObject({ code: 'report/own' });
    await report(cast.leila, ofWorker);
    const stranger = await app.person();
    const none = '019aa000-0000-7000-8000-000000000001';
    await cast.alone();
    const hidden = await makeReview(app.db, app.scopeOf(cast.leila), cast.engagementId);
    for (const id of [ofWorker, none, hidden.id])
      expect(await failure(report(stranger, id))).toMatchObject({ status: 404, code: 'review/not-found' });
    for (const wrong of [{ reason: 'unpaid' }, { subjectId: 'x' }, { note: 'x'.repeat(2_001) }])
      expect(await failure(report(stranger, ofBusiness, wrong))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
  });

  it('removes the review, with a statement to its author and a reply to the reporter', async () => {
    await report(cast.nadia, ofBusiness);
    const reportCaseId = await caseOf(ofBusiness);
    const decided = await operator.api.reports.decide({ reportCaseId, answer: 'Removed.', action: remove });
    expect(decided).toMatchObject({ status: 'actioned', outcome: { sanction: { measure: 'removed' } } });
    expect(await listed()).not.toContain(ofBusiness);
    expect((await cast.leila.api.sanctions.mine({})).items).toMatchObject([
      { measure: 'removed', source: 'report', facts: remove.facts, target: { kind: 'review' } },
    ]);
    const [mine] = (await cast.nadia.api.reports.mine({})).items;
    expect(mine).toMatchObject({ outcome: 'actioned', answer: 'Removed.' });
  });

  it('closes as acted on if the review was removed before', async () => {
    await report(cast.nadia, ofBusiness);
    const { rule, facts } = remove;
    await cast.nadia.api.reviews.reply({ reviewId: ofBusiness, body: 'What a bitch.' });
    await operator.api.sanctions.removeReview({ reviewId: ofBusiness, rule, facts });
    const reportCaseId = await caseOf(ofBusiness);
    await operator.api.reports.decide({ reportCaseId, answer: 'Removed.', action: remove });
    expect((await cast.leila.api.sanctions.mine({})).items).toHaveLength(1);
  });

  it("warns or suspends the author's side, and hides nothing", async () => {
    await report(cast.leila, ofWorker);
    const reportCaseId = await caseOf(ofWorker);
    const decide = (action: object) =>
      operator.api.reports.decide({ reportCaseId, answer: 'Done.', action: { ...remove, ...action } });
    expect(await failure(decide({ measure: 'hidden' }))).toMatchObject({ code: 'request/invalid' });
    expect(await failure(decide({ measure: 'frozen' }))).toMatchObject({ code: 'request/invalid' });
    await decide({ measure: 'warning' });
    const { items } = await cast.nadia.api.sanctions.mine({ limit: 1 });
    expect(items).toMatchObject([{ measure: 'warning', business: { id: cast.businessId } }]);
    expect((await cast.leila.api.reviews.ofWorker({ workerId: cast.leila.accountId })).items).toHaveLength(1);
  });

  it('rejects decisions by those concerned', async () => {
    await report(await app.person(), ofBusiness);
    const reportCaseId = await caseOf(ofBusiness);
    await makeOperator(app.db, app, cast.leila);
    const author = app.working(cast.leila);
    expect(
      (await author.api.cases.list({ kind: 'report', limit: 100 })).items.map(({ subjectId }) => subjectId),
    ).not.toContain(reportCaseId);
    expect(
      await failure(author.api.reports.decide({ reportCaseId, answer: 'No.', action: null })),
    ).toMatchObject({ status: 403, code: 'operator/own-record' });
  });
});
