import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { reverseEntry } from '../ledger/ledger.ts';
import { type Books, carryAll, makeRelease, makeTip, type Work } from '../statements/statements.fixtures.ts';
import { makeInvoicedBooks } from './invoices.fixtures.ts';
import { issueMonthly } from './invoices.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let books: Books;
let work: Work;
const at = (text: string) => new Date(text);

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Rahmani' });
  leila = await app.person({ name: 'Leila Haddad' });
});
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  [books, work] = await makeInvoicedBooks(app, nadia, leila);
});

const pay = (day: string, amountMinor: number, feeMinor = amountMinor / 10) =>
  makeRelease(books, at(`${day}T10:00:00Z`), work, { amountMinor, feeMinor });
const reverse = (entryId: string, day: string) =>
  app.db
    .transaction()
    .execute((tx) =>
      reverseEntry(
        tx,
        { clock: { now: () => at(`${day}T11:00:00Z`) }, sign: books.sign },
        { key: `undo/${entryId}`, entryId },
      ),
    );
const monthly = () => issueMonthly({ ...app.scopeOf(nadia), db: app.db, config: app.config });
const issue = () => nadia.api.invoices.issue({ businessId: books.businessId });
const listed = (request: object = {}) =>
  nadia.api.invoices.list({ businessId: books.businessId, ...request });
const inBelgium = () =>
  sql`update businesses set country_code = 'BE', vat_id = 'BE0417497106' where id = ${books.businessId}`.execute(
    app.db,
  );

describe('invoices.issue', () => {
  it('charges VAT to a foreign business whose VAT id VIES rejects, but not while that is unknown', async () => {
    const answered = (valid: boolean) =>
      sql`insert into vat_id_checks values (${crypto.randomUUID()}, 'NL861942735B01', ${valid}, '', '', ${app.clock.now()}::timestamptz + ${valid ? 1 : 0} * interval '1 s')`.execute(
        app.db,
      );
    const category = async () => {
      await pay('2026-11-05', 9_900);
      const [invoice] = await issue();
      return invoice?.vat[0]?.category;
    };
    expect(await category()).toBe('AE');
    await answered(false);
    expect(await category()).toBe('S');
    await sql`update vat_id_checks set at = ${at('2026-08-23T08:00:00Z')}`.execute(app.db);
    expect(await category()).toBe('AE');
    await answered(true);
    expect(await category()).toBe('AE');
    await sql`delete from vat_id_checks`.execute(app.db);
  });

  it('invoices every fee once, by branch, with reverse charge abroad', async () => {
    await pay('2026-11-05', 9_900);
    const branch = await makeBranch(app.db, app.scopeOf(nadia), books.businessId, {});
    await pay('2026-11-19', 16_500);
    await makeTip(books, at('2026-11-19T12:00:00Z'), work, 500);
    expect((await listed()).uninvoiced).toEqual([{ currency: 'EUR', feeMinor: 2_640 }]);
    const [invoice, ...others] = await issue();
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      kind: 'invoice',
      from: '2026-11-05',
      to: '2026-11-19',
      netMinor: 2_640,
      vatMinor: 0,
      totalMinor: 2_640,
      dueMinor: 0,
      currency: 'EUR',
      vat: [{ category: 'AE', rateBasisPoints: 0 }],
      corrects: null,
      credited: false,
    });
    expect(invoice?.number).toMatch(/^NHF-2026-\d{6}$/);
    expect(await failure(issue())).toMatchObject({ status: 409, code: 'invoice/nothing-to-issue' });
    expect(await listed()).toMatchObject({ items: [{ number: invoice?.number }], uninvoiced: [] });

    await sql`update jobs set branch_id = ${branch.id} where id = ${books.jobId}`.execute(app.db);
    await pay('2026-11-20', 1_000);
    await issue();
    const { rows } = await sql<{ branches: string[] }>`
      select array_agg(content -> 'lines' -> 0 ->> 'branch' order by number) as branches from invoices
      where business_id = ${books.businessId}`.execute(app.db);
    expect(rows[0]?.branches).toEqual([null, branch.name]);
  });

  it('adds VAT at home, and leaves it to be paid', async () => {
    await inBelgium();
    for (const day of ['2026-11-05', '2026-11-06', '2026-11-07']) await pay(day, 69_622, 6_962);
    const [invoice] = await issue();
    expect(invoice).toMatchObject({
      netMinor: 20_886,
      vatMinor: 4_386,
      totalMinor: 25_272,
      dueMinor: 4_386,
      vat: [{ category: 'S', rateBasisPoints: 2_100 }],
    });
  });

  it('requires an issuing company', async () => {
    await pay('2026-11-05', 9_900);
    const company = app.config.PLATFORM_COMPANY;
    Object.assign(app.config, { PLATFORM_COMPANY: undefined });
    try {
      expect(await failure(issue())).toMatchObject({ status: 503, code: 'invoice/no-issuer' });
      app.clock.set('2026-12-02T03:17:00Z');
      await monthly();
    } finally {
      Object.assign(app.config, { PLATFORM_COMPANY: company });
    }
    expect((await listed()).items).toEqual([]);
  });
});

