import type { SellerDetails, SellerReportFormat } from '@nearhand/contract/money/seller-reports';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeInvoicedBooks } from '../invoices/invoices.fixtures.ts';
import { reverseEntry } from '../ledger/ledger.ts';
import { makeBank } from '../payouts/payouts.fixtures.ts';
import { type Books, carryAll, makeRelease, makeTip, type Work } from '../statements/statements.fixtures.ts';
import { askSellers, eraseSellerDetails, purgeSellers } from './seller-details.ts';
import { sellerDetailsSample } from './seller-reports.fixtures.ts';
import { makeSellerReport } from './seller-reports.ts';

const company = {
  legalName: 'Nearhand B.V.',
  street: 'Kade 1',
  postcode: '1011 AA',
  town: 'Amsterdam',
  countryCode: 'NL',
  registrationNumber: '81264097',
  vatId: 'NL861942735B01',
  email: 'books@nearhand.example',
  timeZone: 'Europe/Amsterdam',
};
const app = useTestApp({ PLATFORM_COMPANY: JSON.stringify(company) });
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
  makeRelease(books, at(instant), work, { amountMinor, feeMinor: 10, ...request });
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
    await makeTip(books, at('2026-02-10T10:00:00Z'), work, 507);
    await pay('2026-04-01T10:00:00Z', 7_777, { kind: 'undisputed' });
    const back = await pay('2026-06-01T10:00:00Z', 9_999, { kind: 'undisputed' });
    await reverse(back, '2026-09-01T10:00:00Z');
    const expected = [
      {
        year: 2026,
        sentAt: null,
        isOmitted: false,
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
        sentAt: null,
        isOmitted: false,
        currency: 'EUR',
        quarters: [none, none, none, { paidMinor: 1_111, feeMinor: 0, activities: 1 }],
      },
    ];
    expect(await leila.api.sellerReports.mine()).toEqual({
      law: { storedYears: 7, countryCode: 'NL', reportBy: '01-31' },
      details: null,
      request: null,
      years: expected,
    });
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

  it.each(['XX', 'UK', 'nl'])(
    'refuses the country %s, which would leave them out of every report',
    async (countryCode) => {
      expect(await issuesOf({ countryCode })).toEqual(['countryCode']);
    },
  );

  it('takes no number of a business for the tax number of a person', async () => {
    expect(await issuesOf({ taxNumber: '81264097' })).toEqual(['taxNumber']);
    expect(await issuesOf({ taxNumber: '111222333B01' })).toEqual(['taxNumber']);
  });

  it('stores the tax number without the separators of its typing', async () => {
    const dutch = await leila.api.sellerReports.saveDetails({
      ...sellerDetailsSample,
      taxNumber: '1112.22.333',
    });
    expect(dutch.details?.taxNumber).toBe('111222333');
    const germany = { countryCode: 'DE', postcode: '10115', taxNumber: '151/815/08156' } as const;
    const german = await leila.api.sellerReports.saveDetails({ ...sellerDetailsSample, ...germany });
    expect(german.details?.taxNumber).toBe('15181508156');
  });
});

describe('a company where no law asks for a report', () => {
  it.each([undefined, { ...company, countryCode: 'US' }])(
    'takes no details and blocks no money: %o',
    async (other) => {
      await pay('2026-11-20T10:00:00Z', 50_000);
      const method = await makeBank(app.db, app.scopeOf(leila));
      await daily();
      await sql`update seller_requests set reminders = 3, asked_at = '2026-01-01'
        where account_id = ${leila.accountId}`.execute(app.db);
      app.clock.set('2027-01-20T09:00:00Z');
      const before = app.config.PLATFORM_COMPANY;
      Object.assign(app.config, { PLATFORM_COMPANY: other });
      try {
        const none = { law: null, details: null, request: null, years: [] };
        expect(await leila.api.sellerReports.mine()).toEqual(none);
        expect(await failure(leila.api.sellerReports.saveDetails(sellerDetailsSample))).toMatchObject({
          status: 409,
          code: 'invoice/nothing-to-report',
        });
        expect(await leila.api.sellerReports.mine()).toEqual(none);
        const request = { methodId: method.id, amountMinor: 1_000, speed: 'standard' } as const;
        expect(await leila.api.payouts.quote(request)).toMatchObject({ amountMinor: 1_000 });
      } finally {
        Object.assign(app.config, { PLATFORM_COMPANY: before });
      }
    },
  );
});

