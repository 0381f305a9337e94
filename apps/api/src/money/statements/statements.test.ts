import { sumOf } from '@nearhand/contract/arithmetic';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { reverseEntry } from '../ledger/ledger.ts';
import {
  type Books,
  makeHeldWork,
  makeRelease,
  makeReturn,
  makeTip,
  makeTopUp,
  makeWithdrawal,
} from './statements.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let books: Books;
const at = (text: string) => new Date(text);

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Rahmani' });
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  const business = await makeBusiness(app.db, app.scopeOf(nadia), {
    name: 'Kopi & Crumb',
    funded: false,
  });
  const job = await makeJob(app.db, app.scopeOf(nadia), business.id, { status: 'draft' });
  books = { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
});

async function month() {
  await makeTopUp(books, at('2026-11-02T10:00:00Z'), 50_000);
  const work = await makeHeldWork(books, at('2026-11-03T10:00:00Z'), {
    workerId: leila.accountId,
    payMinor: 10_800,
    minutes: 360,
  });
  const release = await makeRelease(books, at('2026-11-05T10:00:00Z'), work, {
    amountMinor: 9_900,
    feeMinor: 990,
  });
  await makeReturn(books, at('2026-11-05T10:00:00Z'), work, 990);
  await makeTip(books, at('2026-11-06T10:00:00Z'), work, 1_000);
  await makeHeldWork(books, at('2026-11-07T10:00:00Z'), {
    workerId: leila.accountId,
    payMinor: 12_000,
    by: 'card',
    title: 'Counter',
  });
  return { work, release };
}