describe('invoices.list', () => {
  it('pages and filters by the year of the number', async () => {
    await pay('2025-12-30', 1_000);
    await pay('2026-11-05', 2_000);
    await issue();
    await pay('2026-11-06', 3_000);
    const first = await listed({ limit: 1 });
    expect(first.uninvoiced).toEqual([{ currency: 'EUR', feeMinor: 300 }]);
    const second = await listed({ limit: 1, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ from }) => from)).toEqual(['2026-11-05', '2025-12-30']);
    expect(second).toMatchObject({ nextCursor: null, uninvoiced: [] });
    expect((await listed({ year: 2026 })).items).toHaveLength(2);
    expect((await listed({ year: 2025 })).items).toEqual([]);
  });

  it('allows only owners, managers and finance', async () => {
    const { businessId } = books;
    for (const call of ['list', 'issue'] as const) {
      expect(await failure(leila.api.invoices[call]({ businessId }))).toMatchObject({ status: 404 });
      const recruiter = await app.person();
      await makeMember(app.db, app.clock, businessId, recruiter.accountId);
      expect(await failure(recruiter.api.invoices[call]({ businessId }))).toMatchObject({
        status: 403,
        code: 'business/not-allowed',
      });
    }
    expect(await failure(listed({ cursor: 'zz' }))).toMatchObject({ code: 'request/bad-cursor' });
  });
});

