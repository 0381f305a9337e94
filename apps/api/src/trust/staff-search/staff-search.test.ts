import { currencies } from '@nearhand/contract/currencies';
import { transferReference } from '@nearhand/contract/money/bank-transfers.rules';
import type { SearchKind } from '@nearhand/contract/trust/staff-search.rules';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBank } from '../../money/payouts/payouts.fixtures.ts';
import { testIban } from '../../money/sandbox/sandbox.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { readQuery } from '../cases/typed-words.sql.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeTicket } from '../tickets/tickets.fixtures.ts';
import { entriesStatement, searchStatement, similarStatement } from './staff-search.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let owner: Person;
let support: Person;
let businessId: string;
let engagementId: string;
let jobId: string;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leïla Haddad' });
  owner = await app.person({ name: 'Jonas Weber' });
  support = await app.person({ name: 'Sven Berg' });
  await makeOperator(app.db, app, owner);
  await makeOperator(app.db, app, support, ['support']);
  [owner, support] = [app.working(owner), app.working(support)];
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const work = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the old fence',
    payMinor: 12_000,
  });
  engagementId = work.id;
  const { version } = await leila.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
  await nadia.api.timesheets.approve({ engagementId, version });
  const row = await app.db
    .selectFrom('engagements')
    .select('jobId')
    .where('id', '=', engagementId)
    .executeTakeFirstOrThrow();
  jobId = row.jobId;
});

const find = async (kind: SearchKind, words: string, { api } = support) =>
  (await api.staffSearch.find({ kind, words })).items;