describe('workers without details', () => {
  it('are asked once and reminded twice, and their withdrawals wait after 60 days until they answer', async () => {
    await pay('2026-11-20T10:00:00Z', 50_000);
    const method = await makeBank(app.db, app.scopeOf(leila));
    await daily();
    await daily();
    expect(await noticesTo(leila)).toMatchObject([{ data: { variant: 'asked', by: '2027-01-20' } }]);
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
    expect(await noticesTo(leila)).toMatchObject([{ data: { variant: 'waiting' } }, {}, {}, {}]);
    const request = { methodId: method.id, amountMinor: 1_000, speed: 'standard' } as const;
    const { quote, withdraw } = leila.api.payouts;
    // Called in turn: a call that fails before it is awaited ends the run.
    for (const call of [quote, withdraw])
      expect(await failure(call(request))).toMatchObject({ status: 409, code: 'payout/details-missing' });
    expect((await leila.api.sellerReports.saveDetails(sellerDetailsSample)).request).toBeNull();
    expect(await leila.api.payouts.quote(request)).toMatchObject({ amountMinor: 1_000 });
    app.clock.set('2027-06-01T09:00:00Z');
    await daily();
    expect(await noticesTo(leila)).toHaveLength(4);
  });

  it('are asked for all pay of a year that is not reported, however long ago it was', async () => {
    await pay('2026-01-15T10:00:00Z', 5_000);
    await daily();
    expect(await noticesTo(leila)).toMatchObject([{ data: { variant: 'asked' } }]);
  });

  it('are not asked for employed work, or where no law asks for a report', async () => {
    await relation('employed');
    await pay('2026-11-20T10:00:00Z', 50_000);
    await daily();
    await relation('self_employed');
    const abroad = { ...app.config, PLATFORM_COMPANY: { ...company, countryCode: 'US' } };
    await askSellers({ ...app.scopeOf(nadia), db: app.db, config: abroad });
    expect(await noticesTo(leila)).toEqual([]);
  });

  it('have as long after a late reminder as after one in time, until the day that it names', async () => {
    await pay('2026-11-20T10:00:00Z', 50_000);
    await daily();
    const seen: unknown[] = [];
    for (const day of ['2027-03-01', '2027-03-02', '2027-03-22', '2027-04-15', '2027-04-16']) {
      app.clock.set(`${day}T09:00:00Z`);
      await daily();
      const { isWaiting, waitsFrom } = (await leila.api.sellerReports.mine()).request ?? {};
      seen.push([(await noticesTo(leila)).length, isWaiting, waitsFrom?.slice(0, 10)]);
    }
    expect(seen).toEqual([
      [2, false, '2027-04-16'],
      [2, false, '2027-04-16'],
      [3, false, '2027-04-16'],
      [3, false, '2027-04-16'],
      [4, true, '2027-04-16'],
    ]);
  });
});

