import { addMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import {
  type Books,
  makeHeldWork,
  makeRelease,
  makeTip,
  makeTopUp,
  type Work,
} from '../statements/statements.fixtures.ts';
import { issueReceipt, wantReceipt, writeReceipt } from './receipts.ts';

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
let registrationNumber = '12345677';

beforeEach(async () => {
  const scope = app.scopeOf(nadia);
  // Each verified business of a country has a different number.
  registrationNumber = String(Number(registrationNumber) + 1);
  const business = await makeBusiness(app.db, scope, {
    name: 'Kopi & Crumb',
    legalName: 'Kopi Horeca BV',
    registrationNumber,
    funded: false,
  });
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  books = { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
  await makeTopUp(books, at('2026-11-01T10:00:00Z'), 10_000_000);
  work = await makeHeldWork(books, at('2026-11-03T10:00:00Z'), {
    workerId: leila.accountId,
    payMinor: 900_000,
    minutes: 30_000,
  });
  await sql`update engagements set starts_at = null, ends_at = null where id = ${work.engagementId}`.execute(
    app.db,
  );
});

const scope = () => ({ ...app.scopeOf(nadia), db: app.db, mailer: { send: async () => {} } });
const receiptTask = async (entryId: string) => {
  await app.db.transaction().execute((tx) => wantReceipt(tx, { entryId, businessId: books.businessId }));
};
const listed = (request: object = {}) =>
  nadia.api.receipts.list({ businessId: books.businessId, ...request });

describe('wantReceipt', () => {
  it('writes one document per entry, even on repeats', async () => {
    const entryId = await makeRelease(books, at('2026-11-05T10:00:00Z'), work, {
      amountMinor: 9_900,
      feeMinor: 990,
    });
    await receiptTask(entryId);
    await receiptTask(entryId);
    await app.runDue();
    await receiptTask(entryId);
    await app.runDue();
    expect((await listed()).items).toMatchObject([
      {
        number: 'NH-000001',
        amountMinor: 9_900,
        party: 'Leila Haddad',
        about: 'Weekend barista',
        currency: 'EUR',
        issuedAt: '2026-11-21T09:00:00.000Z',
      },
    ]);
    const { businessId } = books;
    const line = await nadia.api.statements.businessLine({ businessId, entryId });
    expect(line.receiptId).toBe((await listed()).items[0]?.id);
  });
  it('numbers pay, tips and compensation in one series, without the fee', async () => {
    const entries = [
      await makeRelease(books, at('2026-11-05T10:00:00Z'), work, { amountMinor: 9_900, feeMinor: 990 }),
      await makeTip(books, at('2026-11-06T10:00:00Z'), work, 500),
      await makeTip(books, at('2026-11-06T11:00:00Z'), work, 600, { by: 'card', kind: 'bonus' }),
      await makeRelease(books, at('2026-11-07T10:00:00Z'), work, {
        amountMinor: 700,
        feeMinor: 0,
        kind: 'compensation',
      }),
    ];
    for (const entryId of entries) {
      await receiptTask(entryId);
      await app.runDue();
    }
    expect((await listed()).items.map((item) => [item.number, item.amountMinor])).toEqual([
      ['NH-000004', 700],
      ['NH-000003', 600],
      ['NH-000002', 500],
      ['NH-000001', 9_900],
    ]);
  });
  it('rejects an entry that pays nobody for this business', async () => {
    const topUp = await makeTopUp(books, at('2026-11-05T10:00:00Z'), 5_000);
    const { businessId } = books;
    await expect(issueReceipt(scope(), { entryId: topUp, businessId })).rejects.toThrow('pays nobody');
    const entryId = await makeTip(books, at('2026-11-06T10:00:00Z'), work, 500);
    const otherBusiness = await makeBusiness(app.db, app.scopeOf(nadia), { funded: false });
    await expect(issueReceipt(scope(), { entryId, businessId: otherBusiness.id })).rejects.toThrow(
      'pays nobody',
    );
    expect((await listed()).items).toEqual([]);
  });
  it('leaves no gap when 200 are written concurrently and some transactions fail', {
    timeout: 60_000,
  }, async () => {
    const { businessId } = books;
    const entries: string[] = [];
    for (let no = 0; no < 200; no += 1)
      entries.push(await makeTip(books, addMs(at('2026-11-06T10:00:00Z'), no), work, 100 + no));
    let died = 0;
    const dying = async (entryId: string) => {
      await app.db
        .transaction()
        .execute(async (tx) => {
          await writeReceipt(tx, scope(), { entryId, businessId });
          died += 1;
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
        })
        .catch(() => {});
    };
    const waves = entries.flatMap((entryId, no) => [
      ...(no % 20 === 7 ? [() => dying(entryId)] : []),
      () => issueReceipt(scope(), { entryId, businessId }),
      ...(no % 10 === 3 ? [() => issueReceipt(scope(), { entryId, businessId })] : []),
    ]);
    let next = 0;
    const hand = async () => {
      for (let mine = next++; mine < waves.length; mine = next++) await waves[mine]?.();
    };
    await Promise.all(Array.from({ length: 6 }, hand));
    expect(died).toBeGreaterThan(0);
    const { rows } = await sql<{ numbers: number[]; entries: number; last: number }>`
      select array_agg(number order by number) as numbers, count(distinct entry_id) as entries,
        (select last_number from pay_receipt_counters where business_id = ${businessId}) as last
      from pay_receipts where business_id = ${businessId}`.execute(app.db);
    expect(rows[0]).toEqual({
      numbers: Array.from({ length: 200 }, (_, no) => no + 1),
      entries: 200,
      last: 200,
    });
  });
});

describe('receipts.list', () => {
  it("pages and filters by a year in the business's zone", async () => {
    for (const [no, day] of [
      '2025-12-31T22:59:59Z',
      '2025-12-31T23:00:00Z',
      '2026-01-02T10:00:00Z',
    ].entries()) {
      const entryId = await makeTip(books, at(`2026-11-06T10:00:0${no}Z`), work, 100 + no);
      const then = { ...scope(), clock: { now: () => at(day) } };
      await issueReceipt(then, { entryId, businessId: books.businessId });
    }
    expect((await listed({ year: 2025 })).items.map((item) => item.number)).toEqual(['NH-000001']);
    const first = await listed({ year: 2026, limit: 1 });
    const second = await listed({ year: 2026, limit: 1, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map((document) => document.number)).toEqual([
      'NH-000003',
      'NH-000002',
    ]);
    expect(second.nextCursor).toBeNull();
    expect(await failure(listed({ cursor: 'zz' }))).toMatchObject({ code: 'request/bad-cursor' });
    expect(await failure(listed({ year: 12 }))).toMatchObject({ code: 'request/invalid' });
    expect(await failure(leila.api.receipts.list({ businessId: books.businessId }))).toMatchObject({
      status: 404,
    });
  });
});

describe('downloads.receipt', () => {
  const textOf = async (path: string) => {
    const answer = await app.raw({ method: 'GET', url: `/api${path}` });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(answer.rawPayload)), {
      mergePages: true,
    });
    return text;
  };
  it('downloads a PDF as of its writing', async () => {
    const entryId = await makeRelease(books, at('2026-11-05T10:00:00Z'), work, {
      amountMinor: 9_900,
      feeMinor: 990,
    });
    await issueReceipt(scope(), { entryId, businessId: books.businessId });
    await app.db
      .updateTable('businesses')
      .set({ legalName: 'Another BV' })
      .where('id', '=', books.businessId)
      .execute();
    const [receipt] = (await listed()).items;
    const { path, fileName } = await nadia.api.downloads.receipt({ receiptId: receipt?.id ?? '' });
    expect(fileName).toBe('receipt-NH-000001.pdf');
    const text = await textOf(path);
    for (const part of [
      'Receipt',
      'NH-000001',
      'Kopi Horeca BV',
      `Registration ${registrationNumber}`,
      'Leila Haddad',
      'Weekend barista',
    ])
      expect(text).toContain(part);
    for (const part of ['€99.00', 'Kouter 12', '5 h 30 min']) expect(text).toContain(part);
    for (const part of ['Another', '€9.90', '€108.90']) expect(text).not.toContain(part);
  });
  it('allows only its worker, from their statement line, unless the work was self-employed', async () => {
    const entryId = await makeRelease(books, at('2026-11-05T10:00:00Z'), work, {
      amountMinor: 9_900,
      feeMinor: 990,
    });
    await issueReceipt(scope(), { entryId, businessId: books.businessId });
    const shownReceipt = async () => (await leila.api.statements.line({ entryId })).receiptId;
    const receiptId = (await listed()).items[0]?.id ?? '';
    const stateRelation = (relation: string | null) =>
      sql`update jobs set relation = ${relation} where id = ${books.jobId}`.execute(app.db);
    for (const relation of ['employed', 'household', null]) {
      await stateRelation(relation);
      expect(await shownReceipt()).toBe(receiptId);
      const { path } = await leila.api.downloads.receipt({ receiptId });
      expect(await textOf(path)).toContain('€99.00');
    }
    const stranger = await app.person();
    expect(await failure(stranger.api.downloads.receipt({ receiptId }))).toMatchObject({ status: 404 });
    await stateRelation('self_employed');
    expect(await shownReceipt()).toBeNull();
    expect(await failure(leila.api.downloads.receipt({ receiptId }))).toMatchObject({ status: 404 });
  });
  it('allows users with access to the statement, for five minutes', async () => {
    const entryId = await makeTip(books, at('2026-11-06T10:00:00Z'), work, 500);
    await issueReceipt(scope(), { entryId, businessId: books.businessId });
    const receiptId = (await listed()).items[0]?.id ?? '';
    const receiptError = (person: Person) => failure(person.api.downloads.receipt({ receiptId }));
    expect(await receiptError(await app.person())).toMatchObject({
      status: 404,
      code: 'statement/not-found',
    });
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, books.businessId, recruiter.accountId);
    expect(await receiptError(recruiter)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await failure(app.apiAs(null).downloads.receipt({ receiptId }))).toMatchObject({
      status: 401,
    });
    const missing = nadia.api.downloads.receipt({ receiptId: crypto.randomUUID() });
    expect(await failure(missing)).toMatchObject({ status: 404, code: 'statement/not-found' });
    const { path } = await nadia.api.downloads.receipt({ receiptId });
    expect(await textOf(path)).toContain('Receipt');
    app.clock.forward({ minutes: 5 });
    const late = await app.raw({ method: 'GET', url: `/api${path}` });
    expect([late.statusCode, late.json().code]).toEqual([403, 'file/link-expired']);
    app.clock.set('2026-11-21T09:00:00Z');
  });
});