describe('staffSearch.find', () => {
  it('finds people by part of their name without accents, by email in any case, and by id', async () => {
    for (const words of ['leila had', 'LEÏLA', leila.email.toUpperCase(), leila.accountId])
      expect(await find('person', words)).toMatchObject([
        {
          kind: 'person',
          id: leila.accountId,
          title: 'Leïla Haddad',
          email: leila.email,
          status: 'verified',
        },
      ]);
    for (const words of ['%%%', '___', 'nobody@example.org', businessId])
      expect(await find('person', words)).toEqual([]);
  });

  it('finds businesses, jobs and booked work, also by related records', async () => {
    const { name } = await nadia.api.businesses.get({ businessId });
    for (const words of [name.slice(0, 5), businessId])
      expect(await find('business', words)).toMatchObject([{ id: businessId, title: name }]);
    for (const words of ['old fence', jobId, businessId])
      expect(await find('job', words)).toMatchObject([{ id: jobId, title: 'Paint the old fence' }]);
    for (const words of [engagementId, leila.accountId, businessId, jobId, leila.email, 'haddad'])
      expect(await find('engagement', words)).toMatchObject([{ id: engagementId, status: 'completed' }]);
  });

  it('finds a few records of every kind if none is chosen', async () => {
    const { items, nextCursor } = await support.api.staffSearch.find({ words: businessId });
    expect(items.map(({ kind, id }) => [kind, id])).toEqual([
      ['business', businessId],
      ['job', jobId],
      ['engagement', engagementId],
    ]);
    expect(nextCursor).toBeNull();
  });

  it('finds people by their bank account and withdrawals, and businesses by card payments', async () => {
    const { last4 } = await makeBank(app.db, app.scopeOf(leila));
    expect(await find('person', last4)).toMatchObject([{ id: leila.accountId }]);
    const withdrawal = {
      id: crypto.randomUUID(),
      account_id: leila.accountId,
      provider_ref: 'po_1Q2w3e',
    };
    await app.pool.query(
      `insert into withdrawals (id, account_id, method_id, status, amount_minor, fee_minor, currency, speed, provider_ref, requested_at, updated_at, reserve_entry)
       select $1, account_id, id, 'paid', 2000, 0, 'EUR', 'standard', $2, $3, $3, $1 from payout_methods where account_id = $4`,
      [withdrawal.id, withdrawal.provider_ref, app.clock.now(), leila.accountId],
    );
    for (const words of [withdrawal.id, withdrawal.provider_ref])
      expect(await find('person', words)).toMatchObject([{ id: leila.accountId }]);
    const { rows } = await app.pool.query(
      'select id, provider_ref from charges where business_id = $1 limit 1',
      [businessId],
    );
    for (const words of [rows[0]?.id, rows[0]?.provider_ref])
      expect(await find('business', words as string)).toMatchObject([{ id: businessId }]);
    expect(await find('person', '0001')).toEqual([]);
  });

  it('finds what a support agent types or pastes', async () => {
    await leila.api.profiles.save({ phone: '+31 6 4412 9073' });
    await app.db
      .updateTable('businesses')
      .set({ phone: '+31201234599', registrationNumber: '81264097', vatId: 'NL812640971B01' })
      .where('id', '=', businessId)
      .execute();
    const { name, transferNumber, shortId } = await app.db
      .selectFrom('businesses')
      .select(['name', 'transferNumber', 'shortId'])
      .where('id', '=', businessId)
      .executeTakeFirstOrThrow();
    const bank = await makeBank(app.db, app.scopeOf(leila), testIban(1));
    const job = await app.db
      .selectFrom('jobs')
      .select('shortId')
      .where('id', '=', jobId)
      .executeTakeFirstOrThrow();
    const [local = ''] = leila.email.split('@');
    const misspelt = `${name.slice(0, 4)}${name.slice(5)}`;
    const searches: [SearchKind, string, string][] = [
      ['person', 'Haddad, Leila', leila.accountId],
      ['person', 'l. haddad', leila.accountId],
      ['person', 'Leyla Hadad', leila.accountId],
      ['person', 'Liela', leila.accountId],
      ['person', 'Hdadad Leial', leila.accountId],
      ['person', '06 4412 9073', leila.accountId],
      ['person', '0031-6-44129073', leila.accountId],
      ['person', `${local}@`, leila.accountId],
      ['person', `Leïla <${leila.email}>`, leila.accountId],
      ['person', `${local}@wrong.example`, leila.accountId],
      ['person', `•••• ${bank.last4}`, leila.accountId],
      ['person', `NL91 ABNA 0417 16${bank.last4.slice(0, 2)} ${bank.last4.slice(2)}`, leila.accountId],
      [
        'person',
        `https://nearhand.example/operator/search/person/${leila.accountId}?case=x`,
        leila.accountId,
      ],
      ['business', 'KvK 8126.4097', businessId],
      ['business', 'NL 8126.40.971.B01', businessId],
      ['business', '020 123 4599', businessId],
      ['business', misspelt, businessId],
      ['business', `ref. ${transferReference(transferNumber)}`, businessId],
      ['business', `https://nearhand.example/b/some-name-${shortId}`, businessId],
      ['job', 'fence paint', jobId],
      ['job', 'paint teh old fence', jobId],
      ['job', `https://nearhand.example/j/paint-the-old-fence-${job.shortId}`, jobId],
      ['engagement', '0644129073', engagementId],
    ];
    for (const [kind, words, id] of searches)
      expect(
        (await find(kind, words)).map((item) => item.id),
        words,
      ).toContain(id);
    expect(await find('person', 'Leyla Hadad')).toMatchObject([{ id: leila.accountId, similar: true }]);
    expect((await support.api.staffSearch.find({ words: 'Leyla Hadad' })).items).toMatchObject([
      { similar: true },
    ]);
    expect(await find('person', 'Leila Haddad')).toMatchObject([{ id: leila.accountId, similar: false }]);
    expect(await find('person', 'Xq Zzyzx')).toEqual([]);
    // Words that are too short for the index count together.
    expect(await find('person', 'la ha')).toMatchObject([{ id: leila.accountId, similar: false }]);
  });

  it('finds people and businesses by the number of an invoice', async () => {
    await sql`insert into invoices (id, business_id, kind, year, number, currency, content, net_minor, vat_minor, issued_at)
      values (${crypto.randomUUID()}, ${businessId}, 'invoice', 2026, 42, 'EUR', '{}', 1, 0, now())`.execute(
      app.db,
    );
    await sql`insert into worker_invoices (id, worker_id, business_id, kind, series, year, number, currency, content, net_minor, vat_minor,
      paid_minor, month, issued_at) values (${crypto.randomUUID()}, ${leila.accountId}, ${businessId}, 'invoice', 'NH10001', 2026, 7,
      'EUR', '{}', 1, 0, 1, '2026-11', now())`.execute(app.db);
    expect(await find('business', 'nhf-2026-000042')).toMatchObject([{ id: businessId }]);
    expect(await find('person', 'NH10001-2026-000007')).toMatchObject([{ id: leila.accountId }]);
    expect(await find('business', 'NH10001-2026-000007')).toMatchObject([{ id: businessId }]);
    for (const words of ['nhf 2026 42', '000042'])
      expect(await find('business', words)).toMatchObject([{ id: businessId }]);
    expect(await find('business', 'NHF-2026-000043')).toEqual([]);
  });

  it('finds requests, also of people without an account, for operators who may answer them', async () => {
    const guest = {
      name: 'Ana Ferreira',
      email: 'ana.ferreira@example.org',
      subject: 'I cannot confirm my email',
    };
    const id = newId(app.clock.now());
    await sql`insert into tickets (id, account_id, email, name, networks, category, subject, page, refs, status, open_since, created_at, updated_at)
      values (${id}, null, ${guest.email}, ${guest.name}, '{}', 'account', ${guest.subject}, '', '[]', 'solved', now(), now(), now())`.execute(
      app.db,
    );
    const { id: own } = await makeTicket(app.db, app.scopeOf(leila), {
      subject: 'Where is my pay',
      body: 'Invoice 2026-00012 is missing.',
    });
    for (const words of [
      'ferreira',
      'Ferreira Ana',
      guest.email,
      'ana.ferreira',
      'confirm email',
      id,
      `No. ${id.slice(-6)}`,
    ])
      expect(await find('ticket', words), words).toMatchObject([
        { kind: 'ticket', id, title: guest.subject, of: guest.name, email: guest.email, status: 'solved' },
      ]);
    for (const words of [leila.email, leila.accountId, 'leila', 'where is my pay', 'missing 2026-00012', own])
      expect(
        (await find('ticket', words)).map((item) => item.id),
        words,
      ).toContain(own);
    expect(await find('ticket', 'Ferrera')).toMatchObject([{ id, similar: true }]);
    expect((await support.api.staffSearch.find({ words: 'ferreira' })).items).toMatchObject([
      { kind: 'ticket', id },
    ]);
    expect(await support.api.operators.ticket({ ticketId: id })).toMatchObject({
      from: { email: guest.email },
    });
    const trust = await app.person();
    await makeOperator(app.db, app, trust, ['trust']);
    const { staffSearch } = app.working(trust).api;
    expect(await failure(staffSearch.find({ kind: 'ticket', words: 'ferreira' }))).toMatchObject({
      code: 'operator/role-required',
    });
    expect((await staffSearch.find({ words: 'ferreira' })).items).toEqual([]);
    await sql`update tickets set status = 'unconfirmed' where id = ${id}`.execute(app.db);
    for (const words of ['ferreira', 'ana.ferreira', 'confirm email', id, 'Ferrera'])
      expect(await find('ticket', words), words).toEqual([]);
    expect(await find('ticket', guest.email.toUpperCase())).toMatchObject([
      { id, status: 'unconfirmed', title: 'Request to confirm', of: null, email: guest.email },
    ]);
    const { id: ofOperator } = await makeTicket(app.db, app.scopeOf(support), {
      subject: 'A request of my own',
    });
    expect((await find('ticket', 'request of my own')).map((item) => item.id)).not.toContain(ofOperator);
  });

  it('finds first what was meant, with numbers in another form and two words misspelt', async () => {
    const rafael = await app.person({ name: 'Rafael Öztürk Jansen' });
    const write = async (subject: string, body: string) =>
      (await makeTicket(app.db, app.scopeOf(rafael), { subject, body })).id;
    const bank = await write('Changed bank', 'My account is NL91 ABNA 0417 1651 32 from now on.');
    const spaced = await write('Call me', 'Please call 06 1234 5678 after 17:00.');
    const joined = await write('Another number', 'I now have 0687654321.');
    const amount = await write('Too little', 'I got 1.123,45 and not 1.223,45.');
    const merged = await write('Forgot to say', 'The bicycle was parked outside.');
    await sql`update tickets set status = 'solved', merged_into = ${amount} where id = ${merged}`.execute(
      app.db,
    );
    const searches: [SearchKind, string, string][] = [
      ['person', 'Rafeal Jansn', rafael.accountId],
      ['person', 'Jansn Rafeal', rafael.accountId],
      ['person', 'Rafal Ozturc', rafael.accountId],
      ['ticket', '5132', bank],
      ['ticket', '0417165132', bank],
      ['ticket', 'NL91ABNA0417165132', bank],
      ['ticket', 'account 165132', bank],
      ['ticket', '0612345678', spaced],
      ['ticket', '06-1234 5678', spaced],
      ['ticket', '+31 6 12345678', spaced],
      ['ticket', '06 8765 4321', joined],
      ['ticket', '06 87654321', joined],
      ['ticket', '+31687654321', joined],
      ['ticket', '1.123,45', amount],
      ['ticket', '1,123.45', amount],
      ['ticket', '1123.45', amount],
      ['ticket', '€ 1123,45', amount],
      ['ticket', 'bicycle parked', amount],
      ['ticket', 'forgot to say', amount],
      ['ticket', `No. ${merged.slice(-6)}`, amount],
    ];
    for (const [kind, words, id] of searches) expect((await find(kind, words))[0]?.id, words).toBe(id);
    expect(await find('ticket', '0612345679')).toEqual([]);
    expect(await find('ticket', 'where is my money of the last week')).toEqual([]);
    const listed = await support.api.cases.list({ text: 'bicycle parked', all: 'true' });
    expect(listed.items.map(({ subjectId }) => subjectId)).toEqual([amount]);
  });

  it('returns pages, newest first', async () => {
    for (let n = 0; n < 3; n += 1) await app.person({ name: 'Zoë Twin' });
    const first = await support.api.staffSearch.find({ kind: 'person', words: 'zoe twin', limit: 2 });
    const rest = await support.api.staffSearch.find({
      kind: 'person',
      words: 'zoe twin',
      limit: 2,
      cursor: first.nextCursor ?? '',
    });
    const ids = [...first.items, ...rest.items].map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(rest.nextCursor).toBeNull();
  });

  it('rejects invalid input, a search without a reason, and non-operators', async () => {
    for (const words of ['', 'ab', '  a  ', 'x'.repeat(201), 'a\nb c'])
      expect(await failure(support.api.staffSearch.find({ kind: 'person', words }))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    const wrong = { kind: 'person', words: 'leila', cursor: 'x' } as const;
    expect(await failure(support.api.staffSearch.find(wrong))).toMatchObject({ code: 'request/bad-cursor' });
    const input = { kind: 'person', words: 'leila' } as const;
    expect(await failure(app.apiAs(support.token).staffSearch.find(input))).toMatchObject({
      status: 403,
      code: 'operator/reason-required',
    });
    expect(await failure(leila.api.staffSearch.find(input))).toMatchObject({ code: 'operator/required' });
    expect(await failure(app.apiAs(null).staffSearch.find(input))).toMatchObject({ status: 401 });
  });

  it('logs each search without its terms', async () => {
    await find('person', 'leila');
    const { rows } = await app.pool.query('select * from operator_log order by no desc limit 1');
    expect(rows[0]).toMatchObject({ account_id: support.accountId, operation: 'GET /operators/search' });
    expect(rows[0].reason).not.toBeNull();
    expect(JSON.stringify(rows[0])).not.toMatch(/leila/i);
  });
});

describe('staffSearch.get', () => {
  it('returns a record with related records and decisions, and logs its id', async () => {
    const statement = { rule: 'respect', facts: 'Insulted two people.' } as const;
    await owner.api.sanctions.impose({
      ...statement,
      measure: 'warning',
      target: { kind: 'account', id: leila.accountId },
    });
    const person = await support.api.staffSearch.get({ kind: 'person', id: leila.accountId });
    expect(person).toMatchObject({
      item: { title: 'Leïla Haddad' },
      related: [{ kind: 'engagement', id: engagementId }],
      sanctions: [{ measure: 'warning', facts: 'Insulted two people.' }],
    });
    const { rows } = await app.pool.query('select subject_ids from operator_log order by no desc limit 1');
    expect(rows[0].subject_ids).toEqual([leila.accountId]);
    const business = await support.api.staffSearch.get({ kind: 'business', id: businessId });
    expect(business.related.map(({ kind }) => kind).sort()).toEqual(['job', 'person']);
    expect(business.details.map(({ name }) => name)).toContain('address');
    const job = await support.api.staffSearch.get({ kind: 'job', id: jobId });
    expect(job.related.map(({ kind }) => kind).sort()).toEqual(['business', 'engagement']);
    const work = await support.api.staffSearch.get({ kind: 'engagement', id: engagementId });
    expect(work.related.map(({ kind }) => kind).sort()).toEqual(['business', 'job', 'person']);
  });

  it('returns 404 for a record of another kind', async () => {
    expect(await failure(support.api.staffSearch.get({ kind: 'job', id: businessId }))).toMatchObject({
      status: 404,
      code: 'search/not-found',
    });
  });
});

describe('staffSearch.entries', () => {
  it('finds entries by id, by a person, a business or the work they pay for', async () => {
    const ofWork = (await owner.api.staffSearch.entries({ recordId: engagementId })).items;
    expect(ofWork.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['fund', 'release']));
    const release = ofWork.find(({ kind }) => kind === 'release');
    for (const recordId of [release?.id ?? '', release?.about ?? '', leila.accountId])
      expect((await owner.api.staffSearch.entries({ recordId })).items.map(({ id }) => id)).toEqual([
        release?.id,
      ]);
    const first = await owner.api.staffSearch.entries({ recordId: businessId, limit: 1 });
    expect(first.items).toHaveLength(1);
    expect((await owner.api.staffSearch.entries({ recordId: crypto.randomUUID() })).items).toEqual([]);
  });

  it('allows only finance', async () => {
    expect(await failure(support.api.staffSearch.entries({ recordId: engagementId }))).toMatchObject({
      status: 403,
      code: 'operator/role-required',
    });
    expect(await failure(owner.api.staffSearch.entries({ recordId: 'x' }))).toMatchObject({ status: 400 });
  });
});

