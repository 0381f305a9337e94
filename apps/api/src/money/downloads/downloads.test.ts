import { sumOf } from '@nearhand/contract/arithmetic';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { unzip } from '../../people/data-exports/zip.fixtures.ts';
import { standstill } from '../../platform/process/standstill.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { issueReceipt } from '../receipts/receipts.ts';
import {
  type Books,
  makeHeldWork,
  makeRelease,
  makeReturn,
  makeTip,
  makeTopUp,
} from '../statements/statements.fixtures.ts';

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
  books = await booksOf('Kopi & Crumb');
});

async function booksOf(name: string): Promise<Books> {
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { name, funded: false });
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  return { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
}

const fetched = (path: string) => app.raw({ method: 'GET', url: `/api${path}` });
const linked = (format: 'csv' | 'pdf', request: object = {}) =>
  nadia.api.downloads.businessStatement({ businessId: books.businessId, format, ...request });

async function csvOf(path: string): Promise<Record<string, string>[]> {
  const answer = await fetched(path);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(answer.body.startsWith('\uFEFF')).toBe(true);
  return parse(answer.body, { bom: true, columns: true });
}

async function pdfOf(path: string): Promise<{ pages: number; text: string }> {
  const answer = await fetched(path);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/pdf');
  const pdf = await getDocumentProxy(new Uint8Array(answer.rawPayload));
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  return { pages: totalPages, text };
}

it('prints in another process, so the server stays responsive', async () => {
  const { path } = await linked('pdf');
  await pdfOf(path);
  expect(await standstill(() => fetched(path))).toBeLessThan(0.5);
});

const cents = (decimal: string | undefined) => Number((decimal ?? '').replace('.', ''));

const names = [
  ['=HYPERLINK("https://evil.example","pay")', 'a formula'],
  ['@SUM(A1)', '-2+3'],
  ['+31 6 1234', '  =1+1'],
  ['O’Neil, "Bo"', 'quotes, and a comma'],
  ['Đặng Thị Ngọc', 'Αθήνα, Київ'],
  ['ليلى حداد', 'עבודה at 9:00'],
  ['👩🏽‍🍳 Chef 陳大文', 'ราตรี'],
  ['two\r\nlines', 'tab\there'],
] as const;

async function oddMonth() {
  await makeTopUp(books, at('2026-11-01T10:00:00Z'), 500_000);
  for (const [no, [name, title]] of names.entries()) {
    const { accountId } = await app.person({ name: 'x' });
    await app.db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute();
    const work = await makeHeldWork(books, at(`2026-11-0${no + 2}T10:00:00Z`), {
      workerId: accountId,
      payMinor: 10_010 + no,
      feeMinor: 1_001,
      title,
    });
    await makeRelease(books, at(`2026-11-0${no + 2}T18:00:00Z`), work, { amountMinor: 10_000 + no });
    await makeReturn(books, at(`2026-11-0${no + 2}T18:00:00Z`), work, 10);
  }
}

