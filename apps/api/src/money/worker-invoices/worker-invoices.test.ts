import { sumOf } from '@nearhand/contract/arithmetic';
import { selfBillingVersion } from '@nearhand/contract/money/worker-invoices.rules';
import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nightly } from '../../../../../scripts/seeded-sample.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { insertDeletion } from '../../people/account-deletion/account-deletion.sql.ts';
import { removeAccount } from '../../people/account-deletion/account-deletion.ts';
import { makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import { makeInvoicedBooks } from '../invoices/invoices.fixtures.ts';
import { reverseEntry } from '../ledger/ledger.ts';
import { type Books, carryAll, makeRelease, makeTip, type Work } from '../statements/statements.fixtures.ts';
import { issueMonthlyWorkerInvoices, issueWorkerInvoices } from './issue-invoices.ts';
import { eraseTaxDetails } from './tax-details.ts';
import { taxDetailsSample } from './worker-invoices.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let books: Books;
let work: Work;
const at = (text: string) => new Date(text);

const details = taxDetailsSample;
const vatId = 'NL004495445B01';
const registered = { vatStatus: 'registered', vatId, vatSince: '2020-01-01' } as const;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Rahmani' });
});
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  leila = await app.person({ name: 'Leila Haddad' });
  [books, work] = await selfEmployedBooks();
});

async function selfEmployedBooks(): Promise<[Books, Work]> {
  const invoicedBooks = await makeInvoicedBooks(app, nadia, leila);
  await sql`update jobs set relation = 'self_employed' where id = ${invoicedBooks[0].jobId}`.execute(app.db);
  return invoicedBooks;
}

const pay = (day: string, amountMinor: number, request: object = {}) =>
  makeRelease(books, at(`${day}T10:00:00Z`), work, { amountMinor, feeMinor: 10, ...request });
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
const agreeWith = async (change: object = {}) => {
  await leila.api.workerInvoices.saveDetails({ ...details, ...change });
  await leila.api.workerInvoices.agree({ version: selfBillingVersion });
};
const monthly = () => issueMonthlyWorkerInvoices({ ...app.scopeOf(nadia), db: app.db, config: app.config });
const decemberComes = async () => {
  app.clock.set('2026-12-01T03:17:00Z');
  await monthly();
};
const listed = async () => (await leila.api.workerInvoices.mine({})).items;
const company = () => {
  if (!app.config.PLATFORM_COMPANY) throw new Error('tests have a company');
  return app.config.PLATFORM_COMPANY;
};

describe('workerInvoices.saveDetails', () => {
  it('stores only complete details, and reports the field of each problem', async () => {
    const issuesOf = async (change: object) =>
      (
        (await failure(leila.api.workerInvoices.saveDetails({ ...details, ...change }))).data as {
          issues: { path: string }[];
        }
      ).issues.map(({ path }) => path);
    expect(await issuesOf({ ...registered, vatId: 'DE136695976', postcode: 'x' })).toEqual([
      'vatId',
      'postcode',
    ]);
    expect(await issuesOf({ taxNumber: '' })).toEqual(['taxNumber']);
    expect(await issuesOf({ taxNumber: '123' })).toEqual(['taxNumber']);
    expect(await issuesOf({ vatStatus: 'registered' })).toEqual(['vatId', 'vatSince']);
    const liechtenstein = { countryCode: 'LI', postcode: '9490', vatId: 'CHE-107.787.577' };
    expect(await issuesOf({ ...registered, ...liechtenstein })).toEqual(['vatStatus']);
    expect(await issuesOf({ vatId, vatSince: '2026-11-10' })).toEqual(['vatId', 'vatSince']);
    expect(await issuesOf({ vatStatus: 'maybe' })).toEqual(['vatStatus']);
    expect(
      await leila.api.workerInvoices.saveDetails({
        ...details,
        ...registered,
        taxNumber: '',
        vatId: '0044.95.445.B01',
      }),
    ).toMatchObject({
      details: { legalName: 'Leila Haddad', vatStatus: 'registered', vatId },
      agreement: null,
    });
  });
});

describe('workerInvoices.setup', () => {
  it("is empty at first and shows only the caller's", async () => {
    await agreeWith();
    const stranger = await app.person();
    expect(await stranger.api.workerInvoices.setup()).toEqual({
      details: null,
      agreement: null,
      currentVersion: selfBillingVersion,
    });
  });
});

