import { currencies } from '@nearhand/contract/currencies';
import type { FoundKind } from '@nearhand/contract/trust/staff-search.rules';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBank } from '../../money/payouts/payouts.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { entriesStatement, searchStatement } from './staff-search.ts';

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

const find = async (kind: FoundKind, words: string, { api } = support) =>
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
  const cases: [FoundKind, string][] = [
    ['person', 'leila'],
    ['person', 'leila@example.org'],
    ['person', id],
    ['person', '6785'],
    ['person', 'po_1Q2w3e'],
    ['business', id],
    ['business', 'pi_1Q2w3e'],
    ['business', 'bakery'],
    ['business', 'info@example.org'],
    ['job', 'fence'],
    ['job', id],
    ['engagement', id],
    ['engagement', 'leila'],
  ];

  it.each(cases)('finds %s by %s without reading a whole table', async (kind, words) => {
    const recordId = words === id ? id : null;
    expect(await planOf(searchStatement(kind, { words, recordId }, page))).not.toMatch(/Seq Scan on/);
  });

  it('finds entries without reading a whole table', async () => {
    expect(await planOf(entriesStatement(id, currencies, page))).not.toMatch(/Seq Scan on/);
  });

  it('fails for a search without an index', async () => {
    const statement = sql`select from businesses where folded_name(address) like '%street%'`;
    expect(await planOf(statement)).toMatch(/Seq Scan on businesses/);
  });
});
