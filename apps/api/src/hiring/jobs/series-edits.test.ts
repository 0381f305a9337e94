import { dayMs } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { balanceAccount, holdAccount } from '../../money/holds/hold-entries.ts';
import { balancesOf } from '../../money/ledger/ledger.ts';
import { fundBusiness, makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { hire } from '../offers/offers.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

// The money of every shift is set aside with its offer; planned-funding.test.ts is about later ones.
const app = useTestApp({ FUND_AHEAD_DAYS: '365' });

let nadia: Person;
let businessId: string;
/** Six shifts at Amsterdam, each Friday from 9:00 to 17:00, over the change of clocks of 28 March 2027. */
let jobIds: string[];

beforeEach(() => postSeries());

async function postSeries({ funded = true } = {}): Promise<void> {
  nadia = await app.person({ name: 'Nadia' });
  const scope = app.scopeOf(nadia);
  ({ id: businessId } = await makeBusiness(app.db, scope, { lat: 52.37, lng: 4.9, funded }));
  const draft = await makeJob(app.db, scope, businessId, {
    status: 'draft',
    title: 'Morning barista',
    startsAt: '2027-03-12T08:00:00.000Z',
    endsAt: '2027-03-12T16:00:00.000Z',
  });
  const alsoOn = [1, 2, 3, 4, 5].map((weeks) =>
    new Date(Date.parse('2027-03-12') + weeks * 7 * dayMs).toISOString().slice(0, 10),
  );
  const job = await nadia.api.jobs.publish({ jobId: draft.id, alsoOn });
  jobIds = job.dates.map(({ jobId }) => jobId);
}

const jobsNow = () => Promise.all(jobIds.map((jobId) => nadia.api.jobs.get({ jobId })));
const startsNow = async () => (await jobsNow()).map(({ startsAt }) => startsAt?.slice(5, 16));
const idAt = (index: number) => jobIds[index] ?? '';
type Edit = Omit<Parameters<Person['api']['jobs']['update']>[0], 'jobId' | 'version'>;
async function edit(index: number, change: Edit, by = nadia) {
  const { version } = await nadia.api.jobs.get({ jobId: idAt(index) });
  return by.api.jobs.update({ jobId: idAt(index), version, ...change });
}
async function book(worker: Person, index: number) {
  const { id } = await worker.api.applications.submit({ jobId: idAt(index) });
  return hire(app.db, { worker: app.scopeOf(worker), recruiter: app.scopeOf(nadia) }, id);
}

describe('jobs.update of several shifts', () => {
  it('changes this and later shifts, or all, at the same local time across a clock change', async () => {
    await edit(2, {
      reach: 'later',
      startsAt: '2027-03-26T11:00:00.000Z',
      endsAt: '2027-03-26T15:30:00.000Z',
    });
    expect(await startsNow()).toEqual([
      '03-12T08:00',
      '03-19T08:00',
      '03-26T11:00',
      '04-02T10:00',
      '04-09T10:00',
      '04-16T10:00',
    ]);
    await edit(1, { reach: 'all', title: 'Late barista', payMinor: 2_000 });
    const jobs = await jobsNow();
    expect(new Set(jobs.map(({ title, pay }) => `${title} ${pay.minor}`))).toEqual(
      new Set(['Late barista 2000']),
    );
    await edit(0, {
      reach: 'all',
      startsAt: '2027-03-13T21:00:00.000Z',
      endsAt: '2027-03-14T03:00:00.000Z',
    });
    expect((await jobsNow()).slice(2, 4).map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      ['2027-03-27T21:00:00.000Z', '2027-03-28T02:00:00.000Z'],
      ['2027-04-03T20:00:00.000Z', '2027-04-04T02:00:00.000Z'],
    ]);
  });

  it('skips individually edited shifts until one of them leads', async () => {
    await edit(3, { payMinor: 2_500 });
    await edit(0, { reach: 'all', payMinor: 1_900, title: 'Barista' });
    const pays = async () => (await jobsNow()).map(({ pay }) => pay.minor);
    expect(await pays()).toEqual([1_900, 1_900, 1_900, 2_500, 1_900, 1_900]);
    expect(new Set((await jobsNow()).map(({ title }) => title))).toEqual(new Set(['Barista']));
    const series = await nadia.api.jobs.series({ jobId: idAt(5) });
    expect(series.map(({ changedAlone }) => changedAlone)).toEqual([[], [], [], ['pay'], [], []]);
    await edit(3, { reach: 'all', payMinor: 2_600 });
    expect(await pays()).toEqual(Array(6).fill(2_600));
    await edit(0, { reach: 'all', payMinor: 2_700 });
    expect(await pays()).toEqual(Array(6).fill(2_700));
  });

  it('changes dates with a booked worker, who is asked', async () => {
    const leila = await app.person({ name: 'Leila' });
    await book(leila, 2);
    const moved = { startsAt: '2027-03-12T10:00:00.000Z', endsAt: '2027-03-12T18:00:00.000Z' };
    await edit(0, { reach: 'all', ...moved, payMinor: 1_700, headCount: 1, description: 'Make tea.' });
    const [, second, third] = await jobsNow();
    expect(second).toMatchObject({ description: 'Make tea.', pay: { minor: 1_700 }, headCount: 1 });
    expect(third).toMatchObject({
      startsAt: '2027-03-26T10:00:00.000Z',
      description: 'Make tea.',
      pay: { minor: 1_700 },
      headCount: 1,
    });
    const [work] = (await leila.api.engagements.mine({})).items;
    const { terms, change } = await leila.api.engagements.get({ engagementId: work?.id ?? '' });
    expect(terms).toMatchObject({ startsAt: '2027-03-26T08:00:00.000Z', payMinor: 1_750 });
    expect(change).toMatchObject({
      status: 'open',
      after: { startsAt: '2027-03-26T10:00:00.000Z', payMinor: 1_700 },
    });
  });

  it('locks applicants with an offer before booked work', async () => {
    const [leila, sam] = [await app.person(), await app.person()];
    await edit(0, { headCount: 3 });
    await book(leila, 0);
    const { id: applicationId } = await sam.api.applications.submit({ jobId: idAt(0) });
    await nadia.api.offers.make({ applicationId });
    const rival = await app.pool.connect();
    try {
      await rival.query('begin');
      await rival.query('select from applications where id = $1 for update', [applicationId]);
      const edited = edit(0, { startsAt: '2027-03-12T09:00:00.000Z', endsAt: '2027-03-12T17:00:00.000Z' });
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await vi.waitUntil(async () => (await app.pool.query(waiting)).rows.length > 0, { timeout: 5_000 });
      await rival.query('select from engagements where job_id = $1 for update nowait', [idAt(0)]);
      await rival.query('commit');
      await edited;
    } finally {
      rival.release(true);
    }
  });

  it('notifies each applicant once of all shifts', async () => {
    const leila = await app.person({ name: 'Leila' });
    await leila.api.applications.submit({ jobId: idAt(0), alsoFor: [idAt(1), idAt(4)] });
    await edit(0, {
      reach: 'all',
      payMinor: 1_800,
      startsAt: '2027-03-12T09:00:00.000Z',
      endsAt: '2027-03-12T17:00:00.000Z',
    });
    const notices = (await leila.api.notifications.list({})).items.filter(
      ({ topic }) => topic === 'job-changed',
    );
    expect(notices).toMatchObject([{ data: { count: 3, toMinor: 1_800 } }]);
    expect(notices[0]?.data).not.toHaveProperty('toStartsAt');
  });

  it('rejects bad input and strangers, and changes nothing', async () => {
    const stranger = await app.person();
    for (const [change, refusal] of [
      [{ reach: 'some' }, { status: 400 }],
      [{ endsAt: '2027-03-12T07:00:00.000Z' }, { status: 400, code: 'request/invalid' }],
      [{ instantHire: true }, { status: 422, code: 'job/cannot-repeat' }],
      [{ description: '' }, { code: 'job/incomplete' }],
      [{ branchId: '00000000-0000-7000-8000-000000000000' }, { code: 'branch/not-found' }],
    ] as const)
      expect(
        await failure(edit(0, { reach: 'all', title: 'Changed', ...change } as Edit)),
        JSON.stringify(change),
      ).toMatchObject(refusal);
    expect(await failure(edit(0, { reach: 'all', title: 'Changed' }, stranger))).toMatchObject({
      status: 403,
      code: 'job/not-allowed',
    });
    expect(new Set((await jobsNow()).map(({ title }) => title))).toEqual(new Set(['Morning barista']));
  });

  it("accepts one of two managers' edits and never mixes them", async () => {
    const sami = await app.person({ name: 'Sami' });
    await makeMember(app.db, app.clock, businessId, sami.accountId, 'manager');
    const outcomes = await Promise.allSettled([
      edit(0, { reach: 'all', payMinor: 2_100, title: 'Pay 2100' }),
      edit(5, { reach: 'all', payMinor: 2_200, title: 'Pay 2200' }, sami),
    ]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(await failure(Promise.reject(outcome.reason))).toMatchObject({ code: 'job/stale' });
    const jobs = await jobsNow();
    expect(new Set(jobs.map(({ title, pay }) => title === `Pay ${pay.minor}`))).toEqual(new Set([true]));
    expect(new Set(jobs.map(({ title }) => title)).size).toBe(1);
  });

  it('handles a concurrent application for one of the shifts', async () => {
    const ahmed = await app.person({ name: 'Ahmed' });
    await Promise.all([
      ahmed.api.applications.submit({ jobId: idAt(4) }),
      edit(0, { reach: 'all', startsAt: '2027-03-12T09:00:00.000Z', endsAt: '2027-03-12T17:00:00.000Z' }),
    ]);
    expect((await jobsNow())[4]?.startsAt).toBe('2027-04-09T08:00:00.000Z');
    expect((await ahmed.api.applications.mine({})).items).toHaveLength(1);
  });
});

describe('jobs.series', () => {
  it('lists upcoming shifts, for recruiters only', async () => {
    const series = await nadia.api.jobs.series({ jobId: idAt(2) });
    expect(series.map(({ jobId }) => jobId)).toEqual(jobIds);
    expect(series[0]).toMatchObject({
      startsAt: '2027-03-12T08:00:00.000Z',
      headCount: 2,
      hired: 0,
      offered: 0,
      payMinor: 1_750,
    });
    const single = await makeJob(app.db, app.scopeOf(nadia), businessId);
    expect(await nadia.api.jobs.series({ jobId: single.id })).toEqual([]);
    const stranger = await app.person();
    expect(await failure(stranger.api.jobs.series({ jobId: idAt(2) }))).toMatchObject({
      status: 403,
      code: 'job/not-allowed',
    });
    expect(await failure(app.apiAs(null).jobs.series({ jobId: idAt(2) }))).toMatchObject({ status: 401 });
  });
});

describe('pausing and reopening a series', () => {
  const statuses = async () => (await jobsNow()).map(({ status }) => status);

  it('pauses this and later open shifts, and reopens them', async () => {
    const leila = await app.person({ name: 'Leila' });
    await edit(4, { headCount: 1 });
    await book(leila, 4);
    const pause = () => nadia.api.jobs.pause({ jobId: idAt(2), following: true });
    await pause();
    await pause();
    expect(await statuses()).toEqual(['open', 'open', 'paused', 'paused', 'filled', 'paused']);
    const stranger = await app.person();
    const reopen = (by = nadia) => by.api.jobs.reopen({ jobId: idAt(3), following: true });
    expect(await failure(reopen(stranger))).toMatchObject({ code: 'job/not-found' });
    await reopen();
    await reopen();
    expect(await statuses()).toEqual(['open', 'open', 'paused', 'open', 'filled', 'open']);
  });
});

describe('offers.make for several shifts', () => {
  it('raises all to the pay, where shifts that pay more keep theirs', async () => {
    await edit(4, { payMinor: 1_900 });
    const leila = await app.person({ name: 'Leila' });
    await leila.api.applications.submit({ jobId: idAt(0), alsoFor: [idAt(1), idAt(4)] });
    const [applicationId = '', ...alsoFor] = (await leila.api.applications.mine({})).items.map(
      ({ id }) => id,
    );
    const offer = (payMinor: number) => nadia.api.offers.make({ applicationId, alsoFor, payMinor });
    const lowest = (await nadia.api.jobs.get({ jobId: idAt(0) })).pay.minor ?? 0;
    expect(await failure(offer(lowest - 1))).toMatchObject({
      code: 'offer/pay-below-job',
      data: { payMinor: lowest },
    });
    await offer(lowest + 10);
    const { items } = await leila.api.offers.mine({ group: 'live' });
    expect(items.map(({ jobId, terms }) => [jobId, terms.payMinor]).toSorted()).toEqual(
      [
        [idAt(0), lowest + 10],
        [idAt(1), lowest + 10],
        [idAt(4), 1_900],
      ].toSorted(),
    );
  });
});

describe('open offers of edited shifts', () => {
  const moved = { startsAt: '2027-03-12T10:00:00.000Z', endsAt: '2027-03-12T18:00:00.000Z' };
  const noticesOf = async (person: Person) =>
    (await person.api.notifications.list({})).items.map(({ topic }) => topic);
  async function offered(shifts: number[]) {
    const leila = await app.person({ name: 'Leila' });
    const [jobId = '', ...alsoFor] = shifts.map(idAt);
    await leila.api.applications.submit({ jobId, alsoFor });
    const { items } = await leila.api.applications.mine({});
    for (const { id } of items) await nadia.api.offers.make({ applicationId: id });
    return { leila, before: (await leila.api.offers.mine({ group: 'live' })).items };
  }

  it('are replaced at the new hours, with one notice and one hold', async () => {
    const { leila, before } = await offered([1, 4]);
    const seen = await noticesOf(leila);
    expect((await nadia.api.jobs.series({ jobId: idAt(0) })).map(({ renewable }) => renewable)).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
    await edit(0, { reach: 'all', ...moved });
    const { items } = await leila.api.offers.mine({ group: 'live' });
    expect(items.map(({ terms }) => terms.startsAt).toSorted()).toEqual([
      '2027-03-19T10:00:00.000Z',
      '2027-04-09T09:00:00.000Z',
    ]);
    const ids = items.map(({ id }) => id);
    expect(before.some(({ id }) => ids.includes(id))).toBe(false);
    expect((await noticesOf(leila)).slice(0, -seen.length)).toEqual(['offer-received']);
    const holds = await app.db
      .selectFrom('holds')
      .select('status')
      .where('businessId', '=', businessId)
      .execute();
    expect(holds.map(({ status }) => status).toSorted()).toEqual(['held', 'held', 'refunded', 'refunded']);
    const [stale] = before;
    expect(
      await failure(leila.api.offers.accept({ offerId: stale?.id ?? '', version: stale?.version ?? 1 })),
    ).toMatchObject({ code: 'offer/stale' });
    expect((await jobsNow()).map(({ member }) => member?.offered)).toEqual([0, 1, 0, 0, 1, 0]);
  });

  it('stay when only pay or texts change, and are replaced on a shift edited alone', async () => {
    const { leila, before } = await offered([2]);
    await edit(2, { payMinor: 1_800, description: 'Make tea.' });
    expect((await leila.api.offers.mine({ group: 'live' })).items.map(({ id }) => id)).toEqual(
      before.map(({ id }) => id),
    );
    await edit(2, { startsAt: '2027-03-26T09:00:00.000Z', endsAt: '2027-03-26T17:00:00.000Z' });
    const [renewed] = (await leila.api.offers.mine({ group: 'live' })).items;
    expect(renewed?.terms).toMatchObject({ startsAt: '2027-03-26T09:00:00.000Z', payMinor: 1_800 });
  });

  it('never charge a card for an edit', async () => {
    await postSeries({ funded: false });
    await fundBusiness(app.db, app.scopeOf(nadia), businessId, { amountMinor: 15_000 });
    await makeCard(app.db, app.scopeOf(nadia), businessId);
    const { leila, before } = await offered([2]);
    const longer = { startsAt: '2027-03-26T08:00:00.000Z', endsAt: '2027-03-26T18:00:00.000Z' };
    expect(await failure(edit(2, longer))).toMatchObject({ code: 'payment/balance-short' });
    expect((await leila.api.offers.mine({ group: 'live' })).items.map(({ id }) => id)).toEqual(
      before.map(({ id }) => id),
    );
  });

  it('are accepted as they were or replaced, when both happen concurrently', async () => {
    const { leila, before } = await offered([1]);
    const [offer] = before;
    const [accepted, edited] = await Promise.allSettled([
      leila.api.offers.accept({ offerId: offer?.id ?? '', version: offer?.version ?? 1 }),
      edit(0, { reach: 'all', ...moved }),
    ]);
    expect(edited).toMatchObject({ status: 'fulfilled' });
    if (accepted.status === 'rejected')
      expect(await failure(Promise.reject(accepted.reason))).toMatchObject({ code: 'offer/stale' });
    const [work] = (await leila.api.engagements.mine({})).items;
    const [live] = (await leila.api.offers.mine({ group: 'live' })).items;
    const { startsAt } = await nadia.api.jobs.get({ jobId: idAt(1) });
    const booked = work && (await leila.api.engagements.get({ engagementId: work.id }));
    expect((booked?.change?.after ?? live?.terms)?.startsAt).toBe(startsAt);
    expect(work === undefined).toBe(live !== undefined);
  });
});

describe('booked work of edited shifts', () => {
  const noticesOf = async (person: Person) =>
    (await person.api.notifications.list({})).items.filter(({ topic }) => topic === 'engagement-changed');
  const workOf = async (person: Person) =>
    (await person.api.engagements.mine({})).items.map(({ terms, amountMinor }) => [
      terms.payMinor,
      terms.holdMinor,
      amountMinor,
    ]);
  const moneyOf = async () => {
    const holds = await app.db
      .selectFrom('holds')
      .select('id')
      .where('businessId', '=', businessId)
      .execute();
    const accounts = [balanceAccount(businessId), ...holds.map(({ id }) => holdAccount(id))];
    const balances = await balancesOf(app.db, accounts);
    const sum = (kind: string) =>
      balances.reduce(
        (total, { account, amountMinor }) => (account.kind === kind ? total + amountMinor : total),
        0,
      );
    return { balance: sum('business_balance'), hold: sum('hold') };
  };

  it('receives higher pay at once, fully funded, with one notice for all shifts', async () => {
    const leila = await app.person({ name: 'Leila' });
    await book(leila, 1);
    await book(leila, 4);
    const before = await workOf(leila);
    const moneyBefore = await moneyOf();
    await edit(0, { reach: 'all', payMinor: 2_001, description: 'Make tea.' });
    const after = await workOf(leila);
    expect(after.map(([pay]) => pay)).toEqual([2_001, 2_001]);
    const raisedMinor = after.reduce((sum, [, hold = 0], at) => sum + hold - (before[at]?.[1] ?? 0), 0);
    const money = await moneyOf();
    expect(raisedMinor).toBeGreaterThan(0);
    expect(money.hold - moneyBefore.hold).toBe(raisedMinor);
    expect(moneyBefore.balance - money.balance).toBe(raisedMinor);
    const holds = await app.db
      .selectFrom('holds')
      .select(['payMinor', 'feeMinor'])
      .where('businessId', '=', businessId)
      .execute();
    expect(holds.map(({ payMinor, feeMinor }) => payMinor + feeMinor)).toEqual(after.map(([, hold]) => hold));
    const moreMinor = after.reduce((sum, [, , amount = 0], at) => sum + amount - (before[at]?.[2] ?? 0), 0);
    expect(await noticesOf(leila)).toMatchObject([
      { data: { variant: 'pay', count: 2, amountMinor: moreMinor, currency: 'EUR' } },
    ]);
    await edit(0, { reach: 'all', payMinor: 1_900 });
    expect(await workOf(leila)).toEqual(after);
    expect(await noticesOf(leila)).toHaveLength(1);
  });

  it('triggers one notice of new details', async () => {
    const leila = await app.person({ name: 'Leila' });
    await book(leila, 1);
    await book(leila, 4);
    await edit(0, { reach: 'all', requirements: ['Black shoes'] });
    await edit(0, { reach: 'all', headCount: 3 });
    expect(await noticesOf(leila)).toMatchObject([{ data: { variant: 'details', count: 2 } }]);
  });

  it("keeps all shifts unchanged when the balance doesn't cover higher pay", async () => {
    await postSeries({ funded: false });
    await fundBusiness(app.db, app.scopeOf(nadia), businessId, { amountMinor: 15_000 });
    const leila = await app.person({ name: 'Leila' });
    await book(leila, 1);
    const before = await workOf(leila);
    // 7.5 h at €20 with the fee are €165.00.
    expect(await failure(edit(0, { reach: 'all', payMinor: 2_000 }))).toMatchObject({
      code: 'payment/balance-short',
      data: { missingMinor: 1_500, currency: 'EUR' },
    });
    expect(await workOf(leila)).toEqual(before);
    expect(new Set((await jobsNow()).map(({ pay }) => pay.minor))).toEqual(new Set([1_750]));
  });

  it('is cancelled or paid more, never both, with its money in one place', async () => {
    const leila = await app.person({ name: 'Leila' });
    await book(leila, 1);
    const [work] = (await leila.api.engagements.mine({})).items;
    await Promise.allSettled([
      leila.api.engagements.cancel({
        engagementId: work?.id ?? '',
        version: work?.version ?? 1,
        reason: 'Ill',
      }),
      edit(0, { reach: 'all', payMinor: 2_100 }),
    ]);
    const [after] = (await leila.api.engagements.mine({ group: 'ended' })).items;
    const money = await moneyOf();
    if (after) expect(money.hold).toBe(0);
    else expect((await workOf(leila))[0]?.[1]).toBe(money.hold);
  });
});

// Last, since it moves the clock.
describe('a series that has begun', () => {
  it('skips shifts that started or closed, and rejects them as leaders', async () => {
    await nadia.api.jobs.close({ jobId: idAt(3) });
    app.clock.set(new Date('2027-03-20T12:00:00.000Z'));
    await app.db.updateTable('sessions').set({ expiresAt: '2099-01-01' }).execute();
    nadia = { ...nadia, api: app.apiAs(await signAccessToken(app.secret, app.clock, nadia)) };
    await edit(4, { reach: 'all', title: 'Barista' });
    expect((await jobsNow()).map(({ title }) => title === 'Barista')).toEqual([
      false,
      false,
      true,
      false,
      true,
      true,
    ]);
    expect(await failure(edit(3, { reach: 'all', title: 'Tea' }))).toMatchObject({ code: 'job/wrong-state' });
    const behind = { startsAt: '2027-03-19T08:00:00.000Z', endsAt: '2027-03-19T16:00:00.000Z' };
    expect(await failure(edit(2, { reach: 'all', ...behind }))).toMatchObject({ code: 'job/starts-in-past' });
  });
});