describe('workerInvoices.agree', () => {
  it('requires tax details, and stores one agreement with its date and version', async () => {
    expect(await failure(leila.api.workerInvoices.agree({ version: selfBillingVersion }))).toMatchObject({
      status: 409,
      code: 'invoice/details-missing',
    });
    await agreeWith();
    app.clock.set('2026-11-22T09:00:00Z');
    await leila.api.workerInvoices.agree({ version: selfBillingVersion });
    expect((await leila.api.workerInvoices.setup()).agreement).toEqual({
      version: selfBillingVersion,
      agreedAt: '2026-11-21T09:00:00.000Z',
    });
    const wrong = leila.api.workerInvoices.agree({ version: 1 as 2 });
    expect(await failure(wrong)).toMatchObject({ code: 'request/invalid' });
  });
});

describe('an agreement to an older version', () => {
  it('applies until the worker agrees to the new one, and both are recorded', async () => {
    await agreeWith();
    await sql`update self_billing_agreements set version = 1 where account_id = ${leila.accountId}`.execute(
      app.db,
    );
    await pay('2026-11-05', 10_000);
    await decemberComes();
    expect(await leila.api.workerInvoices.setup()).toMatchObject({ agreement: { version: 1 } });
    expect(await listed()).toMatchObject([{ kind: 'invoice' }]);
    await leila.api.workerInvoices.agree({ version: selfBillingVersion });
    const { rows } = await sql<{
      version: number;
      ended: boolean;
    }>`select version, ended_at is not null as ended
      from self_billing_agreements where account_id = ${leila.accountId} order by agreed_at`.execute(app.db);
    expect(rows).toEqual([
      { version: 1, ended: true },
      { version: selfBillingVersion, ended: false },
    ]);
  });
});

describe('workerInvoices.endAgreement', () => {
  it('leads to pro formas in their own series, and keeps earlier agreements', async () => {
    await agreeWith();
    await pay('2026-11-05', 10_000);
    await decemberComes();
    expect(await leila.api.workerInvoices.endAgreement()).toMatchObject({ agreement: null });
    await pay('2026-12-05', 20_000);
    app.clock.set('2027-01-01T03:17:00Z');
    await monthly();
    const [proForma, invoice] = await listed();
    expect(invoice).toMatchObject({ kind: 'invoice', number: expect.stringMatching(/^NH\d{5}-2026-0001$/) });
    expect(proForma).toMatchObject({
      kind: 'pro_forma',
      number: expect.stringMatching(/^PF\d{5}-2027-0001$/),
      objectUntil: null,
    });
    const { rows } = await sql<{ ended: boolean }>`select ended_at is not null as ended
      from self_billing_agreements where account_id = ${leila.accountId}`.execute(app.db);
    expect(rows).toEqual([{ ended: true }]);
  });
});