describe('issueMonthly', () => {
  it("waits for the end of the month in the business's zone, then issues one invoice per month", async () => {
    await pay('2026-10-31', 1_000);
    await pay('2026-11-30', 2_000);
    // 23:30 on 30 November in Amsterdam, and half an hour into December.
    app.clock.set('2026-11-30T22:30:00Z');
    await monthly();
    expect((await listed()).items.map(({ netMinor }) => netMinor)).toEqual([100]);
    app.clock.set('2026-11-30T23:30:00Z');
    await monthly();
    await monthly();
    expect((await listed()).items.map(({ netMinor, from }) => [netMinor, from])).toEqual([
      [200, '2026-11-30'],
      [100, '2026-10-31'],
    ]);
  });

  it('issues fees of earlier months once the company exists, and reads none of them again', async () => {
    await pay('2026-09-05', 1_000);
    await reverse(await pay('2026-09-06', 2_000), '2026-09-07');
    await pay('2026-09-20', 3_000);
    await carryAll(app.db);
    const openLines = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from statement_lines
        where fee_open and holder ^@ ${`business:${books.businessId}:`}`.execute(app.db);
      return rows[0]?.count;
    };
    expect(await openLines()).toBe(4);
    const company = app.config.PLATFORM_COMPANY;
    Object.assign(app.config, { PLATFORM_COMPANY: undefined });
    app.clock.set('2026-12-02T03:17:00Z');
    await monthly().finally(() => Object.assign(app.config, { PLATFORM_COMPANY: company }));
    expect((await listed()).items).toEqual([]);
    await monthly();
    expect((await listed()).items).toMatchObject([{ from: '2026-09-05', to: '2026-09-20', netMinor: 400 }]);
    expect(await openLines()).toBe(0);
  });

  it('credits a payment that was reversed later, naming the invoice, and omits one reversed before', async () => {
    await inBelgium();
    const late = await pay('2026-10-05', 10_000);
    const early = await pay('2026-10-06', 5_000);
    await pay('2026-10-07', 20_000);
    await reverse(early, '2026-10-20');
    app.clock.set('2026-11-02T03:17:00Z');
    await monthly();
    // A business that moves does not change what was invoiced.
    await sql`update businesses set country_code = 'NL', vat_id = 'NL861942735B01', legal_name = 'New B.V.'
      where id = ${books.businessId}`.execute(app.db);
    await reverse(late, '2026-11-10');
    app.clock.set('2026-12-02T03:17:00Z');
    await monthly();
    const { items } = await listed();
    expect(items).toMatchObject([
      {
        kind: 'credit_note',
        netMinor: -1_000,
        vatMinor: -210,
        totalMinor: -1_210,
        vat: [{ category: 'S', rateBasisPoints: 2_100 }],
        corrects: items[1]?.number,
      },
      { kind: 'invoice', netMinor: 3_000, vatMinor: 630, credited: true },
    ]);
    expect((await listed()).uninvoiced).toEqual([]);
    const { rows } = await sql<{ name: string }>`select content -> 'buyer' ->> 'name' as name from invoices
      where id = ${items[0]?.id}`.execute(app.db);
    expect(rows[0]?.name).toBe('Kopi & Crumb B.V.');
  });
});

describe('the series', () => {
  it("starts at one each year, in the company's time zone", async () => {
    await pay('2026-12-30', 1_000);
    // The new year has begun in Brussels.
    app.clock.set('2026-12-31T23:30:00Z');
    expect((await issue())[0]).toMatchObject({ number: 'NHF-2027-000001', issuedOn: '2027-01-01' });
  });

  it('numbers and dates an invoice when it is issued, in the new year if it has begun', async () => {
    await pay('2026-12-30', 1_000);
    // A minute before midnight in Brussels.
    app.clock.set('2026-12-31T22:59:00Z');
    const lastNumber = async () => {
      const { rows } = await sql<{ lastNumber: number }>`
        select last_number from invoice_series where series = 'NHF' and year = 2026`.execute(app.db);
      return rows[0]?.lastNumber ?? 0;
    };
    const [before, pending] = await app.db.transaction().execute(async (tx) => {
      await sql`insert into invoice_series (series, year) values ('NHF', 2026) on conflict (series, year) do update set year = 2026`.execute(
        tx,
      );
      const last = await lastNumber();
      const issued = issue();
      await expect
        .poll(async () => {
          const { rows } = await sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%invoice_series%'`.execute(
            app.db,
          );
          return rows.length;
        })
        .toBe(1);
      app.clock.set('2026-12-31T23:01:00Z');
      return [last, { issued }] as const;
    });
    const [invoice] = await pending.issued;
    expect(invoice).toMatchObject({
      number: expect.stringMatching(/^NHF-2027-/),
      issuedOn: '2027-01-01',
    });
    expect(await lastNumber()).toBe(before);
  });

  it('rejects any change after issue', async () => {
    await pay('2026-11-05', 9_900);
    await issue();
    for (const change of [
      sql`update invoices set net_minor = 1`,
      sql`delete from invoices`,
      sql`update invoiced_entries set line = 1`,
      sql`delete from invoiced_entries`,
      sql`delete from invoice_series`,
    ])
      await expect(change.execute(app.db)).rejects.toMatchObject({ code: 'LG004' });
  });
});