describe('downloads.businessStatement', () => {
  it('downloads a CSV whose amounts add up to the balance', async () => {
    await oddMonth();
    const { path, fileName, expiresAt } = await linked('csv');
    expect(fileName).toBe('nearhand-statement-all.csv');
    expect(expiresAt).toBe('2026-11-21T09:05:00.000Z');
    const rows = await csvOf(path);
    expect(rows).toHaveLength(1 + 3 * names.length);
    const account = { kind: 'business_balance', ownerId: books.businessId } as const;
    const balance = await balanceOf(app.db, account, 'EUR');
    expect(sumOf(rows, (row) => cents(row.Amount))).toBe(balance);
    expect(cents(rows.at(-1)?.Balance)).toBe(balance);
    expect(rows[0]).toMatchObject({
      Date: '2026-11-01 11:00:00 +01:00',
      Entry: 'Funding',
      For: 'Visa ••••\u00a08820',
      Status: '',
      Amount: '5000.00',
      Balance: '5000.00',
      Currency: 'EUR',
    });
  });
  it('neutralizes formulas and keeps the text', async () => {
    await oddMonth();
    const rows = await csvOf((await linked('csv', { group: 'releases' })).path);
    expect(rows.map((row) => [row.Party, row.For])).toEqual(
      names.map((pair) => pair.map((text) => (/^\s*[=@+-]/.test(text) ? `'${text}` : text))),
    );
    expect(rows[1]).toMatchObject({ Entry: 'Release', Gross: '110.02', Fee: '10.01', Amount: '0.00' });
  });
  it('downloads a PDF with the same amounts, for names in any script', async () => {
    await oddMonth();
    const { text } = await pdfOf((await linked('pdf')).path);
    const page = await nadia.api.statements.forBusiness({ businessId: books.businessId, limit: 100 });
    const words = (minor: number) =>
      `€${(minor / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 })}`;
    for (const { amountMinor, grossMinor, balanceMinor } of page.items) {
      expect(text).toContain(words(balanceMinor));
      expect(text).toContain(words(Math.abs(amountMinor) || grossMinor));
    }
    for (const part of ['Kopi & Crumb', 'Đặng Thị Ngọc', 'Київ', 'Closing balance', 'Page 1 of 2'])
      expect(text).toContain(part);
    expect(text).toContain('Europe/Amsterdam');
  });
  it('prints the hours, break, hourly pay, branch and receipt number of each release', async () => {
    const { businessId, jobId } = books;
    const scope = app.scopeOf(nadia);
    const { id: branchId } = await makeBranch(app.db, scope, businessId, { name: 'De Pijp' });
    await app.db.updateTable('jobs').set({ branchId }).where('id', '=', jobId).execute();
    await makeTopUp(books, at('2026-11-01T10:00:00Z'), 500_000);
    const worker = await app.person({ name: 'Kwame Mensah' });
    const ask = { workerId: worker.accountId, payMinor: 13_500, minutes: 450 };
    const work = await makeHeldWork(books, at('2026-11-02T10:00:00Z'), ask);
    const { engagementId } = work;
    await sql`update engagements set terms = terms || '{"payMinor": 1800}' where id = ${engagementId}`.execute(
      app.db,
    );
    await sql`update hours_claims set break_minutes = 30 where engagement_id = ${engagementId}`.execute(
      app.db,
    );
    const entryId = await makeRelease(books, at('2026-11-02T18:00:00Z'), work);
    const tasks = { ...scope, db: app.db, mailer: { send: async () => {} } };
    await issueReceipt(tasks, { entryId, businessId });
    const facts = { Hours: '7.50', 'Break in minutes': '30', 'Pay per hour': '18.00', Branch: 'De Pijp' };
    const empty = {
      Hours: '',
      'Break in minutes': '',
      'Pay per hour': '',
      Branch: '',
      Receipt: '',
      Invoice: '',
    };
    const rows = await csvOf((await linked('csv')).path);
    expect(rows.find(({ Entry }) => Entry === 'Release')).toMatchObject({
      ...facts,
      Receipt: expect.stringMatching(/^NH-\d{6}$/),
      Invoice: '',
    });
    expect(rows.find(({ Entry }) => Entry === 'Funding')).toMatchObject(empty);
    const own = await csvOf((await worker.api.downloads.statement({ format: 'csv' })).path);
    expect(own).toMatchObject([{ ...facts, Receipt: '', Invoice: '' }]);
    const { text } = await pdfOf((await linked('pdf')).path);
    for (const part of ['7.5 h at €18.00, break 30 min', 'De Pijp', 'NH-0000']) expect(text).toContain(part);
  });
  it('uses as many pages as needed', async () => {
    for (let no = 0; no < 90; no += 1) await makeTopUp(books, at('2026-11-01T10:00:00Z'), 10_000 + no);
    const { pages, text } = await pdfOf((await linked('pdf')).path);
    expect(pages).toBe(4);
    for (let no = 0; no < 90; no += 1) expect(text).toContain(`+€100.${String(no).padStart(2, '0')}`);
    expect(text).toContain('Page 4 of 4');
  });
  it('contains only the requested period, even an empty one', async () => {
    await oddMonth();
    const request = { from: '2026-11-02', to: '2026-11-02' };
    expect(await csvOf((await linked('csv', request)).path)).toHaveLength(3);
    const empty = { from: '2025-01-01', to: '2025-01-31' };
    const link = await linked('pdf', empty);
    expect(link.fileName).toBe('nearhand-statement-2025-01-01-to-2025-01-31.pdf');
    expect((await pdfOf(link.path)).text).toContain('Nothing in this period.');
    expect(await csvOf((await linked('csv', empty)).path)).toEqual([]);
  });
  it('formats currencies without minor units correctly', async () => {
    books = { ...books, currency: 'JPY' };
    await makeTopUp(books, at('2026-11-01T10:00:00Z'), 120_000);
    expect(await csvOf((await linked('csv', { currency: 'JPY' })).path)).toMatchObject([
      { Amount: '120000', Currency: 'JPY' },
    ]);
    expect((await pdfOf((await linked('pdf', { currency: 'JPY' })).path)).text).toContain('¥120,000');
  });
  it('uses the language of the requesting account', async () => {
    const empty = { from: '2025-01-01', to: '2025-01-31' };
    await nadia.api.accountSettings.update({ language: 'nl' });
    const dutch = await fetched((await linked('csv', empty)).path);
    expect(dutch.body).toBe(
      '\uFEFFDatum;Boeking;Tegenpartij;Waarvoor;Status;Bruto;Servicekosten;Bedrag;Saldo;Valuta;Boekingsnummer;Uren;Pauze in minuten;Uurloon;Vestiging;Betaalbewijs;Factuur;Krediet te betalen\r\n',
    );
    expect((await pdfOf((await linked('pdf', empty)).path)).text).toContain('Niets in deze periode.');
    await nadia.api.accountSettings.update({ language: 'ar' });
    const { rawPayload } = await fetched((await linked('pdf', empty)).path);
    const arabic = await getDocumentProxy(new Uint8Array(rawPayload));
    expect((await arabic.getMetadata()).info).toMatchObject({ Language: 'ar' });
    const { items } = await (await arabic.getPage(1)).getTextContent();
    const balance = items.find((item) => 'str' in item && /رصيد|ديصر/.test(item.str.normalize('NFKC')));
    expect(balance && 'transform' in balance && balance.transform[4]).toBeGreaterThan(400);
    await nadia.api.accountSettings.update({ language: 'en' });
  });
  it('rejects a statement that is too long, and users without access', async () => {
    const { businessId } = books;
    const body = { businessId, format: 'csv' } as const;
    expect(await failure(leila.api.downloads.businessStatement(body))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).downloads.businessStatement(body))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.downloads.businessStatement(body))).toMatchObject({ status: 403 });
    expect(await failure(linked('csv', { from: '2026-11-02', to: '2026-11-01' }))).toMatchObject({
      code: 'request/invalid',
    });
    expect(moneyLimits.statementRowsMax).toBe(20_000);
  });
});

