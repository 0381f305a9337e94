import type { SellerDetails } from '@nearhand/contract/money/seller-reports';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeInvoicedBooks } from '../invoices/invoices.fixtures.ts';
import { reverseEntry } from '../ledger/ledger.ts';
import { makeBank } from '../payouts/payouts.fixtures.ts';
import { type Books, carryAll, released, tipped, type Work } from '../statements/statements.fixtures.ts';
import { sellerDetailsSample } from './seller-reports.fixtures.ts';
import { askSellers, eraseSellerDetails, purgeSellers } from './seller-reports.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let books: Books;
let work: Work;
const at = (text: string) => new Date(text);
const daily = () => askSellers({ ...app.scopeOf(nadia), db: app.db });

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Rahmani' });
});
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  leila = await app.person({ name: 'Leila Haddad' });
  [books, work] = await makeInvoicedBooks(app, nadia, leila);
  await relation('self_employed');
});

const relation = (name: 'self_employed' | 'employed') =>
  sql`update jobs set relation = ${name} where id = ${books.jobId}`.execute(app.db);
const pay = (instant: string, amountMinor: number, request: object = {}) =>
  released(books, at(instant), work, { amountMinor, feeMinor: 10, ...request });
const reverse = (entryId: string, instant: string) =>
  app.db
    .transaction()
    .execute((tx) =>
      reverseEntry(
        tx,
        { clock: { now: () => at(instant) }, sign: books.sign },
        { key: `undo/${entryId}`, entryId },
      ),
    );
const noticesTo = async (person: Person) =>
  (await person.api.notifications.list({})).items.filter(({ topic }) => topic === 'seller-details-needed');
const none = { paidMinor: 0, feeMinor: 0, activities: 0 };

describe('sellerReports.mine', () => {
  it('adds up pay by quarter after the fee, in the zone of the company, to the cent of the ledger', async () => {
    await pay('2025-12-31T22:59:00Z', 1_111);
    await pay('2025-12-31T23:30:00Z', 10_001, { workerFeeMinor: 333 });
    await tipped(books, at('2026-02-10T10:00:00Z'), work, 507);
    await pay('2026-04-01T10:00:00Z', 7_777, { kind: 'undisputed' });
    const back = await pay('2026-06-01T10:00:00Z', 9_999, { kind: 'undisputed' });
    await reverse(back, '2026-09-01T10:00:00Z');
    const expected = [
      {
        year: 2026,
        currency: 'EUR',
        quarters: [
          { paidMinor: 10_001 - 333 + 507, feeMinor: 333, activities: 1 },
          { paidMinor: 7_777, feeMinor: 0, activities: 1 },
          none,
          none,
        ],
      },
      {
        year: 2025,
        currency: 'EUR',
        quarters: [none, none, none, { paidMinor: 1_111, feeMinor: 0, activities: 1 }],
      },
    ];
    expect(await leila.api.sellerReports.mine()).toEqual({ details: null, request: null, years: expected });
    await carryAll(app.db);
    const { years } = await leila.api.sellerReports.mine();
    expect(years).toEqual(expected);
    const { rows } = await sql<{ minor: number }>`select sum(amount)::bigint as minor
      from ledger_entries, unnest(accounts, amounts) as line (account, amount)
      where account like 'worker\_%' and account like ${`%:${leila.accountId}:%`}`.execute(app.db);
    expect(years.flatMap(({ quarters }) => quarters).reduce((sum, { paidMinor }) => sum + paidMinor, 0)).toBe(
      rows[0]?.minor,
    );
  });

  it('counts no pay for employed work, and shows nobody the pay of another', async () => {
    await pay('2026-02-01T10:00:00Z', 5_000);
    const stranger = await app.person();
    expect((await stranger.api.sellerReports.mine()).years).toEqual([]);
    await relation('employed');
    expect((await leila.api.sellerReports.mine()).years).toEqual([]);
  });
});