describe('all invoices', () => {
  it("add up to the ledger's fees after any payments and reversals", { timeout: 60_000 }, async () => {
    let state = Number(process.env.SEED ?? 20_261_129);
    const pick = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    await inBelgium();
    const paid: string[] = [];
    let day = Date.parse('2026-10-01T00:00:00Z');
    for (let no = 0; no < 120; no += 1) {
      day += pick(20) * 3_600_000;
      const moment = new Date(day);
      app.clock.set(moment);
      const what = pick(10);
      if (what < 6) {
        const amountMinor = 100 + pick(9_000);
        paid.push(
          await makeRelease(books, moment, work, {
            amountMinor,
            feeMinor: pick(900),
            workerFeeMinor: pick(50),
          }),
        );
      } else if (what < 8 && paid.length > 0) {
        const [entryId = ''] = paid.splice(pick(paid.length), 1);
        await app.db
          .transaction()
          .execute((tx) =>
            reverseEntry(tx, { clock: app.clock, sign: books.sign }, { key: `undo/${entryId}`, entryId }),
          );
      } else if (what === 8) await monthly();
      else await issue().catch(() => {});
      if (no % 5 === 0) await carryAll(app.db);
      await agreesWithLedger();
    }
    const { items } = await listed({ limit: 50 });
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['invoice', 'credit_note']));
  });

  async function agreesWithLedger(): Promise<void> {
    const { rows } = await sql<{ invoiced: number; ledger: number; wrong: number }>`
      select
        (select coalesce(sum(case kind when 'invoice' then net_minor else -net_minor end), 0)::int from invoices
          where business_id = ${books.businessId}) as invoiced,
        (select coalesce(sum(posting.amount - sign(posting.amount) * release.worker_fee_minor), 0)::int
          from ledger_postings posting
          join ledger_entries entry on entry.id = posting.entry_id
          join releases release on release.id = entry.about
          join engagements engagement on engagement.id = release.engagement_id
          where posting.account_id = 'platform_fees:EUR' and engagement.business_id = ${books.businessId}) as ledger,
        (select count(*)::int from invoices where business_id = ${books.businessId} and (
          net_minor <> (select sum((line ->> 'netMinor')::int) from jsonb_array_elements(content -> 'lines') line)
          or vat_minor <> (net_minor * 2100 + 5000) / 10000)) as wrong`.execute(app.db);
    const { uninvoiced } = await listed();
    const [row] = rows;
    expect((row?.invoiced ?? 0) + (uninvoiced[0]?.feeMinor ?? 0)).toBe(row?.ledger);
    expect(row?.wrong).toBe(0);
  }
});