describe('downloads.statement', () => {
  it("downloads the caller's own statement", async () => {
    const work = await makeHeldWork(books, at('2026-11-03T10:00:00Z'), {
      workerId: leila.accountId,
      payMinor: 9_000,
      by: 'card',
    });
    await makeRelease(books, at('2026-11-05T10:00:00Z'), work);
    await makeTip(books, at('2026-11-06T10:00:00Z'), work, 1_050, { by: 'card' });
    const csv = await leila.api.downloads.statement({ format: 'csv' });
    expect(await csvOf(csv.path)).toMatchObject([
      { Entry: 'Release', Party: 'Kopi & Crumb', Amount: '90.00', Balance: '90.00' },
      { Entry: 'Tip', Amount: '10.50', Balance: '100.50' },
    ]);
    const pdf = await pdfOf((await leila.api.downloads.statement({ format: 'pdf', group: 'tips' })).path);
    expect(pdf.text).toContain('+€10.50');
    expect(pdf.text).not.toContain('+€90.00');
    expect(await failure(app.apiAs(null).downloads.statement({ format: 'csv' }))).toMatchObject({
      status: 401,
    });
  });
});

describe('downloads.month', () => {
  const link = (month: string, api = nadia.api) =>
    api.downloads.month({ businessId: books.businessId, month });

  it('contains every invoice as PDF and XML, every receipt, and an index with matching totals', async () => {
    app.clock.set('2026-11-21T09:00:00Z');
    await makeTopUp(books, at('2026-11-01T10:00:00Z'), 500_000);
    const work = await makeHeldWork(books, at('2026-11-02T10:00:00Z'), {
      workerId: leila.accountId,
      payMinor: 9_900,
    });
    const paid = { amountMinor: 9_900, feeMinor: 990 };
    const entryId = await makeRelease(books, at('2026-11-05T10:00:00Z'), work, paid);
    const tasks = { ...app.scopeOf(nadia), db: app.db, mailer: { send: async () => {} } };
    await issueReceipt(tasks, { entryId, businessId: books.businessId });
    const [invoice] = await nadia.api.invoices.issue({ businessId: books.businessId });
    const { path, fileName } = await link('2026-11');
    expect(fileName).toBe('nearhand-books-2026-11.zip');
    const answer = await fetched(path);
    expect(answer.headers['content-type']).toBe('application/zip');
    const files = await unzip(answer.rawPayload);
    const number = invoice?.number ?? '';
    expect([...files.keys()].toSorted()).toEqual(
      [`${number}.pdf`, `${number}.xml`, 'index.csv', 'receipt-NH-000001.pdf'].toSorted(),
    );
    for (const [name, bytes] of files)
      if (name.endsWith('.pdf')) expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(String(files.get(`${number}.xml`))).toContain(number);
    const rows: Record<string, string>[] = parse(String(files.get('index.csv')), {
      bom: true,
      columns: true,
    });
    expect(rows.map((row) => [row.Type, row.Number, row.Total, row.File])).toEqual([
      ['Invoice', number, ((invoice?.totalMinor ?? 0) / 100).toFixed(2), `${number}.pdf`],
      ['Receipt', 'NH-000001', '99.00', 'receipt-NH-000001.pdf'],
    ]);
  });

  it("dates a receipt in the business's time zone and aborts when a PDF can't be printed", async () => {
    await makeTopUp(books, at('2026-11-01T10:00:00Z'), 500_000);
    const work = await makeHeldWork(books, at('2026-11-02T10:00:00Z'), {
      workerId: leila.accountId,
      payMinor: 100,
    });
    const entryId = await makeRelease(books, at('2026-11-30T23:30:00Z'), work, { amountMinor: 100 });
    const tasks = { ...app.scopeOf(nadia), db: app.db, mailer: { send: async () => {} } };
    await issueReceipt(tasks, { entryId, businessId: books.businessId });
    await sql`update pay_receipts set issued_at = '2026-11-30T23:30:00Z' where business_id = ${books.businessId}`.execute(
      app.db,
    );
    const { path } = await link('2026-12');
    const files = await unzip((await fetched(path)).rawPayload);
    expect(String(files.get('index.csv'))).toContain('Receipt,NH-000001,2026-12-01,');
    await sql`update pay_receipts set content = content - 'sender' where business_id = ${books.businessId}`.execute(
      app.db,
    );
    await expect(fetched(path)).rejects.toThrow();
    expect((await fetched(path.replace(/ticket=.*/, 'ticket=1'))).statusCode).toBe(403);
  });

  it('rejects a month without documents, an invalid month and other users', async () => {
    expect(await failure(link('2026-10'))).toMatchObject({ code: 'statement/not-found' });
    expect(await failure(link('2026-13'))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'month' }] },
    });
    expect(await failure(link('2026-11', leila.api))).toMatchObject({ code: 'business/not-found' });
  });
});