describe('reports', () => {
  let finance: Person;

  beforeAll(async () => {
    finance = await app.person({ name: 'Jonas Weber' });
    await makeOperator(app.db, app, finance);
  });
  beforeEach(async () => {
    await sql`delete from seller_reports`.execute(app.db);
    app.clock.set('2027-01-10T09:00:00Z');
  });

  const paidYear = async () => {
    await pay('2026-02-01T10:00:00Z', 10_049, { workerFeeMinor: 150 });
    await pay('2026-11-01T10:00:00Z', 3_350, { kind: 'undisputed' });
  };
  const make = async (input: { year: number }) => {
    const { id } = await finance.api.sellerReports.make(input);
    await makeSellerReport({ db: app.db, clock: app.clock, config: app.config }, { sellerReportId: id });
    const report = (await finance.api.sellerReports.overview()).reports.find((row) => row.id === id);
    if (!report) throw new Error('the report is missing');
    return report;
  };
  const send = async () => {
    const { id } = await make({ year: 2026 });
    return finance.api.sellerReports.markSent({ sellerReportId: id });
  };
  const file = (sellerReportId: string, format: SellerReportFormat) =>
    app.working(finance).api.sellerReports.file({ sellerReportId, format });

  describe('sellerReports.overview', () => {
    it('counts who was asked, is missing and waits, for finance only', async () => {
      await daily();
      const before = (await finance.api.sellerReports.overview()).counts;
      await pay('2027-01-05T10:00:00Z', 5_000);
      await daily();
      const { law, counts, years } = await finance.api.sellerReports.overview();
      expect(law).toEqual({ name: 'DAC7', reportBy: '01-31' });
      expect(counts).toMatchObject({ asked: before.asked + 1, missing: before.missing + 1 });
      expect(years).toEqual([2026, 2025, 2024, 2023]);
      expect(await failure(leila.api.sellerReports.overview())).toMatchObject({ status: 403 });
    });
  });

  describe('sellerReports.make', () => {
    it('contains residents with details, and counts those without; a later one replaces it', async () => {
      await paidYear();
      const first = await make({ year: 2026 });
      await leila.api.sellerReports.saveDetails(sellerDetailsSample);
      const second = await make({ year: 2026 });
      expect(second).toMatchObject({ year: 2026, countryCode: 'NL', sentAt: null });
      expect([second.sellers - first.sellers, second.missing - first.missing]).toEqual([1, -1]);
      await leila.api.sellerReports.saveDetails({
        ...sellerDetailsSample,
        countryCode: 'US',
        postcode: '10001',
        taxNumber: '123-45-6789',
      });
      const abroad = await make({ year: 2026 });
      expect([abroad.sellers, abroad.missing]).toEqual([first.sellers, second.missing]);
      expect((await finance.api.sellerReports.overview()).reports).toEqual([abroad]);
    });

    it('makes the report in a task', async () => {
      const { id, madeAt } = await finance.api.sellerReports.make({ year: 2026 });
      expect(madeAt).toBeNull();
      await app.runDue();
      const { reports } = await finance.api.sellerReports.overview();
      expect(reports.find((report) => report.id === id)?.madeAt).toBe('2027-01-10T09:00:00.000Z');
    });

    it('refuses a year that is not over, at its field', async () => {
      for (const year of [2027, 2022])
        expect((await failure(finance.api.sellerReports.make({ year }))).data).toMatchObject({
          issues: [{ path: 'year' }],
        });
    });
  });

  describe('sellerReports.make for a year that was sent', () => {
    const partsOf = (xml: string, name: string) =>
      [...xml.matchAll(new RegExp(`<(?:dpi|stf):${name}(?: [^>]*)?>([^<]*)<`, 'g'))].map(([, text]) => text);

    it('corrects what changed, adds who was missing, and deletes who is not to be reported', async () => {
      await paidYear();
      await leila.api.sellerReports.saveDetails(sellerDetailsSample);
      const first = await send();
      expect(first.corrects).toBeNull();
      const firstDocument = partsOf((await file(first.id, 'xml')).content, 'DocRefId');
      const unchanged = await make({ year: 2026 });
      expect(unchanged).toMatchObject({ corrects: first.id, sellers: 0, problem: 'unchanged' });
      expect(
        await failure(finance.api.sellerReports.markSent({ sellerReportId: unchanged.id })),
      ).toMatchObject({ code: 'seller-report/not-ready' });
      expect(unchanged.formats).toEqual([]);
      for (const format of ['csv', 'xml', 'xml-new'] as const)
        expect(await failure(file(unchanged.id, format))).toMatchObject({ code: 'seller-report/not-ready' });

      app.clock.set('2027-02-01T09:00:00Z');
      await leila.api.sellerReports.saveDetails({ ...sellerDetailsSample, town: 'Haarlem' });
      const correction = await send();
      expect(correction).toMatchObject({ corrects: first.id, sellers: 1 });
      const xml = (await file(correction.id, 'xml')).content;
      expect(partsOf(xml, 'MessageTypeIndic')).toEqual(['DPI402']);
      expect(partsOf(xml, 'DocTypeIndic')).toEqual(['OECD0', 'OECD2']);
      expect(partsOf(xml, 'DocRefId')[0]).toBe(firstDocument[0]);
      expect(firstDocument).toContain(partsOf(xml, 'CorrDocRefId')[0]);
      expect(partsOf(xml, 'City').at(-1)).toBe('Haarlem');
      expect(correction.formats).toEqual(['csv', 'xml']);
      expect((await failure(file(correction.id, 'xml-new'))).data).toMatchObject({
        issues: [{ path: 'format' }],
      });
      expect((await file(correction.id, 'csv')).content).toContain('\r\nCorrected,2026,Leila,');

      app.clock.set('2027-03-01T09:00:00Z');
      await relation('employed');
      const deletion = await send();
      const deleted = (await file(deletion.id, 'xml')).content;
      expect(partsOf(deleted, 'DocTypeIndic')).toEqual(['OECD0', 'OECD3']);
      expect(partsOf(deleted, 'CorrDocRefId')).toEqual([partsOf(xml, 'DocRefId')[1]]);
      expect((await leila.api.sellerReports.mine()).years).toEqual([]);

      app.clock.set('2027-04-01T09:00:00Z');
      await relation('self_employed');
      const again = await send();
      expect(again.formats).toEqual(['csv', 'xml-new']);
      expect((await failure(file(again.id, 'xml'))).data).toMatchObject({ issues: [{ path: 'format' }] });
      const back = (await file(again.id, 'xml-new')).content;
      expect(partsOf(back, 'MessageRefId')).toEqual([`NL2026NL-${again.id}-new`]);
      expect(partsOf(back, 'MessageTypeIndic')).toEqual(['DPI401']);
      expect(partsOf(back, 'DocTypeIndic')).toEqual(['OECD0', 'OECD1']);
      expect(partsOf(back, 'CorrDocRefId')).toEqual([]);
    });

    it('keeps a person who moved abroad since, with the residence of the report', async () => {
      await paidYear();
      await leila.api.sellerReports.saveDetails(sellerDetailsSample);
      await send();
      await leila.api.sellerReports.saveDetails({
        ...sellerDetailsSample,
        countryCode: 'US',
        postcode: '10001',
        taxNumber: '123-45-6789',
      });
      expect(await make({ year: 2026 })).toMatchObject({ sellers: 0, problem: 'unchanged' });
      await pay('2026-05-01T10:00:00Z', 7_000);
      app.clock.set('2027-02-01T09:00:00Z');
      const { content } = await file((await send()).id, 'csv');
      expect(content).toContain('\r\nCorrected,2026,Leila,');
      expect(content).toContain(',NL,111222333,');
    });

    it('has no file before it is made, nor if it can’t be sent', async () => {
      const unmade = await finance.api.sellerReports.make({ year: 2026 });
      expect(unmade.formats).toEqual([]);
      expect(await failure(file(unmade.id, 'xml'))).toMatchObject({ code: 'seller-report/not-ready' });
      const { id, formats } = await make({ year: 2026 });
      expect(formats).toEqual(['csv', 'xml']);
      await sql`update seller_reports set problem = 'too_long' where id = ${id}`.execute(app.db);
      expect(await failure(file(id, 'xml'))).toMatchObject({ code: 'seller-report/not-ready' });
    });

    it('shows a worker whose details were missing that the report is without them, until a correction', async () => {
      await paidYear();
      const { id, sentAt } = await send();
      const quarters = [{ paidMinor: 9_899 }, {}, {}, {}];
      expect((await leila.api.sellerReports.mine()).years).toMatchObject([
        { sentAt, isOmitted: true, quarters },
      ]);
      const missing = app.working(finance).api.sellerReports.missing({ sellerReportId: id });
      const row = (await missing).items.find(({ accountId }) => accountId === leila.accountId);
      expect(row).toMatchObject({ name: 'Leila Haddad', hasDetails: false, askedAt: null });
      await leila.api.sellerReports.saveDetails(sellerDetailsSample);
      const correction = await send();
      expect(correction).toMatchObject({ corrects: id, sellers: 1 });
      expect((await leila.api.sellerReports.mine()).years).toMatchObject([
        { sentAt: correction.sentAt, isOmitted: false, quarters },
      ]);
    });
  });

  describe('sellerReports.missing', () => {
    it('lists the people in pages, for finance with a reason', async () => {
      await paidYear();
      const { id, missing } = await make({ year: 2026 });
      const list = app.working(finance).api.sellerReports;
      const people: { accountId: string; name: string }[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await list.missing({ sellerReportId: id, limit: 1, cursor });
        people.push(...page.items);
        cursor = page.nextCursor;
      }
      expect(people).toHaveLength(missing);
      expect(new Set(people.map(({ accountId }) => accountId)).size).toBe(missing);
      expect(people.map(({ name }) => name)).toContain('Leila Haddad');
      expect(await failure(finance.api.sellerReports.missing({ sellerReportId: id }))).toMatchObject({
        status: 403,
      });
      expect(await failure(list.missing({ sellerReportId: leila.accountId }))).toMatchObject({
        code: 'statement/not-found',
      });
    });
  });

  describe('sellerReports.file', () => {
    it('has exact amounts as a CSV, and whole units in the order of the schema as XML', async () => {
      await paidYear();
      await leila.api.sellerReports.saveDetails({ ...sellerDetailsSample, lastName: 'Haddad & Sons' });
      const { id } = await make({ year: 2026 });
      const csv = await file(id, 'csv');
      expect(csv.fileName).toBe('nearhand-NL-2026.csv');
      const line = csv.content.split('\r\n').find((row) => row.includes('Haddad & Sons'));
      expect(line).toContain('EUR,98.99,1.50,1,0.00,0.00,0,0.00,0.00,0,33.50,0.00,1');
      const xml = (await file(id, 'xml')).content;
      expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>')).toBe(true);
      const names = (part: string) => [...part.matchAll(/<(\w+:\w+)/g)].map(([, name]) => name);
      const [head = '', ...sellers] = xml.split('<dpi:ReportableSeller>');
      expect(names(head).join(' ').replaceAll('dpi:', '')).toBe(
        'DPI_OECD MessageSpec SendingEntityIN TransmittingCountry ReceivingCountry MessageType MessageRefId MessageTypeIndic ReportingPeriod Timestamp ' +
          'DPIBody PlatformOperator ResCountryCode TIN IN VAT Name PlatformBusinessName Address CountryCode AddressFix Street PostCode City ' +
          'Nexus AssumedReporting DocSpec stf:DocTypeIndic stf:DocRefId',
      );
      const seller = sellers.find((part) => part.includes('Haddad &amp; Sons')) ?? '';
      const quarters = (name: string) => [1, 2, 3, 4].map((quarter) => `${name}Q${quarter}`).join(' ');
      expect(names(seller).join(' ').replaceAll('dpi:', '')).toBe(
        'Identity IndividualSeller Standard IndSellerID ResCountryCode TIN Name FirstName LastName Address CountryCode AddressFix Street PostCode City ' +
          `BirthInfo BirthDate RelevantActivities PersonalServices Consideration ${quarters('Cons')} NumberOfActivities ${quarters('Numb')} ` +
          `Fees ${quarters('Fees')} Taxes ${quarters('Tax')} DocSpec stf:DocTypeIndic stf:DocRefId`,
      );
      for (const part of [
        '<dpi:TIN issuedBy="NL">111222333<',
        '<dpi:ConsQ1 currCode="EUR">99<',
        '<dpi:ConsQ4 currCode="EUR">34<',
        '<dpi:FeesQ1 currCode="EUR">2<',
        '<dpi:NumbQ1>1<',
      ])
        expect(seller).toContain(part);
      for (const part of ['861942735</dpi:SendingEntityIN>', '>2026-12-31<', '>DPI401<', `>NL2026NL-${id}<`])
        expect(head).toContain(part);
      const ids = [...xml.matchAll(/<stf:DocRefId>(.*?)</g)].map(([, documentId]) => documentId);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('needs a reason, and offers no XML where the tax office takes none', async () => {
      const { id } = await make({ year: 2025 });
      expect(
        (await failure(finance.api.sellerReports.file({ sellerReportId: id, format: 'csv' }))).status,
      ).toBe(403);
      await sql`update seller_reports set country_code = 'BE' where id = ${id}`.execute(app.db);
      expect((await failure(file(id, 'xml'))).data).toMatchObject({ issues: [{ path: 'format' }] });
      expect(await failure(file(leila.accountId, 'csv'))).toMatchObject({ code: 'statement/not-found' });
    });
  });

  describe('sellerReports.markSent', () => {
    it('freezes the report, and tells everyone in it once what it says', async () => {
      await paidYear();
      await leila.api.sellerReports.saveDetails(sellerDetailsSample);
      const { id } = await make({ year: 2026 });
      const sent = await finance.api.sellerReports.markSent({ sellerReportId: id });
      expect(sent.sentAt).toBe('2027-01-10T09:00:00.000Z');
      app.clock.set('2027-01-11T09:00:00Z');
      expect(await finance.api.sellerReports.markSent({ sellerReportId: id })).toEqual(sent);
      await app.runDue();
      const notices = (await leila.api.notifications.list({})).items.filter(
        ({ topic }) => topic === 'seller-reported',
      );
      expect(notices).toMatchObject([{ data: { amountMinor: 9_899 + 3_350, currency: 'EUR', year: 2026 } }]);
      await pay('2026-12-30T10:00:00Z', 7_000, { kind: 'undisputed' });
      const [year] = (await leila.api.sellerReports.mine()).years;
      expect(year).toMatchObject({ sentAt: sent.sentAt, quarters: [{}, {}, {}, { paidMinor: 3_350 }] });
      for (const change of [
        sql`update seller_reports set sellers = 0 where id = ${id}`,
        sql`update reported_sellers set currency = 'USD' where report_id = ${id}`,
        sql`insert into reported_sellers select report_id, account_id, 'USD', content
          from reported_sellers where report_id = ${id}`,
        sql`delete from reported_sellers where report_id = ${id}`,
      ])
        await expect(change.execute(app.db)).rejects.toThrow('never changes');
    });

    it('leaves on the page what was reported, also if all of it is reversed later', async () => {
      const payment = await pay('2026-02-01T10:00:00Z', 10_049);
      await leila.api.sellerReports.saveDetails(sellerDetailsSample);
      const { id } = await make({ year: 2026 });
      const { sentAt } = await finance.api.sellerReports.markSent({ sellerReportId: id });
      await reverse(payment, '2027-01-10T10:00:00Z');
      expect((await leila.api.sellerReports.mine()).years).toMatchObject([
        { year: 2026, sentAt, quarters: [{ paidMinor: 10_049 }, {}, {}, {}] },
      ]);
    });
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
      await purgeSellers({ db: app.db, clock: app.clock, config: app.config });
      const { rows } = await sql`select from seller_details where account_id = ${leila.accountId}`.execute(
        app.db,
      );
      expect(rows.length === 1).toBe(stored);
    }
  });
});