describe('downloads.invoice', () => {
  it("returns the invoice as issued, in the reader's language", async () => {
    await inBelgium();
    await pay('2026-11-05', 10_000);
    const [invoice] = await issue();
    await sql`update businesses set legal_name = 'Another BV' where id = ${books.businessId}`.execute(app.db);
    const { fileName, text } = await opened(invoice);
    expect(fileName).toBe(`${invoice?.number}.pdf`);
    for (const part of [
      'Service fees, November 2026',
      invoice?.number ?? '',
      '21 November 2026',
      'Nearhand NV',
      '9000 Gent, Belgium',
      'BE0791348269',
      '0791.348.269, RPR Gent',
      'Kopi & Crumb B.V.',
      'Westerstraat 118',
      '1015 MN Amsterdam',
      'BE0417497106',
      '81264097',
      '10% of pay',
      'S 21%',
      '10.00',
      '2.10',
      '€12.10',
      'BE68539007547034',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Another');
    expect(text).not.toContain('Leila');
    const asXml = await nadia.api.downloads.invoice({ invoiceId: invoice?.id ?? '', format: 'xml' });
    expect(asXml.fileName).toBe(`${invoice?.number}.xml`);
    const xml = await app.raw({ method: 'GET', url: `/api${asXml.path}` });
    expect(xml.headers['content-type']).toBe('application/xml; charset=utf-8');
    for (const part of ['Kopi &amp; Crumb B.V.', '<cbc:PayableAmount currencyID="EUR">2.10<'])
      expect(xml.body).toContain(part);
    const asCii = await nadia.api.downloads.invoice({ invoiceId: invoice?.id ?? '', format: 'cii' });
    expect(asCii.fileName).toBe(`${invoice?.number}-cii.xml`);
    const cii = await app.raw({ method: 'GET', url: `/api${asCii.path}` });
    expect(cii.body).toContain('<ram:DuePayableAmount>2.10<');
    const invoiceId = invoice?.id ?? '';
    expect(await failure(leila.api.downloads.invoice({ invoiceId }))).toMatchObject({ status: 404 });
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, books.businessId, recruiter.accountId);
    expect(await failure(recruiter.api.downloads.invoice({ invoiceId }))).toMatchObject({ status: 403 });
  });

  it('returns a credit note for a reversed payment, with its invoice and amount', async () => {
    await inBelgium();
    const entryId = await pay('2026-11-05', 10_000);
    const [invoice] = await issue();
    await reverse(entryId, '2026-11-10');
    const [credit] = await issue();
    const { text } = await opened(credit);
    for (const part of [
      'Credit note',
      `Correction of ${invoice?.number}`,
      credit?.number ?? '',
      '10 Nov 2026',
      `${invoice?.number} of 21 November 2026`,
      'S, standard rate 21% 10.00 2.10',
      '€12.10',
      'Already returned −10.00',
      'Amount to return €2.10',
      'We return the VAT by 5 December 2026.',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('…');
    const german = (await opened(credit, 'de')).text;
    expect(german).toContain('Rechnungskorrektur');
    expect(german).toContain(`${invoice?.number} vom 21. November 2026`);
    expect(german).not.toContain('…');
  });

  it('returns German and Arabic for a business abroad, with the legal wording', async () => {
    await sql`update businesses set country_code = 'DE', vat_id = 'DE136695976', registered_street = 'Hohe Straße 1',
      registered_postcode = '50667', registered_town = 'Köln' where id = ${books.businessId}`.execute(app.db);
    await pay('2026-11-12', 123_450);
    const [invoice] = await issue();
    const german = (await opened(invoice, 'de')).text;
    for (const part of [
      'Rechnung',
      'Servicegebühren, November 2026',
      '21. November 2026',
      '50667 Köln, Deutschland',
      '1.234,50 10 % AE 0 % 123,45',
      'Artikel 44 und 196 der Richtlinie 2006/112/EG.',
      'Seite 1 von 1',
    ])
      expect(german).toContain(part);
    expect(german.match(/Steuerschuldnerschaft des Leistungsempfängers/g)).toHaveLength(1);
    const arabic = (await opened(invoice, 'ar')).text;
    // Words are extracted from left to right, so an Arabic sentence begins at the end of its line.
    for (const part of [
      'فاتورة',
      '2026 نوفمبر 21',
      '50667 Köln',
      '2006/112/EC.',
      'Leistungsempfängers',
      '1,234.50',
      'بها. خاص إيصال عامل إلى دفعة لكل نفسه. الأجر',
    ])
      expect(arabic).toContain(part);
  });

  async function opened(invoice: { id: string } | undefined, language: 'en' | 'de' | 'ar' = 'en') {
    await nadia.api.accountSettings.update({ language });
    const { path, fileName } = await nadia.api.downloads.invoice({ invoiceId: invoice?.id ?? '' });
    await nadia.api.accountSettings.update({ language: 'en' });
    const response = await app.raw({ method: 'GET', url: `/api${path}` });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(response.rawPayload)), {
      mergePages: true,
    });
    // The letters of a joined lam and alef are extracted in the wrong order.
    return { fileName, text: text.replaceAll('األ', 'الأ').replace(/\s+/g, ' ') };
  }
});