describe('sellerReports.saveDetails', () => {
  const issuesOf = async (change: Partial<SellerDetails>) =>
    (
      (await failure(leila.api.sellerReports.saveDetails({ ...sellerDetailsSample, ...change }))).data as {
        issues: { path: string }[];
      }
    ).issues.map(({ path }) => path);

  it('stores complete details, and reports the field of each problem', async () => {
    expect(await issuesOf({ bornOn: '2027-01-01', postcode: 'x', taxNumber: '123' })).toEqual([
      'bornOn',
      'postcode',
      'taxNumber',
    ]);
    expect(await issuesOf({ lastName: '' })).toEqual(['lastName']);
    const saved = await leila.api.sellerReports.saveDetails({ ...sellerDetailsSample, firstName: '' });
    expect(saved.details).toEqual({ ...sellerDetailsSample, firstName: '' });
  });

  it('takes no number of a business register for the tax number of a person', async () => {
    expect(await issuesOf({ taxNumber: '81264097' })).toEqual(['taxNumber']);
  });
});

describe('workers without details', () => {
  it('are asked once and reminded twice, and their withdrawals wait after 60 days until they answer', async () => {
    await pay('2026-11-20T10:00:00Z', 50_000);
    const method = await makeBank(app.db, app.scopeOf(leila));
    await daily();
    await daily();
    expect(await noticesTo(leila)).toMatchObject([{ data: { what: 'asked', by: '2027-01-20' } }]);
    expect((await leila.api.sellerReports.mine()).request).toEqual({
      askedAt: '2026-11-21T09:00:00.000Z',
      waitsFrom: '2027-01-20T09:00:00.000Z',
      isWaiting: false,
    });
    const counts: number[] = [];
    for (const day of ['2026-12-04', '2026-12-05', '2026-12-26', '2027-01-19', '2027-01-20']) {
      app.clock.set(`${day}T09:00:00Z`);
      await daily();
      await daily();
      counts.push((await noticesTo(leila)).length);
    }
    expect(counts).toEqual([1, 2, 3, 3, 4]);
    expect(await noticesTo(leila)).toMatchObject([{ data: { what: 'waiting' } }, {}, {}, {}]);
    const request = { methodId: method.id, amountMinor: 1_000, speed: 'standard' } as const;
    for (const call of [leila.api.payouts.quote(request), leila.api.payouts.withdraw(request)])
      expect(await failure(call)).toMatchObject({ status: 409, code: 'invoice/details-missing' });
    expect((await leila.api.sellerReports.saveDetails(sellerDetailsSample)).request).toBeNull();
    expect(await leila.api.payouts.quote(request)).toMatchObject({ amountMinor: 1_000 });
    app.clock.set('2027-06-01T09:00:00Z');
    await daily();
    expect(await noticesTo(leila)).toHaveLength(4);
  });

  it('are not asked for employed work, or where no law asks for a report', async () => {
    await relation('employed');
    await pay('2026-11-20T10:00:00Z', 50_000);
    await daily();
    await relation('self_employed');
    const company = app.config.PLATFORM_COMPANY;
    if (!company) throw new Error('tests have a company');
    const abroad = { ...app.config, PLATFORM_COMPANY: { ...company, countryCode: 'US' } };
    await askSellers({ ...app.scopeOf(nadia), db: app.db, config: abroad });
    expect(await noticesTo(leila)).toEqual([]);
  });

  it('wait for both reminders, however late these are', async () => {
    await pay('2026-11-20T10:00:00Z', 50_000);
    await daily();
    app.clock.set('2027-03-01T09:00:00Z');
    await daily();
    expect((await leila.api.sellerReports.mine()).request?.isWaiting).toBe(false);
    await daily();
    expect((await leila.api.sellerReports.mine()).request?.isWaiting).toBe(true);
  });
});

describe('eraseSellerDetails', () => {
  const erase = () =>
    app.db.transaction().execute((tx) => eraseSellerDetails(tx, app.scopeOf(leila), leila.accountId));
  const isStored = async () => (await leila.api.sellerReports.mine()).details !== null;

  it('deletes the details of a worker without reportable pay', async () => {
    await leila.api.sellerReports.saveDetails(sellerDetailsSample);
    await erase();
    expect(await isStored()).toBe(false);
  });

  it('leaves details with reportable pay for as long as the law asks', async () => {
    await pay('2026-11-20T10:00:00Z', 50_000);
    await leila.api.sellerReports.saveDetails(sellerDetailsSample);
    await erase();
    for (const [day, stored] of [
      ['2033-12-31', true],
      ['2034-01-01', false],
    ] as const) {
      app.clock.set(`${day}T09:00:00Z`);
      await purgeSellers({ db: app.db, clock: app.clock });
      const { rows } = await sql`select from seller_details where account_id = ${leila.accountId}`.execute(
        app.db,
      );
      expect(rows.length === 1).toBe(stored);
    }
  });
});
