import { sumOf } from '@nearhand/contract/arithmetic';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { byHand } from '../../../test/signal-watch.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import type { Holder } from './changed-statements.sql.ts';
import { linesQuery } from './statement-export.ts';
import { totalsQuery } from './statement-span.ts';
import { type Books, carryAll, makeTopUp } from './statements.fixtures.ts';
import { kindsInGroup } from './statements.rules.ts';
import { lastPaidQuery } from './statements.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let books: Books;

let minh: Person;
let small: Books;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia' });
  leila = await app.person({ name: 'Leila' });
  minh = await app.person({ name: 'Minh' });
  books = await booksOf(leila, 2_500);
  small = await booksOf(minh, 50);
  await sql`analyze`.execute(app.db);
}, 120_000);

async function booksOf(worker: Person, count: number): Promise<Books> {
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { funded: false });
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  const world = { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
  await makeTopUp(world, new Date('2026-01-01T10:00:00Z'), 100_000_000);
  await many(world, worker.accountId, count);
  return world;
}

async function many({ businessId, jobId }: Books, worker: string, count: number) {
  await app.db.transaction().execute(async (tx) => {
    byHand(tx);
    await sql`create temporary table made on commit drop as
      select no, to_timestamp((1768000000000 + no * 7200000) / 1000.0) as at, gen_random_uuid() as work, gen_random_uuid() as about
      from generate_series(0::bigint, ${count - 1}::bigint) as no`.execute(tx);
    await sql`insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
      select work, ${jobId}, ${businessId}, ${worker}, 'withdrawn', at, at, at from made`.execute(tx);
    await sql`insert into offers (id, application_id, job_id, business_id, worker_id, status, source, terms, funding, expires_at, created_at, updated_at)
      select work, work, ${jobId}, ${businessId}, ${worker}, 'accepted', 'business', '{}', 'funded', at, at, at from made`.execute(
      tx,
    );
    await sql`insert into engagements (id, offer_id, application_id, job_id, business_id, worker_id, kind, status, terms, funding, amount_minor, created_at, updated_at)
      select work, work, work, ${jobId}, ${businessId}, ${worker}, 'shift', 'completed', '{"title":"Barista","timeZone":"Europe/Amsterdam"}', 'funded', 100, at, at
      from made`.execute(tx);
    await sql`insert into hours_claims (id, engagement_id, round, by_side, starts_at, ends_at, break_minutes, paid_minutes, amount_minor, at)
      select work, work, 1, 'worker', at, at + interval '1 hour', 0, 60, 100, at from made`.execute(tx);
    await sql`insert into holds (id, business_id, job_id, offer_id, engagement_id, status, currency, pay_minor, fee_minor, business_fee_basis_points,
        worker_fee_basis_points, work_on, created_at, updated_at)
      select work, ${businessId}, ${jobId}, work, work, 'released', 'EUR', 110, 10, 1000, 0, at::date, at, at from made`.execute(
      tx,
    );
    await sql`insert into releases (id, engagement_id, kind, amount_minor, fee_minor, currency, state, at)
      select about, work, 'rest', 100, 10, 'EUR', 'released', at from made`.execute(tx);
    await sql`insert into tips (id, engagement_id, business_id, worker_id, kind, amount_minor, currency, status, given_by, at)
      select about, work, ${businessId}, ${worker}, 'tip', 100, 'EUR', 'paid', ${nadia.accountId}, at from made`.execute(
      tx,
    );
    const balance = `business_balance:${businessId}:EUR`;
    const money = `worker_available:${worker}:EUR`;
    await sql`select count(ledger_post(
        (lpad(to_hex(1768000000000 + no * 7200000 + step), 12, '0') || substr(replace(gen_random_uuid()::text, '-', ''), 13))::uuid,
        kind || '/' || about, kind, 'EUR', case when kind in ('release', 'tip') then about else work end, null,
        to_timestamp((1768000000000 + no * 7200000 + step) / 1000.0), decode(repeat('00', 32), 'hex'), accounts, amounts))
      from (select *, 'hold:' || work || ':EUR' as hold from made) made cross join lateral (values
        (1, 'fund', array[hold, ${balance}], array[120, -120]),
        (2, 'release', array[hold, ${money}, 'platform_fees:EUR'], array[-110, 100, 10]),
        (3, 'hold_returned', array[hold, ${balance}], array[-10, 10]),
        (4, 'tip', array[${money}, ${balance}], array[100, -100])) as entry (step, kind, accounts, amounts)
      `.execute(tx);
  });
}