describe('the search', () => {
  const page = { before: null, limit: 21 };
  /** The plan with scans discouraged; the planner still uses a scan where no index fits. */
  const planOf = (statement: RawBuilder<unknown>) =>
    app.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
  const id = '01a1fbbc-d019-79f0-8086-994049deb373';
  const cases: [SearchKind, string][] = [
    ['person', 'leila'],
    ['person', 'leila@example.org'],
    ['person', id],
    ['person', '6785'],
    ['person', 'po_1Q2w3e'],
    ['person', '06 4412 9073'],
    ['person', 'NH10001-2026-000007'],
    ['person', '000007'],
    ['business', '000007'],
    ['business', id],
    ['business', 'pi_1Q2w3e'],
    ['business', 'bakery'],
    ['business', 'info@example.org'],
    ['business', '020 123 4567'],
    ['business', 'NL812640971B01'],
    ['business', 'NHF-2026-000042'],
    ['job', 'fence'],
    ['job', id],
    ['engagement', id],
    ['engagement', 'leila'],
    ['ticket', 'ana ferreira'],
    ['ticket', 'ana@example.org'],
    ['ticket', 'a1b2c3'],
    ['ticket', '06 8765 4321'],
    ['ticket', 'paid 123.45'],
    ['person', 'Rafeal Jansn'],
    ['ticket', id],
  ];

  it.each(cases)('finds %s by %s without reading a whole table', async (kind, words) => {
    const query = { ...readQuery(words), readerId: id };
    expect(await planOf(searchStatement(kind, query, page))).not.toMatch(/Seq Scan on/);
    const similar = similarStatement(kind, query, page);
    if (similar) expect(await planOf(similar)).not.toMatch(/Seq Scan on/);
  });

  it('finds entries without reading a whole table', async () => {
    expect(await planOf(entriesStatement(id, currencies, page))).not.toMatch(/Seq Scan on/);
  });

  it('fails for a search without an index', async () => {
    const statement = sql`select from businesses where folded_name(address) like '%street%'`;
    expect(await planOf(statement)).toMatch(/Seq Scan on businesses/);
  });
});
