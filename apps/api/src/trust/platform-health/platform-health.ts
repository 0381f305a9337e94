import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import { cancelledEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import { neverPublicJobStatuses } from '@nearhand/contract/hiring/jobs.rules';
import { reservedWithdrawalStatuses } from '@nearhand/contract/money/payouts';
import type { Page, PageInput } from '@nearhand/contract/operation';
import {
  type FailedRefund,
  type FailedTask,
  type HealthDay,
  type PlatformHealth,
  platformHealth,
} from '@nearhand/contract/trust/platform-health';
import { healthLimits } from '@nearhand/contract/trust/platform-health.rules';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { lastAudits } from '../../platform/audits.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { atOnce } from '../../platform/tasks/tasks.ts';

/** Returns figures of the last days and pending work, for operators. */
async function platformFigures(db: Db, { clock }: Scope): Promise<PlatformHealth> {
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  const first = new Date(Date.parse(today) - (healthLimits.days - 1) * dayMs);
  const payouts = await findPayoutsWaiting(db);
  return {
    days: await findDays(db, first, new Date(today)),
    disputesOpen: await countOpenDisputes(db),
    payoutsWaiting: payouts.map((row) => ({
      currency: row.currency,
      count: row.count,
      amountMinor: row.amountMinor,
      oldestAt: row.oldestAt.toISOString(),
    })),
    audits: (await lastAudits(db)).map((audit) => ({
      ...audit,
      at: audit.at.toISOString(),
      first: [...audit.first],
    })),
    failedTasks: await countFailedTasks(db, healthLimits.countMax),
  };
}

const cursor = z.tuple([z.string().regex(/^\d{1,18}$/)]);

/** Lists tasks that failed permanently, newest first. For operators with the role. */
async function listFailedTasks(db: Db, _scope: Scope, input: PageInput): Promise<Page<FailedTask>> {
  const after = decodeCursor(input.cursor, cursor);
  const rows = await findFailedTasks(db, { after: after?.[0] ?? null, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.id]);
  return {
    items: page.items.map((row) => ({
      ...row,
      error: (row.error ?? '').slice(0, healthLimits.errorShown),
      failedAt: row.failedAt.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

/** Lists refunds that failed, newest first, for operators who handle payments. */
async function listFailedRefunds(db: Db, _scope: Scope, input: PageInput): Promise<Page<FailedRefund>> {
  const rows = await findFailedRefunds(db, {
    after: decodeCursor(input.cursor, newestCursor),
    limit: input.limit + 1,
  });
  const page = cutPage(rows, input.limit, (row) => [row.updatedAt.toISOString(), row.id]);
  return {
    items: page.items.map(({ id, amountMinor, currency, updatedAt, ...row }) => ({
      id,
      business: { id: row.businessId, name: row.name, isClosed: row.status === 'closed' },
      amountMinor,
      currency,
      card: { brand: row.brand, last4: row.last4 },
      failedAt: updatedAt.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

/** Restarts a failed task with all its attempts. For operators with the role. */
async function retryFailedTask(
  tx: Tx,
  _scope: Scope,
  { taskId }: { taskId: string },
): Promise<{ id: string }> {
  if (!(await restartTask(tx, taskId, atOnce))) throw new AppError('task/not-found');
  return { id: taskId };
}

/** The query needs the index `card_refunds_failed`. */
async function findFailedRefunds(
  db: Db,
  { after, limit }: { after: z.output<typeof newestCursor> | null; limit: number },
) {
  let query = db
    .selectFrom('card_refunds')
    .innerJoin('businesses', 'businesses.id', 'card_refunds.businessId')
    .innerJoin('charges', 'charges.id', 'card_refunds.chargeId')
    .innerJoin('cards', 'cards.id', 'charges.cardId')
    .select([
      'card_refunds.id',
      'card_refunds.businessId',
      'card_refunds.amountMinor',
      'card_refunds.currency',
      'card_refunds.updatedAt',
      'businesses.name',
      'businesses.status',
      'cards.brand',
      'cards.last4',
    ])
    .where('card_refunds.status', '=', 'failed');
  if (after)
    query = query.where(
      sql<boolean>`(card_refunds.updated_at, card_refunds.id) < (${after[0]}, ${after[1]})`,
    );
  return query
    .orderBy('card_refunds.updatedAt', 'desc')
    .orderBy('card_refunds.id', 'desc')
    .limit(limit)
    .execute();
}

async function findDays(db: Db, first: Date, last: Date): Promise<HealthDay[]> {
  const { rows } = await sql<HealthDay>`
    with days as (
      select day, day at time zone 'UTC' as since, (day + interval '1 day') at time zone 'UTC' as until
      from generate_series(${first.toISOString().slice(0, 10)}::timestamp, ${last.toISOString().slice(0, 10)}::timestamp, '1 day') day)
    select to_char(days.day, 'YYYY-MM-DD') as day,
      (select count(*) from accounts where created_at >= days.since and created_at < days.until)::int as "signUps",
      (select count(*) from disputes where created_at >= days.since and created_at < days.until)::int as disputes,
      coalesce(shifts.spots, 0)::int as spots, coalesce(shifts.filled, 0)::int as filled
    from days
    left join lateral (
      select sum(job.head_count) as spots, sum(least(job.head_count, (
        select count(*) from engagements where engagements.job_id = job.id
          and status not in (${literals(cancelledEngagementStatuses)})))) as filled
      from jobs job
      where job.starts_at >= days.since and job.starts_at < days.until
        and job.status not in (${literals(neverPublicJobStatuses)})) shifts on true
    order by days.day`.execute(db);
  return rows;
}

export async function countOpenDisputes(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from disputes where status <> 'settled'`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function findPayoutsWaiting(db: Db) {
  const { rows } = await sql<{ currency: Currency; count: number; amountMinor: number; oldestAt: Date }>`
    select currency, count(*)::int as count, sum(amount_minor)::bigint as amount_minor, min(requested_at) as oldest_at
    from withdrawals where status in (${literals(reservedWithdrawalStatuses)})
    group by currency order by currency`.execute(db);
  return rows;
}

/** Out of attempts, and not running. */
const failed = sql`attempts >= max_attempts and locked_at is null`;

/** Counts up to `limit`, so that a large backlog costs no more than a small one. */
async function countFailedTasks(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from graphile_worker.jobs where ${failed} limit ${limit}) one`.execute(db);
  return rows[0]?.count ?? 0;
}

async function findFailedTasks(db: Db, page: { after: string | null; limit: number }) {
  const { rows } = await sql<{
    id: string;
    name: string;
    attempts: number;
    error: string | null;
    failedAt: Date;
  }>`
    select job.id::text as id, task_identifier as name, attempts::int as attempts, last_error as error, updated_at as failed_at
    from graphile_worker.jobs job where ${failed}
      ${page.after === null ? sql`` : sql`and job.id < ${page.after}::bigint`}
    order by job.id desc limit ${page.limit}`.execute(db);
  return rows;
}

async function restartTask(tx: Tx, taskId: string, due: Date): Promise<boolean> {
  // Locked, so that the second of two calls sees the first one's change.
  const { rows } = await sql`
    with job as (
      select id from graphile_worker._private_jobs
      where id = ${taskId}::bigint and attempts >= max_attempts and locked_at is null for update)
    select restarted.id from job, lateral graphile_worker.reschedule_jobs(
      array[job.id], run_at => ${due}::timestamptz, attempts => 0) restarted`.execute(tx);
  return rows.length > 0;
}

export const platformHealthRoutes = {
  get: read(platformHealth.get, platformFigures),
  failedTasks: read(platformHealth.failedTasks, listFailedTasks),
  failedRefunds: read(platformHealth.failedRefunds, listFailedRefunds),
  retryTask: write(platformHealth.retryTask, retryFailedTask),
};