describe('statements.forBusiness', () => {
  const read = (request: object = {}) =>
    nadia.api.statements.forBusiness({ businessId: books.businessId, ...request });

  it('shows each entry, newest first, with the balance after it', async () => {
    await month();
    const { items, totals, ...rest } = await read();
    expect(
      items.map(({ kind, amountMinor, grossMinor, feeMinor, balanceMinor, about, party, status }) => [
        kind,
        amountMinor,
        grossMinor,
        feeMinor,
        balanceMinor,
        about,
        party,
        status,
      ]),
    ).toEqual([
      ['hold', 0, 13_200, 0, 38_110, 'Counter', 'Leila Haddad', 'held'],
      ['tip', -1_000, 1_000, 0, 38_110, 'Weekend barista', 'Leila Haddad', 'paid'],
      ['hold_returned', 990, 990, 0, 39_110, 'Weekend barista', 'Leila Haddad', null],
      ['release', 0, 10_890, 990, 38_120, 'Weekend barista', 'Leila Haddad', 'paid'],
      ['hold', -11_880, 11_880, 0, 38_120, 'Weekend barista', 'Leila Haddad', 'paid'],
      ['top_up', 50_000, 50_000, 0, 50_000, 'Visa ••••\u00a08820', null, null],
    ]);
    expect(totals).toEqual({
      openingMinor: 0,
      inMinor: 50_990,
      outMinor: 12_880,
      closingMinor: 38_110,
      balanceMinor: 38_110,
      heldMinor: 13_200,
      paidMinor: 10_900,
      feesMinor: 990,
      creditOwedMinor: null,
    });
    expect(rest).toEqual({
      nextCursor: null,
      currency: 'EUR',
      currencies: ['EUR'],
      timeZone: 'Europe/Amsterdam',
    });
  });
  it('includes the branch, the paid time and the invoice of payments for work', async () => {
    const scope = app.scopeOf(nadia);
    const branch = await makeBranch(app.db, scope, books.businessId, { name: 'Centrum' });
    await sql`update jobs set branch_id = ${branch.id} where id = ${books.jobId}`.execute(app.db);
    const { release } = await month();
    const columns = async () =>
      (await read()).items.map((line) => [line.kind, line.branch, line.paidMinutes, line.invoiceNumber]);
    const [invoice] = await nadia.api.invoices.issue({ businessId: books.businessId });
    const others = [
      ['hold_returned', null, null, null],
      ['release', 'Centrum', 330, invoice?.number],
      ['hold', null, null, null],
      ['top_up', null, null, null],
    ];
    const before = [['hold', null, null, null], ['tip', 'Centrum', null, null], ...others];
    expect(await columns()).toEqual(before);
    const { startsAt } = await app.db
      .selectFrom('jobs')
      .select('startsAt')
      .where('id', '=', books.jobId)
      .executeTakeFirstOrThrow();
    expect((await read({ group: 'holds' })).items[0]).toMatchObject({
      workOn: startsAt?.toISOString().slice(0, 10),
    });
    expect((await read()).items.at(-1)).toMatchObject({ kind: 'top_up', workOn: null });
    const opened = { businessId: books.businessId, entryId: release };
    expect(await nadia.api.statements.businessLine(opened)).toMatchObject({
      branch: 'Centrum',
      invoiceNumber: invoice?.number,
    });
    expect(await leila.api.statements.line({ entryId: release })).toMatchObject({
      branch: null,
      invoiceNumber: null,
    });
    const undo = { clock: { now: () => at('2026-11-08T10:00:00Z') }, sign: createSign(app.secret) };
    await app.db
      .transaction()
      .execute((tx) => reverseEntry(tx, undo, { key: `undo/${release}`, entryId: release }));
    const [credit] = await nadia.api.invoices.issue({ businessId: books.businessId });
    expect(await columns()).toEqual([['correction', 'Centrum', -330, credit?.number], ...before]);
  });
  it('filters by group and keeps balances and totals', async () => {
    await month();
    const kindsOf = async (group: 'funding' | 'holds' | 'releases' | 'fees') =>
      (await read({ group })).items.map((line) => line.kind);
    expect(await kindsOf('funding')).toEqual(['top_up']);
    expect(await kindsOf('holds')).toEqual(['hold', 'hold_returned', 'hold']);
    expect(await kindsOf('releases')).toEqual(['tip', 'release']);
    expect(await kindsOf('fees')).toEqual(['release']);
    const { items, totals } = await read({ group: 'fees' });
    expect([items[0]?.balanceMinor, totals.closingMinor]).toEqual([38_120, 38_110]);
  });
  it('shows an empty statement in the currency of the business', async () => {
    expect(await read()).toMatchObject({ items: [], currency: 'EUR', totals: { closingMinor: 0 } });
    expect(await read({ currency: 'JPY' })).toMatchObject({
      items: [],
      currency: 'JPY',
      currencies: ['JPY'],
    });
  });
  it('deducts reversals', async () => {
    const { release } = await month();
    const scope = { clock: { now: () => at('2026-11-08T10:00:00Z') }, sign: createSign(app.secret) };
    await app.db
      .transaction()
      .execute((tx) => reverseEntry(tx, scope, { key: `undo/${release}`, entryId: release }));
    const { items, totals } = await read();
    expect(items[0]).toMatchObject({
      kind: 'correction',
      grossMinor: -10_890,
      feeMinor: -990,
      amountMinor: 0,
    });
    expect(totals).toMatchObject({ paidMinor: 1_000, feesMinor: 0, heldMinor: 13_200 + 10_890 });
    expect((await read({ group: 'fees' })).items).toHaveLength(2);
  });
  it("starts and ends days in the business's zone, including clock changes", async () => {
    const edges = [
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T21:59:59.999Z',
      '2026-03-29T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T22:59:59.999Z',
      '2026-10-25T23:00:00.000Z',
      '2026-10-31T22:59:59.999Z',
      '2026-10-31T23:00:00.000Z',
    ];
    for (const [no, edge] of edges.entries()) await makeTopUp(books, at(edge), 10 ** no);
    const sum = async (from: string, to: string) => (await read({ from, to })).totals;
    expect(await sum('2026-03-29', '2026-03-29')).toMatchObject({ openingMinor: 1, inMinor: 110 });
    expect(await sum('2026-10-25', '2026-10-25')).toMatchObject({ inMinor: 110_000 });
    expect(await sum('2026-11-01', '2026-11-30')).toMatchObject({
      openingMinor: 11_111_111,
      inMinor: 10 ** 8,
    });
    expect(await sum('0001-01-01', '9999-12-31')).toMatchObject({ openingMinor: 0, inMinor: 111_111_111 });
    expect((await read({ from: '2026-10-31', to: '2026-10-31' })).items).toHaveLength(1);
  });
  it('pages through lines of one millisecond without gaps or duplicates', async () => {
    for (let no = 0; no < 7; no += 1) await makeTopUp(books, at('2026-11-02T10:00:00Z'), 100 + no);
    const itemIds: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read({ limit: 3, cursor });
      itemIds.push(...page.items.map((line) => line.id));
      cursor = page.nextCursor ?? undefined;
      if (itemIds.length === 3) await makeTopUp(books, at('2026-11-03T10:00:00Z'), 5);
    } while (cursor);
    expect(itemIds).toHaveLength(7);
    expect(new Set(itemIds).size).toBe(7);
  });
  it('rejects bad input', async () => {
    expect(await failure(read({ cursor: 'x' }))).toMatchObject({ status: 400, code: 'request/bad-cursor' });
    expect(await failure(read({ from: '2026-11-02', to: '2026-11-01' }))).toMatchObject({
      code: 'request/invalid',
    });
    for (const request of [{ from: '2026-02-30' }, { group: 'tips' }, { currency: 'XTS' }, { limit: 101 }])
      expect(await failure(read(request))).toMatchObject({ code: 'request/invalid' });
  });
  it('allows only owners, managers and finance', async () => {
    const { businessId } = books;
    const statementError = (person: Person) => failure(person.api.statements.forBusiness({ businessId }));
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, businessId, recruiter.accountId);
    expect(await statementError(recruiter)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await statementError(leila)).toMatchObject({ status: 404, code: 'business/not-found' });
    expect(await statementError(await app.person({ verified: false }))).toMatchObject({ status: 403 });
    expect(await failure(app.apiAs(null).statements.forBusiness({ businessId }))).toMatchObject({
      status: 401,
    });
    for (const role of ['finance', 'manager'] as const) {
      const person = await app.person();
      await makeMember(app.db, app.clock, businessId, person.accountId, role);
      expect((await person.api.statements.forBusiness({ businessId })).items).toEqual([]);
    }
  });
});