describe('workerInvoices.mine', () => {
  it('lists the work of a month once it is over, with tips, parts and compensation, as paid in the ledger', async () => {
    await agreeWith();
    await pay('2026-11-05', 9_900, { workerFeeMinor: 100, kind: 'undisputed' });
    await pay('2026-11-19', 16_500);
    await pay('2026-11-20', 2_000, { kind: 'compensation' });
    await makeTip(books, at('2026-11-20T12:00:00Z'), work, 500);
    await makeTip(books, at('2026-11-20T13:00:00Z'), work, 700, { kind: 'bonus' });
    await pay('2026-12-01', 4_000);
    await monthly();
    expect(await listed()).toEqual([]);
    await decemberComes();
    await monthly();
    const [invoice, ...others] = await listed();
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({
      kind: 'invoice',
      from: '2026-11-05',
      to: '2026-11-20',
      worker: 'Leila Haddad',
      business: 'Kopi & Crumb B.V.',
      paidMinor: 29_600,
      netMinor: 29_600,
      vatMinor: 0,
      vat: [{ category: 'E', rateBasisPoints: 0 }],
      objectUntil: '2026-12-08T03:17:00.000Z',
      objection: null,
    });
    const second = await leila.api.workerInvoices.mine({ limit: 1 });
    expect(second.nextCursor).toBeNull();
    expect(await failure(leila.api.workerInvoices.mine({ cursor: 'zz' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });

  it('excludes employed and household work, and work without a stated relation', async () => {
    await agreeWith();
    for (const relation of ['employed', 'household', null]) {
      await sql`update jobs set relation = ${relation} where id = ${books.jobId}`.execute(app.db);
      await pay('2026-11-05', 10_000);
    }
    await carryAll(app.db);
    await decemberComes();
    expect(await listed()).toEqual([]);
    const { rows } =
      await sql`select from statement_lines where pay_open and holder ^@ ${`worker:${leila.accountId}`}`.execute(
        app.db,
      );
    expect(rows).toEqual([]);
  });

  it("uses the agreed terms, not the job's", async () => {
    await agreeWith();
    await sql`update engagements set terms = terms || '{"relation": "employed"}' where id = ${work.engagementId}`.execute(
      app.db,
    );
    await pay('2026-11-05', 10_000);
    await decemberComes();
    expect(await listed()).toEqual([]);
  });

  it('splits VAT off the payment from the day it applies, in one invoice', async () => {
    await agreeWith({ ...registered, vatSince: '2026-11-15' });
    await pay('2026-11-05', 10_000);
    await pay('2026-11-15', 12_100);
    await pay('2026-11-16', 12_100);
    await decemberComes();
    const [invoice] = await listed();
    expect(invoice).toMatchObject({
      paidMinor: 34_200,
      netMinor: 30_000,
      vatMinor: 4_200,
      vat: [
        { category: 'E', rateBasisPoints: 0 },
        { category: 'S', rateBasisPoints: 2_100 },
      ],
    });
  });

  it('credits a payment that was reversed later, naming the invoice, with the details of that time', async () => {
    await agreeWith(registered);
    const late = await pay('2026-11-05', 12_100);
    const early = await pay('2026-11-06', 5_000);
    await pay('2026-11-07', 24_200);
    await reverse(early, '2026-11-20');
    await decemberComes();
    await leila.api.workerInvoices.saveDetails({ ...details, legalName: 'L. Smit' });
    await leila.api.workerInvoices.endAgreement();
    await reverse(late, '2026-12-10');
    app.clock.set('2027-01-01T03:17:00Z');
    await monthly();
    const [credit, invoice] = await listed();
    expect(invoice).toMatchObject({ kind: 'invoice', paidMinor: 36_300, netMinor: 30_000, vatMinor: 6_300 });
    expect(credit).toMatchObject({
      kind: 'credit_note',
      worker: 'Leila Haddad',
      paidMinor: -12_100,
      netMinor: -10_000,
      vatMinor: -2_100,
      corrects: invoice?.number,
    });
    expect(credit?.number).toMatch(/^NH\d+-2027-0001$/);
  });

  it('issues a pro forma while a worker with an agreement is unsure about VAT', async () => {
    await agreeWith({ vatStatus: 'unsure' });
    await pay('2026-11-05', 10_000);
    await decemberComes();
    expect(await listed()).toMatchObject([{ kind: 'pro_forma', vat: [] }]);
  });

  it("issues a pro forma without tax details, with only the worker's name", async () => {
    await pay('2026-11-05', 10_000);
    await decemberComes();
    expect(await listed()).toMatchObject([
      { kind: 'pro_forma', worker: 'Leila Haddad', paidMinor: 10_000, netMinor: 10_000, vat: [] },
    ]);
  });

  it('omits tax details from a pro forma, even saved ones', async () => {
    await agreeWith(registered);
    await leila.api.workerInvoices.endAgreement();
    await pay('2026-11-05', 10_000);
    await decemberComes();
    const { rows } = await sql<{ content: { seller: object; vat: object[] } }>`select content
      from worker_invoices where worker_id = ${leila.accountId}`.execute(app.db);
    expect(rows[0]?.content).toMatchObject({
      seller: { name: 'Leila Haddad', street: '', postcode: '', town: '', registrationNumber: '', vatId: '' },
      vat: [],
    });
  });

  it('credits single lines in several months to zero net and VAT', async () => {
    await agreeWith(registered);
    const entries = [await pay('2026-11-05', 100), await pay('2026-11-06', 100)];
    await decemberComes();
    await reverse(entries[1] ?? '', '2026-12-10');
    app.clock.set('2027-01-01T03:17:00Z');
    await monthly();
    await reverse(entries[0] ?? '', '2027-01-10');
    app.clock.set('2027-02-01T03:17:00Z');
    await monthly();
    const documents = await listed();
    const sum = (key: 'netMinor' | 'vatMinor' | 'paidMinor') => sumOf(documents, (document) => document[key]);
    expect(documents.map(({ kind }) => kind)).toEqual(['credit_note', 'credit_note', 'invoice']);
    expect([sum('netMinor'), sum('vatMinor'), sum('paidMinor')]).toEqual([0, 0, 0]);
  });

  it("stays as issued: the database rejects changes, and an erased worker's invoices stay", async () => {
    await agreeWith();
    await pay('2026-11-05', 10_000);
    await decemberComes();
    for (const change of [
      sql`update worker_invoices set net_minor = 1`,
      sql`delete from worker_invoices`,
      sql`delete from worker_invoiced_entries`,
      sql`delete from invoice_objections`,
    ])
      await expect(change.execute(app.db)).rejects.toMatchObject({ code: 'LG004' });
  });
});

describe('workerInvoices.object', () => {
  it('allows one objection to one’s own invoice, within seven days of the issue', async () => {
    await agreeWith();
    await pay('2026-11-05', 10_000);
    await decemberComes();
    const [invoice] = await listed();
    const object = (reason: 'amount' | 'details') =>
      leila.api.workerInvoices.object({ workerInvoiceId: invoice?.id ?? '', reason });
    const foreign = nadia.api.workerInvoices.object({ workerInvoiceId: invoice?.id ?? '', reason: 'amount' });
    expect(await failure(foreign)).toMatchObject({ status: 404 });
    app.clock.set('2026-12-08T03:16:00Z');
    expect(await object('amount')).toMatchObject({ objection: 'amount' });
    expect(await object('amount')).toMatchObject({ objection: 'amount' });
    expect(await failure(object('details'))).toMatchObject({ code: 'invoice/objection-closed' });
    const { items } = await nadia.api.workerInvoices.forBusiness({
      businessId: books.businessId,
      month: '2026-11',
    });
    expect(items).toMatchObject([{ objection: 'amount' }]);
    app.clock.set('2026-12-08T03:17:00Z');
    expect(await failure(object('amount'))).toMatchObject({ code: 'invoice/objection-closed' });
  });
});

describe('workerInvoices.replace', () => {
  const replace = (workerInvoiceId = '') => leila.api.workerInvoices.replace({ workerInvoiceId });
  const object = async (reason: 'amount' | 'details') => {
    const [invoice] = await listed();
    await leila.api.workerInvoices.object({ workerInvoiceId: invoice?.id ?? '', reason });
    return invoice?.id ?? '';
  };

  it('credits a disputed invoice with its old content and reissues it with the current details', async () => {
    await agreeWith(registered);
    await pay('2026-11-05', 12_100);
    const late = await pay('2026-11-06', 5_000);
    await decemberComes();
    const id = await object('details');
    expect(await failure(replace(id))).toMatchObject({ status: 409, code: 'invoice/unchanged' });
    await leila.api.workerInvoices.saveDetails({ ...details, legalName: 'L. Haddad' });
    expect(await failure(nadia.api.workerInvoices.replace({ workerInvoiceId: id }))).toMatchObject({
      status: 404,
    });
    expect(await replace(id)).toMatchObject({ hasReplacement: true, objection: 'details' });
    expect(await leila.api.workerInvoices.object({ workerInvoiceId: id, reason: 'details' })).toMatchObject({
      hasReplacement: true,
    });
    expect(await failure(replace(id))).toMatchObject({ code: 'invoice/not-replaceable' });
    const documents = (await listed()).sort((a, b) => a.number.localeCompare(b.number));
    expect(documents).toMatchObject([
      { number: expect.stringMatching(/0001$/), kind: 'invoice', worker: 'Leila Haddad', paidMinor: 17_100 },
      {
        number: expect.stringMatching(/0002$/),
        kind: 'credit_note',
        worker: 'Leila Haddad',
        netMinor: -14_132,
        vatMinor: -2_968,
        corrects: documents[0]?.number,
      },
      {
        number: expect.stringMatching(/0003$/),
        kind: 'invoice',
        worker: 'L. Haddad',
        netMinor: 17_100,
        vatMinor: 0,
      },
    ]);
    const { totals } = await nadia.api.workerInvoices.forBusiness({
      businessId: books.businessId,
      month: '2026-11',
    });
    expect(totals).toEqual([{ currency: 'EUR', netMinor: 17_100, vatMinor: 0, paidMinor: 17_100 }]);
    const { items: notices } = await nadia.api.notifications.list({});
    expect(
      notices.filter(
        ({ topic, path }) => topic === 'worker-invoice-objected' && path.endsWith(books.businessId),
      ),
    ).toMatchObject([{ data: { variant: 'replaced' } }, { data: { variant: 'details' } }]);
    await reverse(late, '2026-12-10');
    app.clock.set('2027-01-01T03:17:00Z');
    await monthly();
    expect((await listed())[0]).toMatchObject({
      kind: 'credit_note',
      worker: 'L. Haddad',
      paidMinor: -5_000,
      corrects: documents[2]?.number,
    });
  });

  it('omits credited lines, and rejects without an objection or for the amount', async () => {
    await agreeWith();
    const late = await pay('2026-11-05', 10_000);
    await pay('2026-11-06', 5_000);
    await decemberComes();
    await leila.api.workerInvoices.saveDetails({ ...details, street: 'Kinkerstraat 1' });
    const [invoice] = await listed();
    expect(await failure(replace(invoice?.id))).toMatchObject({ code: 'invoice/not-replaceable' });
    await reverse(late, '2026-12-02');
    await app.db.transaction().execute((tx) =>
      issueWorkerInvoices(tx, app.scopeOf(nadia), company(), {
        workerId: leila.accountId,
        businessId: books.businessId,
        onlyPastMonths: false,
      }),
    );
    await leila.api.workerInvoices.object({ workerInvoiceId: invoice?.id ?? '', reason: 'details' });
    await replace(invoice?.id);
    expect(
      (await listed()).filter(({ kind }) => kind === 'invoice').map(({ paidMinor }) => paidMinor),
    ).toEqual(expect.arrayContaining([15_000, 5_000]));
    await pay('2026-12-05', 7_000);
    app.clock.set('2027-01-01T03:17:00Z');
    await monthly();
    const id = await object('amount');
    await leila.api.workerInvoices.saveDetails({ ...details, street: 'Kinkerstraat 2' });
    expect(await failure(replace(id))).toMatchObject({ code: 'invoice/not-replaceable' });
  });

  it('rejects a credit note, which reverses its invoice', async () => {
    await agreeWith();
    const late = await pay('2026-11-05', 10_000);
    await decemberComes();
    await reverse(late, '2026-12-10');
    app.clock.set('2027-01-01T03:17:00Z');
    await monthly();
    const id = await object('details');
    await leila.api.workerInvoices.saveDetails({ ...details, legalName: 'L. Haddad' });
    expect(await failure(replace(id))).toMatchObject({ code: 'invoice/not-replaceable' });
  });

  it('turns a pro forma into an invoice once the worker has agreed and answered about VAT', async () => {
    await pay('2026-11-05', 12_100);
    await decemberComes();
    const [proForma] = await listed();
    expect(await failure(replace(proForma?.id))).toMatchObject({ code: 'invoice/not-replaceable' });
    await agreeWith({ vatStatus: 'unsure' });
    expect(await failure(replace(proForma?.id))).toMatchObject({ code: 'invoice/not-replaceable' });
    await leila.api.workerInvoices.saveDetails({ ...details, ...registered });
    expect(await replace(proForma?.id)).toMatchObject({ kind: 'pro_forma', hasReplacement: true });
    const kinds = (await listed()).map(({ kind, netMinor, vatMinor }) => [kind, netMinor, vatMinor]);
    expect(kinds).toHaveLength(3);
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['pro_forma', 12_100, 0],
        ['pro_forma_credit', -12_100, 0],
        ['invoice', 10_000, 2_100],
      ]),
    );
  });

  it('happens once, even for two concurrent requests', async () => {
    await agreeWith();
    await pay('2026-11-05', 10_000);
    await decemberComes();
    const id = await object('details');
    await leila.api.workerInvoices.saveDetails({ ...details, legalName: 'L. Haddad' });
    const results = await Promise.allSettled([replace(id), replace(id), replace(id)]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listed()).toHaveLength(3);
  });
});

describe('pay of an account that is removed', () => {
  it('is invoiced with the details before they are erased, even before the month ends', async () => {
    await agreeWith(registered);
    await pay('2026-11-05', 12_100);
    await app.db.transaction().execute((tx) => eraseTaxDetails(tx, app.scopeOf(leila), leila.accountId));
    expect(await listed()).toMatchObject([{ kind: 'invoice', worker: 'Leila Haddad', vatMinor: 2_100 }]);
    expect(await leila.api.workerInvoices.setup()).toMatchObject({ details: null, agreement: null });
  });

  it('has its business locked before the account, in the order of ADR 38', async () => {
    await pay('2026-11-05', 12_100);
    const now = app.clock.now();
    const deletionId = newId(now);
    const deletion = { id: deletionId, accountId: leila.accountId, now, deleteAt: now };
    await app.db.transaction().execute((tx) => insertDeletion(tx, deletion));
    const scope = { ...app.scopeOf(leila), db: app.db, mailer: { send: async () => {} } };
    const invoicing = await app.pool.connect();
    try {
      await invoicing.query('begin');
      await invoicing.query('select from businesses where id = $1 for no key update', [books.businessId]);
      let over = false;
      const removing = removeAccount(scope, deletionId).finally(() => {
        over = true;
      });
      removing.catch(() => {});
      for (let waits = false; !waits; ) {
        if (over) await removing.then(() => expect.fail('it did not wait for the business'));
        const { rows } = await app.pool.query<{ waits: boolean }>(
          `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
        );
        waits = rows[0]?.waits ?? false;
      }
      await invoicing.query('select from accounts where id = $1 for update nowait', [leila.accountId]);
      await invoicing.query('rollback');
      await removing;
    } finally {
      invoicing.release();
    }
  });
});

describe('a notice of an invoice', () => {
  const noticesTo = async (person: Person, topic: string) =>
    (await person.api.notifications.list({})).items.filter((notice) => notice.topic === topic);

  it('goes to the worker once per invoice and credit note, with a mail, but not for a pro forma', async () => {
    await pay('2026-10-05', 5_000);
    app.clock.set('2026-11-01T03:17:00Z');
    await monthly();
    expect(await listed()).toMatchObject([{ kind: 'pro_forma' }]);
    expect(await noticesTo(leila, 'worker-invoice-issued')).toEqual([]);
    await agreeWith();
    const entryId = await pay('2026-11-05', 10_000);
    await decemberComes();
    await monthly();
    const issued = {
      topic: 'worker-invoice-issued',
      path: '/user-transaction?show=invoices',
      data: {
        businessName: 'Kopi & Crumb B.V.',
        amountMinor: 10_000,
        variant: 'invoice',
        by: '2026-12-08T03:17:00.000Z',
      },
    };
    expect(await noticesTo(leila, issued.topic)).toMatchObject([issued]);
    const { rows } = await sql`select from notification_deliveries
      where account_id = ${leila.accountId} and channel = 'email' and state <> 'suppressed'`.execute(app.db);
    expect(rows).toHaveLength(1);
    await reverse(entryId, '2026-12-10');
    app.clock.set('2027-01-01T03:17:00Z');
    await monthly();
    expect(await noticesTo(leila, issued.topic)).toMatchObject([
      { data: { variant: 'credit_note' } },
      issued,
    ]);
  });

  it('goes to members who manage money when the worker objects, once', async () => {
    await agreeWith();
    await pay('2026-11-05', 10_000);
    await decemberComes();
    const [invoice] = await listed();
    const finance = await app.person();
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, books.businessId, finance.accountId, 'finance');
    await makeMember(app.db, app.clock, books.businessId, recruiter.accountId);
    const objection = { workerInvoiceId: invoice?.id ?? '', reason: 'amount' } as const;
    await leila.api.workerInvoices.object(objection);
    await leila.api.workerInvoices.object(objection);
    const topic = 'worker-invoice-objected';
    for (const person of [nadia, finance])
      expect(
        (await noticesTo(person, topic)).filter(({ path }) => path.endsWith(books.businessId)),
      ).toMatchObject([{ data: { workerName: 'Leila Haddad', amountMinor: 10_000, variant: 'amount' } }]);
    expect(await noticesTo(recruiter, topic)).toEqual([]);
  });
});

describe('workerInvoices.forBusiness', () => {
  it("lists a month's papers with their sums, for owners, managers and finance", async () => {
    await agreeWith();
    await pay('2026-11-05', 10_000);
    await decemberComes();
    const { businessId } = books;
    const request = { businessId, month: '2026-11' };
    expect(await nadia.api.workerInvoices.forBusiness(request)).toMatchObject({
      items: [{ worker: 'Leila Haddad', paidMinor: 10_000 }],
      totals: [{ currency: 'EUR', netMinor: 10_000, vatMinor: 0, paidMinor: 10_000 }],
    });
    expect(await nadia.api.workerInvoices.forBusiness({ businessId, month: '2026-12' })).toMatchObject({
      items: [],
      totals: [],
    });
    expect(await failure(leila.api.workerInvoices.forBusiness(request))).toMatchObject({ status: 404 });
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, businessId, recruiter.accountId);
    expect(await failure(recruiter.api.workerInvoices.forBusiness(request))).toMatchObject({ status: 403 });
  });
});

describe('downloads.workerInvoice', () => {
  it('returns the document as issued to both sides, with UBL unless it is a pro forma', async () => {
    await agreeWith(registered);
    await pay('2026-11-05', 12_100);
    await decemberComes();
    const [invoice] = await listed();
    const workerInvoiceId = invoice?.id ?? '';
    const opened = async (format: 'pdf' | 'xml' | 'cii', person: Person = leila) => {
      const { path, fileName } = await person.api.downloads.workerInvoice({ workerInvoiceId, format });
      expect(fileName).toBe(`${invoice?.number}${format === 'cii' ? '-cii.xml' : `.${format}`}`);
      return app.raw({ method: 'GET', url: `/api${path}` });
    };
    const pdf = await opened('pdf', nadia);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf.rawPayload)), {
      mergePages: true,
    });
    for (const part of [
      'Work, November 2026',
      invoice?.number ?? '',
      '1 December 2026',
      'Leila Haddad',
      'Bilderdijkkade 52-2',
      '1053 VK Amsterdam, Netherlands',
      vatId,
      'Kopi & Crumb B.V.',
      'NL861942735B01',
      'Weekend barista',
      'S 21%',
      '100.00',
      '21.00',
      '€121.00',
      'Self-billing (factuur uitgereikt door afnemer)',
      'Issued by Nearhand NV',
      `21 November 2026, version ${selfBillingVersion}`,
      'until 8 December 2026',
    ])
      expect(text.replace(/\s+/g, ' ')).toContain(part);
    const xml = await opened('xml');
    for (const part of ['>389<', 'currencyID="EUR">121.00<', 'Self-billing: Nearhand NV issued this'])
      expect(xml.body).toContain(part);
    expect((await opened('cii')).body).toContain('<ram:TypeCode>389<');
    const stranger = await app.person();
    expect(await failure(stranger.api.downloads.workerInvoice({ workerInvoiceId }))).toMatchObject({
      status: 404,
    });
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, books.businessId, recruiter.accountId);
    expect(await failure(recruiter.api.downloads.workerInvoice({ workerInvoiceId }))).toMatchObject({
      status: 403,
    });
  });

  it('returns a pro forma without UBL, labelled as not an invoice', async () => {
    await pay('2026-11-05', 12_100);
    await decemberComes();
    const [proForma] = await listed();
    const workerInvoiceId = proForma?.id ?? '';
    for (const format of ['xml', 'cii'] as const)
      expect(await failure(leila.api.downloads.workerInvoice({ workerInvoiceId, format }))).toMatchObject({
        code: 'statement/not-found',
      });
    const { path } = await leila.api.downloads.workerInvoice({ workerInvoiceId });
    const pdf = await app.raw({ method: 'GET', url: `/api${path}` });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf.rawPayload)), {
      mergePages: true,
    });
    for (const part of ['Pro forma', 'Not an invoice', 'writes their own invoice to Kopi & Crumb B.V.'])
      expect(text.replace(/\s+/g, ' ')).toContain(part);
  });
});

const series = [
  {
    name: 'of our fee',
    issue: ({ businessId }: Books) => nadia.api.invoices.issue({ businessId }),
    numbers: () => sql<{ number: number }>`select number from invoices where year = 2026`,
    seriesOf: async () => 'NHF',
  },
  {
    name: 'of a worker',
    issue: ({ businessId }: Books) =>
      app.db.transaction().execute((tx) =>
        issueWorkerInvoices(tx, app.scopeOf(nadia), company(), {
          workerId: leila.accountId,
          businessId,
          onlyPastMonths: false,
        }),
      ),
    numbers: () =>
      sql<{ number: number }>`select number from worker_invoices where worker_id = ${leila.accountId}`,
    seriesOf: async () => {
      await sql`insert into worker_series (account_id) values (${leila.accountId}) on conflict do nothing`.execute(
        app.db,
      );
      const { number } = await app.db
        .selectFrom('worker_series')
        .select('number')
        .where('accountId', '=', leila.accountId)
        .executeTakeFirstOrThrow();
      return `NH${number}`;
    },
  },
];

describe.each(series)('the series $name', ({ issue, numbers, seriesOf }) => {
  it('has no gap after concurrent calls and killed connections, unlike a sequence', {
    timeout: 90_000,
  }, async () => {
    await agreeWith();
    const all: Books[] = [];
    const calls = nightly ? 50 : 20;
    for (let no = 0; no < calls; no += 1) {
      [books, work] = await selfEmployedBooks();
      await pay('2026-11-05', 1_000 + no * 10);
      all.push(books);
    }
    const name = await seriesOf();
    const before = (await numbers().execute(app.db)).rows.length;
    await sql`drop sequence if exists careless_numbers`.execute(app.db);
    await sql`create sequence careless_numbers`.execute(app.db);
    let killed = 0;
    const dying = (no: number) =>
      app.db
        .transaction()
        .execute(async (tx) => {
          await sql`select nextval('careless_numbers')`.execute(tx);
          await sql`insert into invoice_series as series (series, year, last_number) values (${name}, 2026, 1)
            on conflict (series, year) do update set last_number = series.last_number + 1`.execute(tx);
          killed += 1;
          await sql`select pg_terminate_backend(pg_backend_pid()), ${no}::int`.execute(tx);
        })
        .catch(() => {});
    await Promise.all(all.flatMap((books, no) => [issue(books), ...(no % 10 === 3 ? [dying(no)] : [])]));
    expect(killed).toBe(calls / 10);
    const { rows } = await numbers().execute(app.db);
    expect(rows.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: before + calls }, (_, no) => no + 1),
    );
    const { rows: counters } = await sql<{ last: number }>`select last_number as last from invoice_series
      where series = ${name} and year = 2026`.execute(app.db);
    expect(counters).toEqual([{ last: before + calls }]);
    const control = await sql<{ next: number }>`select nextval('careless_numbers')::int as next`.execute(
      app.db,
    );
    expect(control.rows[0]?.next).toBe(killed + 1);
  });
});

describe("all workers' invoices", () => {
  it('add up to the ledger to the cent, after any payments, tips and reversals', {
    timeout: 90_000,
  }, async () => {
    let state = Number(process.env.SEED ?? 20_261_129);
    const pick = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    await agreeWith({ ...registered, vatSince: '2026-10-20' });
    const entries: string[] = [];
    let day = Date.parse('2026-10-01T00:00:00Z');
    for (let no = 0; no < 120; no += 1) {
      day += pick(20) * 3_600_000;
      const moment = new Date(day);
      app.clock.set(moment);
      const variant = pick(10);
      if (variant < 5) {
        const request = { amountMinor: 100 + pick(9_000), feeMinor: pick(900), workerFeeMinor: pick(50) };
        entries.push(await makeRelease(books, moment, work, request));
      } else if (variant === 5) entries.push(await makeTip(books, moment, work, 1 + pick(900)));
      else if (variant < 8 && entries.length > 0) {
        const [entryId = ''] = entries.splice(pick(entries.length), 1);
        await app.db
          .transaction()
          .execute((tx) =>
            reverseEntry(tx, { clock: app.clock, sign: books.sign }, { key: `undo/${entryId}`, entryId }),
          );
      } else await monthly();
      if (no % 5 === 0) await carryAll(app.db);
    }
    app.clock.set('2027-02-01T03:17:00Z');
    await monthly();
    // A credit note repeats the net amounts of some lines, each of which may be half a cent off.
    const { rows } = await sql<{ invoiced: number; ledger: number; wrong: number; kinds: number }>`
      select
        (select sum(case when corrects is null then paid_minor else -paid_minor end)::int from worker_invoices
          where worker_id = ${leila.accountId}) as invoiced,
        (select sum(posting.amount + case when release.id is null then 0 else sign(posting.amount) * release.worker_fee_minor end)::int
          from ledger_postings posting
          join ledger_entries entry on entry.id = posting.entry_id
          left join releases release on release.id = entry.about
          where posting.account_id = ${`worker_available:${leila.accountId}:EUR`}) as ledger,
        (select count(*)::int from worker_invoices invoice where worker_id = ${leila.accountId} and (
          abs(paid_minor - net_minor - vat_minor)
            > jsonb_array_length(content -> case when corrects is null then 'vat' else 'lines' end)
          or net_minor <> (select sum((line ->> 'netMinor')::int) from jsonb_array_elements(content -> 'lines') line)
          or net_minor <> (select sum((vat ->> 'taxableMinor')::int) from jsonb_array_elements(content -> 'vat') vat)
          or exists (select from jsonb_array_elements(content -> 'vat') vat
            where abs((vat ->> 'vatMinor')::int - ((vat ->> 'taxableMinor')::int * (vat ->> 'rateBasisPoints')::int + 5000) / 10000)
              > case when corrects is null then 0 else 1 end))) as wrong,
        (select count(distinct kind)::int from worker_invoices where worker_id = ${leila.accountId}) as kinds`.execute(
      app.db,
    );
    const [row] = rows;
    expect(row?.invoiced).toBe(row?.ledger);
    expect(row).toMatchObject({ wrong: 0, kinds: 2 });
  });
});