async function pagesOf(query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[];
  }>`explain (analyze, buffers, timing off, format json) ${query}`.execute(app.db);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (!plan) throw new Error('no plan');
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

const everything = {
  from: '00000000-0000-0000-0000-000000000000',
  before: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** Returns the query cost of a holder's statement pages. */
async function costs(holder: Holder, middle: string) {
  const page = (group: Parameters<typeof kindsInGroup>[0], before = everything.before) =>
    pagesOf(
      linesQuery(holder, {
        currency: 'EUR',
        span: { ...everything, before },
        kinds: kindsInGroup(group),
        withFee: group === 'fees',
        order: 'newest',
        limit: 21,
      }),
    );
  return {
    newest: await page('all'),
    middle: await page('all', middle),
    tips: await page('tips'),
    rare: await page(holder.side === 'business' ? 'funding' : 'withdrawals'),
    fees: await page('fees', middle),
    totals: await pagesOf(totalsQuery(holder, 'EUR', everything)),
    paid: await pagesOf(lastPaidQuery(holder, { currency: 'EUR', before: everything.before })),
    paidBefore: await pagesOf(lastPaidQuery(holder, { currency: 'EUR', before: middle })),
    part: await pagesOf(totalsQuery(holder, 'EUR', { from: middle, before: everything.before })),
  };
}

async function middleOf(read: typeof nadia, { businessId }: Books): Promise<string> {
  const { items } = await read.api.statements.forBusiness({ businessId, limit: 100 });
  return items.at(-1)?.id ?? '';
}

describe('with 10,000 entries', () => {
  it('returns the same statements, years and plots before and after materializing', {
    timeout: 120_000,
  }, async () => {
    const { businessId } = books;
    const read = async () => ({
      business: await nadia.api.statements.forBusiness({ businessId }),
      old: await nadia.api.statements.forBusiness({ businessId, to: '2026-01-20', group: 'releases' }),
      worker: await leila.api.statements.mine({}),
      plots: await nadia.api.dashboard.figures({ businessId, months: 12 }),
      year: await leila.api.statements.year({ year: 2026 }),
    });
    const before = await read();
    expect(before.business.totals).toMatchObject({
      paidMinor: 500_000,
      feesMinor: 25_000,
      closingMinor: 100_000_000 - 2_500 * 210,
    });
    expect(sumOf(before.plots.months, (month) => month.spendMinor)).toBe(525_000);
    await carryAll(app.db);
    expect(await read()).toEqual(before);
  });
  it('pages and totals cost as much as with 200', { timeout: 120_000 }, async () => {
    await carryAll(app.db);
    await sql`analyze`.execute(app.db);
    const ofMany = await costs(
      { side: 'business', businessId: books.businessId },
      await middleOf(nadia, books),
    );
    const ofFew = await costs(
      { side: 'business', businessId: small.businessId },
      await middleOf(nadia, small),
    );
    const paidMany = await costs(
      { side: 'worker', accountId: leila.accountId },
      await middleOf(nadia, books),
    );
    const paidFew = await costs({ side: 'worker', accountId: minh.accountId }, await middleOf(nadia, small));
    if (process.env.SHOW_TIMES)
      process.stdout.write(`${JSON.stringify({ ofMany, ofFew, paidMany, paidFew })}\n`);
    for (const [many, few] of [
      [ofMany, ofFew],
      [paidMany, paidFew],
    ] as const)
      for (const name of Object.keys(few) as (keyof typeof few)[])
        expect(many[name], name).toBeLessThan(2 * few[name] + 20);
    await sql`update statement_carried set upto = '0'`.execute(app.db);
    await sql`delete from statement_lines`.execute(app.db);
    const all = await pagesOf(
      totalsQuery({ side: 'business', businessId: books.businessId }, 'EUR', everything),
    );
    expect(all).toBeGreaterThan(20 * ofFew.totals);
    await carryAll(app.db);
  });
  it('rejects a file that would be too long, with the limit', { timeout: 60_000 }, async () => {
    const { businessId } = books;
    const download = (format: 'csv' | 'pdf', request: object = {}) =>
      nadia.api.downloads.businessStatement({ businessId, format, ...request });
    expect(await failure(download('pdf'))).toMatchObject({
      status: 422,
      code: 'statement/too-long',
      data: { limit: 5_000 },
    });
    const { path } = await download('csv');
    const file = await app.raw({ method: 'GET', url: `/api${path}` });
    expect(file.body.split('\r\n')).toHaveLength(10_000 + 3);
    expect((await download('pdf', { from: '2026-01-10', to: '2026-01-11' })).path).toContain('ticket=');
  });
});