describe('GET /statement/file', () => {
  it('rejects a link after the session that requested it has ended', async () => {
    const person = await app.person();
    const stranger = await app.person();
    const link = await person.api.downloads.statement({ format: 'csv' });
    const otherLink = await stranger.api.downloads.statement({ format: 'csv' });
    expect((await fetched(link.path)).statusCode).toBe(200);
    await person.api.sessions.end({ sessionId: person.sessionId });
    const refused = await fetched(link.path);
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'file/link-expired']);
    expect((await fetched(otherLink.path)).statusCode).toBe(200);
  });

  it('rejects a link after five minutes or tampering', async () => {
    const { path } = await linked('csv');
    const refused = async (ticket: string) => {
      const answer = await fetched(ticket);
      return [answer.statusCode, answer.json().code];
    };
    const expired = [403, 'file/link-expired'];
    const [head = '', ticket = ''] = path.split('=');
    const [text = '', signature = ''] = ticket.split('.');
    const other = JSON.parse(Buffer.from(text, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...other, id: crypto.randomUUID() })).toString('base64url');
    for (const given of [
      `${head}=${forged}.${signature}`,
      `${head}=${text}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${head}=${text}`,
      `${head}=${ticket}.x`,
      `${head}=`,
      '/statement/file',
      `${path}&ticket=x`,
      '/statement/file?ticket=%00%ff.%20',
    ])
      expect([given, ...(await refused(given))]).toEqual([given, ...expired]);
    app.clock.forward({ minutes: 4, seconds: 59 });
    expect((await fetched(path)).statusCode).toBe(200);
    app.clock.forward({ seconds: 1 });
    expect(await refused(path)).toEqual(expired);
    app.clock.set('2026-11-21T09:00:00Z');
  });
  it('downloads without caching', async () => {
    const { headers } = await fetched((await linked('csv')).path);
    expect(headers['content-disposition']).toBe('attachment; filename="nearhand-statement-all.csv"');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });
});