describe('statements.mine', () => {
  const read = (request: object = {}) => leila.api.statements.mine(request);

  it('shows pay, tips and withdrawals, each withdrawal as one line', async () => {
    await month();
    await makeWithdrawal(books, at('2026-11-09T10:00:00Z'), {
      workerId: leila.accountId,
      amountMinor: 6_000,
      feeMinor: 150,
    });
    await makeWithdrawal(books, at('2026-11-10T10:00:00Z'), {
      workerId: leila.accountId,
      amountMinor: 2_000,
      status: 'in_transit',
    });
    const { items, totals, timeZone } = await read();
    expect(
      items.map(({ kind, amountMinor, grossMinor, feeMinor, balanceMinor, about, party, status }) => [
        kind,
        amountMinor,
        grossMinor,
        feeMinor,
        balanceMinor,
        about,
        party,
        status,
      ]),
    ).toEqual([
      ['withdrawal', 0, 2_000, 0, 4_900, 'bunq ••••\u00a04417', null, 'in_transit'],
      ['withdrawal', -6_000, 6_000, 150, 4_900, 'bunq ••••\u00a04417', null, 'paid'],
      ['tip', 1_000, 1_000, 0, 10_900, 'Weekend barista', 'Kopi & Crumb', 'paid'],
      ['release', 9_900, 9_900, 0, 9_900, 'Weekend barista', 'Kopi & Crumb', 'paid'],
    ]);
    expect(totals).toEqual({
      openingMinor: 0,
      inMinor: 10_900,
      outMinor: 6_000,
      closingMinor: 4_900,
      earnedMinor: 9_900,
      tipsMinor: 1_000,
      feesMinor: 150,
      withdrawnMinor: 6_000,
    });
    expect(timeZone).toBe('Europe/Amsterdam');
    expect((await read({ group: 'withdrawals' })).items).toHaveLength(2);
    expect((await read({ group: 'tips' })).items).toHaveLength(1);
    expect((await read({ group: 'earned' })).items).toHaveLength(1);
  });
  it('shows money returned by a bank as its own line', async () => {
    await month();
    const { paid } = await makeWithdrawal(books, at('2026-11-09T10:00:00Z'), {
      workerId: leila.accountId,
      amountMinor: 6_000,
    });
    await app.db
      .updateTable('withdrawals')
      .set({ status: 'returned' })
      .where('paidEntry', '=', paid)
      .execute();
    const scope = { clock: { now: () => at('2026-11-12T10:00:00Z') }, sign: createSign(app.secret) };
    await app.db
      .transaction()
      .execute((tx) =>
        reverseEntry(tx, scope, { key: `returned/${paid}`, entryId: paid ?? '', kind: 'payout_returned' }),
      );
    const { items, totals } = await read({ group: 'withdrawals' });
    expect(items.map((line) => [line.kind, line.amountMinor, line.status])).toEqual([
      ['withdrawal_back', 6_000, 'returned'],
      ['withdrawal', -6_000, 'returned'],
    ]);
    expect(totals).toMatchObject({ withdrawnMinor: 0, closingMinor: 10_900 });
  });
  it('shows pending pay, and adds no line when it clears', async () => {
    const work = await makeHeldWork(books, at('2026-11-03T10:00:00Z'), {
      workerId: leila.accountId,
      payMinor: 9_000,
      by: 'card',
    });
    await makeRelease(books, at('2026-11-05T10:00:00Z'), work, {
      workerFeeMinor: 90,
      clearsAt: at('2026-11-10T10:00:00Z'),
    });
    const { items, totals } = await read();
    expect(items).toMatchObject([
      { kind: 'release', amountMinor: 8_910, grossMinor: 9_000, feeMinor: 90, status: 'pending' },
    ]);
    expect(totals).toMatchObject({ earnedMinor: 8_910, feesMinor: 90 });
  });
  it("uses the worker's home days when there is no work, and requires a verified account", async () => {
    expect(await read()).toMatchObject({ items: [], timeZone: 'UTC', currency: 'EUR' });
    await app.db
      .insertInto('profiles')
      .values({
        accountId: leila.accountId,
        homeLabel: 'Tokyo',
        homeLat: 35.68,
        homeLng: 139.69,
        updatedAt: at('2026-01-01'),
      })
      .onConflict((conflict) =>
        conflict.column('accountId').doUpdateSet({ homeLabel: 'Tokyo', homeLat: 35.68, homeLng: 139.69 }),
      )
      .execute();
    expect(await read()).toMatchObject({ timeZone: 'Asia/Tokyo' });
    expect(await failure(app.apiAs(null).statements.mine({}))).toMatchObject({ status: 401 });
    const stranger = await app.person({ verified: false });
    expect(await failure(stranger.api.statements.mine({}))).toMatchObject({ status: 403 });
  });
});

