import { minuteMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { compareBooks } from '../../money/provider/books.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp();
const start = new Date('2026-11-21T09:00:00Z');
const planned = 13_125;
let nadia: Person;
let leila: Person;
let stranger: Person;
let operator: Person;
let businessId: string;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  stranger = await app.person();
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});
beforeEach(async () => {
  app.clock.set(start);
  leila = await app.person({ name: 'Leila Haddad' });
});

const book = (options: Partial<JobDraft> = {}) =>
  makeEngagement(app.db, { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) }, businessId, options);
const refOf = ({ id, version }: Engagement) => ({ engagementId: id, version });
async function reported() {
  const work = await book();
  app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') + 70 * minuteMs));
  return nadia.api.engagements.reportNoShow(refOf(work));
}
const contest = async () =>
  leila.api.engagements.contest({ ...refOf(await reported()), note: 'I was at the back door.' });
const toEnd = (work: Engagement) => app.clock.set(new Date(work.terms.endsAt ?? ''));
/** Contested work after the planned end, when both decisions are possible. */
async function contested() {
  const work = await contest();
  toEnd(work);
  return work;
}
const note = 'The camera shows them at ten past nine.';
const absent = (work: Engagement) => ({ ...refOf(work), outcome: 'absent' as const, note });
const worked = (work: Engagement, amountMinor = 9_000) => ({
  ...refOf(work),
  outcome: 'worked' as const,
  amountMinor,
  note,
});
const noticesOf = async (person: Person, work: Engagement) =>
  (await person.api.notifications.list({ limit: 100 })).items.filter(
    ({ topic, path }) => topic === 'engagement-no-show-decided' && path.endsWith(work.id),
  );
const holdOf = async (work: Engagement) =>
  (await app.pool.query('select status from holds where engagement_id = $1', [work.id])).rows[0]?.status;
const record = async () =>
  JSON.stringify(
    (
      await app.pool.query(
        `select (select jsonb_agg(to_jsonb(e) order by id) from engagements e) as engagements,
          (select count(*) from engagement_moves) as moves, (select count(*) from ledger_entries) as entries,
          (select count(*) from releases) as releases, (select count(*) from notifications) as notices`,
      )
    ).rows[0],
  );
const books = () => compareBooks(app.db, app.scopeOf(nadia));

