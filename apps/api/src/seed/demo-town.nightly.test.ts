import { sumOf } from '@nearhand/contract/arithmetic';
import { selfBillingDate, selfBillingVersion } from '@nearhand/contract/money/worker-invoices.rules';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../test/harness.ts';
import { tasks } from '../app.ts';
import { myInvitations } from '../hiring/invitations/invitations.ts';
import { measureBusiness } from '../hiring/reliability/reliability.ts';
import { listInvoices } from '../money/invoices/invoices.ts';
import { myBalance } from '../money/payouts/balance.ts';
import { bookFaults } from '../money/payouts/payouts.fixtures.ts';
import { myWithdrawals } from '../money/payouts/withdrawals.ts';
import { myStatement } from '../money/statements/statements.ts';
import { findAccountByEmail } from '../people/sign-in/sign-in.sql.ts';
import { viewEngagement } from '../work/engagements/engagement-views.ts';
import { seedDemoTown } from './demo-town.ts';
import { demoAccounts } from './seed-people.ts';
import { dayAfter, instantAt } from './town/town-time.ts';

describe('the demo town', () => {
  const app = useTestApp();
  const seed = () =>
    seedDemoTown(
      {
        config: app.config,
        log: app.scopeOf({ accountId: '' }).log,
        clock: app.clock,
        fileStore: app.fileStore,
        provider: app.provider,
        sign: app.scopeOf({ accountId: '' }).sign,
        db: app.db,
        pool: app.pool,
      },
      tasks,
      () => {},
    );
  type Counted =
    | 'jobs'
    | 'businesses'
    | 'applications'
    | 'interviews'
    | 'offers'
    | 'engagements'
    | 'disputes';
  const counts = async (table: Counted, column = 'status' as const) => {
    const rows = await app.db
      .selectFrom(table)
      .select([column, (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy(column)
      .execute();
    return Object.fromEntries(rows.map((row) => [row.status, row.count]));
  };

  beforeAll(async () => {
    expect(await seed()).toBe(true);
  }, 2_700_000);

  it('is created once, with records in every state', async () => {
    const accounts = await app.db
      .selectFrom('accounts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirst();
    expect(accounts?.count).toBe(153);
    expect(await counts('businesses')).toEqual({ verified: 36, submitted: 4 });
    const jobs = await counts('jobs');
    // 400 open jobs, past shifts, and the jobs for Nadia and Leila.
    expect(sumOf(Object.values(jobs))).toBeGreaterThan(470);
    expect(jobs.open).toBeGreaterThan(280);
    for (const status of ['draft', 'paused', 'expired', 'closed', 'archived'] as const)
      expect(jobs[status]).toBeGreaterThan(4);
    const applications = await counts('applications');
    for (const status of ['submitted', 'viewed', 'withdrawn', 'no_response', 'hired', 'rejected'] as const)
      expect(applications[status]).toBeGreaterThan(5);
    for (const status of ['shortlisted', 'interviewing', 'offered', 'position_filled'] as const)
      expect(applications[status]).toBeGreaterThan(0);
    expect(app.mails).toEqual([]);
    expect(await seed()).toBe(false);
  });

  it('has upcoming work around everyone, some of it at blurred addresses', async () => {
    const found = await app.apiAs(null).nearby.search({ lat: 52.3728, lng: 4.8936, radiusKm: 5, limit: 100 });
    // The dates of a series on a page are one item.
    expect(found.items.length).toBeGreaterThan(95);
    expect(new Set(found.items.map((job) => job.category)).size).toBeGreaterThan(10);
    expect(found.items.some((job) => job.place.blurred)).toBe(true);
    const now = app.clock.now().toISOString();
    expect(found.items.filter((job) => job.startsAt !== undefined && job.startsAt <= now)).toEqual([]);
    expect(new Set(found.items.map((job) => job.title)).size).toBeGreaterThan(50);
    // No list shows the same sign fifteen times: each business has its own.
    expect(found.items.filter(({ business }) => business.logoPath === undefined)).toEqual([]);
    // A task whose text mentions photos has some.
    const { rows: unseen } = await app.pool.query(
      `select title from jobs where description ~* 'attached photos|photos show' and not exists (
        select from job_photos where job_id = jobs.id)`,
    );
    expect(unseen).toEqual([]);
    const { rows: shown } = await app.pool.query('select distinct job_id from job_photos');
    expect(shown.length).toBeGreaterThan(10);
  });

  it('has a history: weeks of work, mostly done well, and current states', async () => {
    const engagements = await counts('engagements');
    expect(engagements.completed).toBeGreaterThan(130);
    for (const status of ['cancelled_by_worker', 'no_show_reported'] as const)
      expect(engagements[status]).toBeGreaterThan(2);
    for (const status of [
      'booked',
      'confirmed',
      'checked_in',
      'submitted',
      'counter_proposed',
      'delivered',
      'in_progress',
      'contested',
      'disputed',
    ] as const)
      expect(engagements[status], status).toBeGreaterThan(0);
    expect(await counts('interviews')).toEqual({ proposed: 1, scheduled: 3, reschedule_requested: 1 });
    expect(await counts('offers')).toMatchObject({ sent: 2, declined: 1 });
    expect(await counts('disputes')).toEqual({ open: 1 });
  });

  it('has reviews of both sides, most published, and averages to compare', async () => {
    const { rows } = await app.pool.query<{ side: string; published: number; hidden: number }>(
      `select author_side as side, count(*) filter (where state = 'published')::int as published,
         count(*) filter (where state = 'submitted')::int as hidden from reviews group by author_side order by 1`,
    );
    for (const { published } of rows) expect(published).toBeGreaterThan(40);
    expect(rows.map(({ side }) => side)).toEqual(['business', 'worker']);
    const nadia = await findAccountByEmail(app.db, demoAccounts.hirer.email);
    const own = await app.pool.query(
      `select count(*)::int as reviews from reviews join business_members member using (business_id)
       where member.account_id = $1 and author_side = 'worker' and state = 'published'`,
      [nadia?.id],
    );
    expect(own.rows[0].reviews).toBeGreaterThan(5);
  });

  it('is consistent: spots match offers and work, and everyone who works is hired', async () => {
    const { rows } = await sql<{ id: string }>`
      select job.id from jobs job
      where job.hired_count <> (select count(*) from engagements where job_id = job.id
          and status not in ('cancelled_by_worker', 'cancelled_by_merchant'))
        or job.offered_count <> (select count(*) from offers where job_id = job.id and status in ('sent', 'funding'))
        or job.hired_count + job.offered_count > job.head_count
        or (job.status = 'filled') <> (job.hired_count = job.head_count) and job.status in ('open', 'filled')`.execute(
      app.db,
    );
    expect(rows).toEqual([]);
    const overlaps = await sql`select 1 from engagements one join engagements other
      on one.worker_id = other.worker_id and one.id < other.id
        and one.status not like 'cancelled%' and other.status not like 'cancelled%'
        and tstzrange(one.starts_at, one.ends_at) && tstzrange(other.starts_at, other.ends_at)
      where one.starts_at is not null and other.starts_at is not null`.execute(app.db);
    expect(overlaps.rows).toEqual([]);
    const strays = await sql`select 1 from applications application
      where (status = 'hired') <> exists (select 1 from engagements where application_id = application.id)
        or (status = 'interviewing') <> exists (select 1 from interviews where application_id = application.id
          and status in ('proposed', 'scheduled', 'reschedule_requested'))`.execute(app.db);
    expect(strays.rows).toEqual([]);
  });

  it('has invoices in the name of a self-employed worker, one with an objection, and a pro forma', async () => {
    const { rows } = await sql<{ kind: string; reason: string | null }>`select kind, reason
      from worker_invoices left join invoice_objections on invoice_id = id order by kind, reason`.execute(
      app.db,
    );
    expect(rows).toEqual([
      { kind: 'invoice', reason: 'details' },
      { kind: 'invoice', reason: null },
      { kind: 'pro_forma', reason: null },
    ]);
  });

  it('leaves no pending or failed task, and no mail', async () => {
    const { rows } =
      await sql`select task.identifier, job.run_at, job.last_error from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where job.run_at <= ${app.clock.now()} or job.last_error is not null`.execute(app.db);
    expect(rows).toEqual([]);
    expect(app.mails).toEqual([]);
  });

  const idOf = async (email: string) =>
    (await app.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow())
      .id;

  it('gives Leila something to respond to in every part of her work', async () => {
    const leila = await idOf(demoAccounts.worker.email);
    const states = await app.db
      .selectFrom('applications')
      .select('status')
      .where('workerId', '=', leila)
      .execute();
    expect(new Set(states.map(({ status }) => status))).toEqual(
      new Set([
        'submitted',
        'viewed',
        'withdrawn',
        'no_response',
        'hired',
        'interviewing',
        'offered',
        'position_filled',
      ]),
    );
    const scope = app.scopeOf({ accountId: leila });
    const work = await app.db.selectFrom('engagements').selectAll().where('workerId', '=', leila).execute();
    expect(work.filter(({ status }) => status === 'completed').length).toBeGreaterThan(3);
    expect(work.filter(({ status }) => status === 'booked')).toHaveLength(1);
    const [today] = work.filter(({ status }) => status === 'confirmed');
    const seen = await viewEngagement(app.db, scope, today?.id ?? '');
    expect(seen.actions).toContain('check-in');
    const waiting = await app.db
      .selectFrom('applications')
      .select('waitlistedAt')
      .where('workerId', '=', leila)
      .where('status', '=', 'position_filled')
      .execute();
    expect(waiting.map(({ waitlistedAt }) => waitlistedAt !== null)).toEqual([true]);
    const { items } = await myInvitations(app.db, scope, { limit: 10 });
    expect(items.map(({ status }) => status)).toEqual(['sent']);
  });

  it('dates the past correctly: a document is written when it is paid', async () => {
    const late =
      await sql`select 1 from pay_receipts invoice join ledger_entries entry on entry.id = invoice.entry_id
      where invoice.issued_at - entry.at not between interval '0' and interval '1 minute'`.execute(app.db);
    expect(late.rows).toEqual([]);
    const written = await sql<{ count: number }>`select count(*) as count from pay_receipts`.execute(app.db);
    expect(written.rows[0]?.count).toBeGreaterThan(130);
  });

  it('gives Leila money that arrived, was withdrawn, was returned and is in transit', async () => {
    const scope = app.scopeOf({ accountId: await idOf(demoAccounts.worker.email) });
    const { items } = await myWithdrawals(app.db, scope, { limit: 10 });
    expect(items.map(({ status }) => status)).toEqual(['in_transit', 'paid', 'returned']);
    const { methods, balances, identity } = await myBalance(app.db, scope);
    expect(methods).toMatchObject([{ last4: '9000', holderName: 'Leila Haddad', isDefault: true }]);
    expect(new Date(methods[0]?.usableFrom ?? '') < app.clock.now()).toBe(true);
    expect(balances).toMatchObject([
      { currency: 'EUR', pendingMinor: 2_500, reservedMinor: items[0]?.amountMinor },
    ]);
    expect(balances[0]?.availableMinor).toBeGreaterThan(10_000);
    expect(identity.status).toBe('none');
    const statement = await myStatement(app.db, scope, { group: 'all', limit: 100 });
    expect(statement.nextCursor).toBeNull();
    expect(statement.items.filter(({ balanceMinor }) => balanceMinor < 0)).toEqual([]);
    const tips = statement.items.filter(({ kind }) => kind === 'tip' || kind === 'bonus');
    expect(new Set(tips.map(({ amountMinor }) => amountMinor)).size).toBeGreaterThan(2);
    expect(await bookFaults(app.db, app.scopeOf({ accountId: '' }))).toEqual([]);
  });

  it('lets Leila agree to no self-billing agreement before its date', async () => {
    const agreement = await app.db
      .selectFrom('self_billing_agreements')
      .select(['version', 'agreedAt'])
      .where('accountId', '=', await idOf(demoAccounts.worker.email))
      .executeTakeFirstOrThrow();
    const isOlder = agreement.agreedAt.toISOString() < selfBillingDate;
    expect(agreement.version).toBe(isOlder ? selfBillingVersion - 1 : selfBillingVersion);
  });

  it("has invoiced its past months' fees, the night after each, in agreement with the ledger", async () => {
    const today = dayAfter(app.clock.now(), 0);
    const monthBegins = instantAt(`${today.slice(0, 7)}-01`, '00:00');
    const { rows } = await sql<{ businessId: string; invoiced: number; ledger: number }>`
      select engagement.business_id,
        (select coalesce(sum(case kind when 'invoice' then net_minor else -net_minor end), 0)::int from invoices
          where business_id = engagement.business_id) as invoiced,
        sum(posting.amount - sign(posting.amount) * release.worker_fee_minor)::int as ledger
      from ledger_postings posting
      join ledger_entries entry on entry.id = posting.entry_id
      join releases release on release.id = entry.about
      join engagements engagement on engagement.id = release.engagement_id
      where posting.account_id = 'platform_fees:EUR' and entry.at < ${monthBegins}
      group by engagement.business_id`.execute(app.db);
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter(({ invoiced, ledger }) => invoiced !== ledger)).toEqual([]);
    const scope = app.scopeOf({ accountId: await idOf(demoAccounts.hirer.email) });
    const { rows: businesses } = await sql<{ businessId: string }>`
      select business_id from business_members where account_id = ${scope.actor.accountId}`.execute(app.db);
    const lists = await Promise.all(
      businesses.map(({ businessId }) => listInvoices(app.db, scope, { businessId, limit: 10 })),
    );
    const issued = lists.flatMap(({ items }) => items);
    expect(issued.length).toBeGreaterThan(0);
    expect(issued.filter(({ issuedOn }) => !issuedOn.endsWith('-01'))).toEqual([]);
    expect(lists.some(({ uninvoiced }) => uninvoiced.length > 0)).toBe(true);
  });

  it('gives Nadia a job with someone in every lane, ranked and distinct', async () => {
    const nadia = await idOf(demoAccounts.hirer.email);
    const lanes = await app.db
      .selectFrom('applications')
      .innerJoin('jobs', 'jobs.id', 'applications.jobId')
      .select(['applications.status', 'applications.matchScore', 'applications.businessId'])
      .where('jobs.title', '=', 'Barista for the light festival')
      .execute();
    expect(lanes).toHaveLength(25);
    const count = (status: string) => lanes.filter((lane) => lane.status === status).length;
    expect(count('submitted')).toBe(7);
    expect(count('shortlisted')).toBe(3);
    expect(count('interviewing')).toBe(5);
    expect([count('offered'), count('rejected'), count('withdrawn')]).toEqual([1, 3, 1]);
    expect(new Set(lanes.map(({ matchScore }) => matchScore)).size).toBeGreaterThan(8);
    const reliability = await measureBusiness(
      app.db,
      lanes[0]?.businessId ?? '',
      app.clock.now(),
      app.config,
    );
    expect(reliability).toMatchObject({ percent: expect.any(Number), approvalHours: expect.any(Number) });
    const unread = await app.db
      .selectFrom('notifications')
      .select('id')
      .where('accountId', '=', nadia)
      .where('readAt', 'is', null)
      .execute();
    expect(unread).toHaveLength(6);
  });

  it('spreads events over the clock, in order, none in the future', async () => {
    const { rows } = await sql<{ notified: number; minutes: number; now: number; later: number }>`
      select count(*)::int as notified, count(distinct date_trunc('minute', notice.created_at))::int as minutes,
        (count(*) filter (where extract(minute from notice.created_at) = extract(minute from ${app.clock.now()}::timestamptz)))::int as now,
        (count(*) filter (where notice.created_at > ${app.clock.now()}))::int as later
      from notifications notice join accounts account on account.id = notice.account_id
      where account.email in (${demoAccounts.worker.email}, ${demoAccounts.hirer.email}) group by account.id`.execute(
      app.db,
    );
    expect(rows).toHaveLength(2);
    for (const { notified, minutes, now, later } of rows) {
      expect(minutes / notified).toBeGreaterThan(0.85);
      expect(now / notified).toBeLessThan(0.15);
      expect(later).toBe(0);
    }
    const lines = await sql<{ faults: number; ends: number; chats: number }>`
      select (count(*) filter (where at < before))::int as faults,
        count(distinct conversation_id)::int as chats,
        count(distinct date_trunc('minute', ends))::int as ends
      from (select conversation_id, at, lag(at) over talk as before, max(at) over (partition by conversation_id) as ends
        from messages where author_id is not null window talk as (partition by conversation_id order by seq)) said`.execute(
      app.db,
    );
    expect(lines.rows[0]?.faults).toBe(0);
    expect(lines.rows[0]?.chats).toBeGreaterThan(5);
    // Two may end in the same minute by chance.
    expect(lines.rows[0]?.ends).toBeGreaterThanOrEqual((lines.rows[0]?.chats ?? 0) - 1);
  });

  it('accepts the printed password', async () => {
    const answer = await app.raw({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      headers: { origin: app.config.PUBLIC_URL },
      payload: { email: demoAccounts.worker.email, password: 'demo-nearhand' },
    });
    expect(answer.statusCode).toBe(200);
  });
});