describe('statements.businessLine', () => {
  it('breaks an entry down into parts that sum to zero, with evidence', async () => {
    const { release, work } = await month();
    await app.db
      .insertInto('engagement_moves')
      .values({
        id: crypto.randomUUID(),
        engagementId: work.engagementId,
        actor: nadia.accountId,
        side: 'business',

        action: 'approve',
        fromStatus: 'submitted',
        toStatus: 'approved',
        at: at('2026-11-05T10:00:00Z'),
      })
      .execute();
    const { businessId } = books;
    const line = await nadia.api.statements.businessLine({ businessId, entryId: release });
    expect(line.parts).toEqual([
      { kind: 'hold', amountMinor: -10_890 },
      { kind: 'worker', amountMinor: 9_900 },
      { kind: 'fee', amountMinor: 990 },
    ]);
    expect(line).toMatchObject({ kind: 'release', balanceMinor: 38_120, engagementId: work.engagementId });
    expect(line.evidence).toMatchObject({
      approvedBy: 'Nadia Rahmani',
      paidMinutes: 330,
      timeZone: 'Europe/Amsterdam',
      checkedInAt: '2026-11-03T10:00:00.000Z',
    });
  });
  it("allows only users with access to the business's statement", async () => {
    const { release } = await month();
    const { businessId } = books;
    const statementError = (person: Person) =>
      failure(person.api.statements.businessLine({ businessId, entryId: release }));
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, businessId, recruiter.accountId);
    expect(await statementError(recruiter)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await statementError(leila)).toMatchObject({ status: 404, code: 'business/not-found' });
    expect(await statementError(await app.person({ verified: false }))).toMatchObject({ status: 403 });
    const bare = app.apiAs(null).statements.businessLine({ businessId, entryId: release });
    expect(await failure(bare)).toMatchObject({ status: 401 });
    const elsewhere = await makeBusiness(app.db, app.scopeOf(nadia));
    const foreign = nadia.api.statements.businessLine({ businessId: elsewhere.id, entryId: release });
    expect(await failure(foreign)).toMatchObject({ status: 404, code: 'statement/not-found' });
  });
});

describe('statements.line', () => {
  it("shows a worker's line only to that worker", async () => {
    const { release } = await month();
    const other = await app.person();
    const own = await leila.api.statements.line({ entryId: release });
    expect(sumOf(own.parts, (part) => part.amountMinor)).toBe(0);
    expect(own).toMatchObject({ amountMinor: 9_900, party: 'Kopi & Crumb', receiptId: null });
    const missing = { status: 404, code: 'statement/not-found' };
    expect(await failure(other.api.statements.line({ entryId: release }))).toMatchObject(missing);
    expect(await failure(leila.api.statements.line({ entryId: crypto.randomUUID() }))).toMatchObject(missing);
    expect(await failure(leila.api.statements.line({ entryId: 'x' }))).toMatchObject({
      code: 'request/invalid',
    });
    expect(await failure(app.apiAs(null).statements.line({ entryId: release }))).toMatchObject({
      status: 401,
    });
  });
});