describe('disputes.decideNoShow', () => {
  it('upholds the report: final, counted, hold returned, both notified', async () => {
    const work = await contested();
    expect(await holdOf(work)).toBe('held');
    expect((await leila.api.reliability.mine()).noShows).toBe(0);
    const decision = await operator.api.disputes.decideNoShow(absent(work));
    expect(decision).toMatchObject({ status: 'no_show_reported', amountMinor: 0, next: null, actions: [] });
    expect(decision.steps.at(-1)).toMatchObject({ action: 'uphold', by: 'operator', reason: note });
    expect(await holdOf(work)).toBe('refunded');
    const workerView = await leila.api.engagements.get({ engagementId: work.id });
    expect(workerView).toMatchObject({ status: 'no_show_reported', actions: [], next: null });
    expect(
      await failure(leila.api.engagements.contest({ ...refOf(workerView), note: 'Once more.' })),
    ).toMatchObject({
      status: 422,
      code: 'engagement/contest-over',
    });
    expect((await leila.api.reliability.mine()).noShows).toBe(1);
    for (const person of [leila, nadia])
      expect(await noticesOf(person, work)).toMatchObject([{ data: { variant: 'absent', reason: note } }]);
    app.clock.forward({ days: 2 });
    await app.runDue();
    expect(await books()).toEqual([]);
  });

  it('decides that they worked: pays the decided amount, returns the rest, counts as kept', async () => {
    const work = await contested();
    const decision = await operator.api.disputes.decideNoShow(worked(work));
    expect(decision).toMatchObject({
      status: 'completed',
      amountMinor: 9_000,
      releases: [{ kind: 'rest', amountMinor: 9_000, state: 'released' }],
    });
    expect(decision.steps.slice(-2)).toMatchObject([
      { action: 'overturn', by: 'operator', reason: note },
      { action: 'complete', by: 'timer' },
    ]);
    expect(await holdOf(work)).toBe('released');
    expect(await leila.api.reliability.mine()).toMatchObject({ kept: 1, noShows: 0, lateArrivals: 0 });
    for (const person of [leila, nadia])
      expect(await noticesOf(person, work)).toMatchObject([
        { data: { variant: 'worked', amountMinor: 9_000, currency: 'EUR', reason: note } },
      ]);
    app.clock.forward({ days: 30 });
    await app.runDue();
    expect((await leila.api.engagements.get({ engagementId: work.id })).releases).toHaveLength(1);
    expect((await leila.api.reliability.mine()).noShows).toBe(0);
    expect(await books()).toEqual([]);
  });

  it('pays no shift before its planned end, but decides an absence at once', async () => {
    const work = await contest();
    const before = await record();
    expect(await failure(operator.api.disputes.decideNoShow(worked(work)))).toMatchObject({
      status: 422,
      code: 'engagement/too-early',
      data: { from: work.terms.endsAt },
    });
    expect(await record()).toBe(before);
    expect(await operator.api.disputes.decideNoShow(absent(work))).toMatchObject({ amountMinor: 0 });
  });

  it("appears with the business's review, before and after publication", async () => {
    const work = await contested();
    await operator.api.disputes.decideNoShow(worked(work));
    const of = { engagementId: work.id };
    expect((await nadia.api.reviews.ofEngagement(of)).toWrite).toMatchObject({ noShowOverturned: true });
    const words = { ...of, stars: 1, body: 'Did not come in time.' };
    expect(await nadia.api.reviews.write(words)).toMatchObject({ noShowOverturned: true });
    await leila.api.reviews.write({ ...of, stars: 3 });
    const about = (await leila.api.reviews.ofWorker({ workerId: leila.accountId })).items;
    expect(about).toMatchObject([{ body: 'Did not come in time.', noShowOverturned: true }]);
    const [byWorker] = (await leila.api.reviews.ofBusiness({ businessId })).items;
    expect(byWorker).toMatchObject({ noShowOverturned: false });
  });

  it('allows other work that the worker took at that time', async () => {
    const work = await reported();
    const at = (minutes: number) =>
      new Date(Date.parse(work.terms.startsAt ?? '') + minutes * minuteMs).toISOString();
    const other = await book({ startsAt: at(120), endsAt: at(360), breakMinutes: 0 });
    const objected = await leila.api.engagements.contest({ ...refOf(work), note: 'They sent me away.' });
    toEnd(work);
    expect(await operator.api.disputes.decideNoShow(worked(objected, planned))).toMatchObject({
      status: 'completed',
      amountMinor: planned,
    });
    expect(await leila.api.engagements.get({ engagementId: other.id })).toMatchObject({ status: 'booked' });
  });

  it('allows only operators on neither side', async () => {
    const work = await contested();
    const before = await record();
    expect(await failure(app.apiAs(null).disputes.decideNoShow(absent(work)))).toMatchObject({
      status: 401,
    });
    for (const person of [leila, nadia, stranger])
      expect(await failure(person.api.disputes.decideNoShow(absent(work)))).toMatchObject({
        status: 403,
        code: 'operator/required',
      });
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    for (const person of [leila, finance]) {
      await makeOperator(app.db, app, person);
      expect(await failure(app.working(person).api.disputes.decideNoShow(worked(work)))).toMatchObject({
        status: 403,
        code: 'operator/own-record',
      });
    }
    expect(await record()).toBe(before);
  });

  it('rejects impossible amounts, and stale, uncontested or decided reports', async () => {
    const work = await contested();
    const decide = (options: object) =>
      failure(operator.api.disputes.decideNoShow({ ...worked(work), ...options }));
    const before = await record();
    for (const amountMinor of [-1, 0, 0.5, 1e15, Number.NaN, undefined])
      expect(await decide({ amountMinor }), String(amountMinor)).toMatchObject({ status: 400 });
    expect(await decide({ outcome: 'absent' })).toMatchObject({ status: 400 });
    expect(await decide({ outcome: 'maybe' })).toMatchObject({ status: 400 });
    for (const bad of ['', 'x'.repeat(1_001), 'a\u0000b'])
      expect(await decide({ note: bad })).toMatchObject({ status: 400 });
    expect(await decide({ amountMinor: planned + 1 })).toMatchObject({
      status: 422,
      code: 'dispute/amount-impossible',
      data: { minMinor: 1, maxMinor: planned },
    });
    expect(await decide({ version: work.version - 1 })).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    expect(await decide({ engagementId: crypto.randomUUID() })).toMatchObject({ status: 404 });
    expect(await record()).toBe(before);

    const decided = await operator.api.disputes.decideNoShow(worked(work));
    // A repeat counts as one decision; a different one is refused.
    expect(await operator.api.disputes.decideNoShow(worked(work))).toEqual(decided);
    expect(await decide({ amountMinor: 8_000 })).toMatchObject({ status: 409 });
    expect(await failure(operator.api.disputes.decideNoShow(absent(work)))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    expect(await failure(operator.api.disputes.decideNoShow(absent(decided)))).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
    app.clock.set(start);
    leila = await app.person();
    const uncontested = await reported();
    for (const input of [absent(uncontested), worked(uncontested)])
      expect(await failure(operator.api.disputes.decideNoShow(input))).toMatchObject({
        status: 409,
        code: 'engagement/wrong-state',
      });
    expect(await books()).toEqual([]);
  });
});
