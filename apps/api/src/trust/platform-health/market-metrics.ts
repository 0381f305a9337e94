import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { cancelledEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import { neverPublicJobStatuses } from '@nearhand/contract/hiring/jobs.rules';
import { referenceMinor } from '@nearhand/contract/money/reference-rates';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Audit, lastAudits } from '../../platform/audits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import { registerGauges } from '../../platform/metrics/gauges.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { countOpenDisputes, findPayoutsWaiting } from './platform-health.ts';

/** Bounds sums over whole tables to one per minute. */
const ttlMs = minuteMs;

const labelsOf = ({ name }: Audit) => ({ audit: name });

/** Gauges of the marketplace, from the database, so every process reports the same values. */
export function registerMarketMetrics(
  app: FastifyInstance,
  db: Db,
  clock: Clock,
  config: Pick<Config, 'REFERRAL_DAY_CAP_MINOR' | 'TEXTS_PER_DAY'>,
): void {
  const since = (ms: number) => subtractMs(clock.now(), ms);
  const secondsSince = (at: Date) => Math.max(0, (clock.now().getTime() - at.getTime()) / 1_000);
  registerGauges(
    app,
    { what: 'money', ttlMs, find: () => sumMoney(db) },
    {
      money_minor: {
        help: 'Money in each kind of ledger account, in minor units; the sum of a currency is 0',
        labelNames: ['kind', 'currency'],
        read: (rows) => rows.map(({ kind, currency, amount }) => [{ kind, currency }, amount]),
      },
    },
  );
  registerGauges(
    app,
    { what: 'referral rewards', ttlMs, find: () => findReferralSpending(db, since(dayMs)) },
    {
      referral_rewards_last_day_euro_cents: {
        help: 'Referral rewards paid in 24 hours, in euro cents by the reference rates',
        read: ({ rewards }) => [
          [{}, sumOf(rewards, ({ currency, amount }) => referenceMinor(amount, currency))],
        ],
      },
      referral_rewards_day_cap_euro_cents: {
        help: 'REFERRAL_DAY_CAP_MINOR: what is paid in 24 hours without an operator',
        read: () => [[{}, config.REFERRAL_DAY_CAP_MINOR]],
      },
      referral_rewards_over_cap: {
        help: 'Referrals that wait for an operator because of the daily cap',
        read: ({ overCap }) => [[{}, overCap]],
      },
    },
  );
  registerGauges(
    app,
    { what: 'texts', ttlMs, find: () => countTexts(db, since(dayMs)) },
    {
      texts_last_day: { help: 'Codes texted in 24 hours', read: (count) => [[{}, count]] },
      texts_day_cap: {
        help: 'TEXTS_PER_DAY: beyond it no code is texted',
        read: () => [[{}, config.TEXTS_PER_DAY]],
      },
    },
  );
  registerGauges(
    app,
    { what: 'payouts', ttlMs, find: () => findPayoutsWaiting(db) },
    {
      payouts_waiting: {
        help: 'Withdrawals under way',
        labelNames: ['currency'],
        read: (rows) => rows.map(({ currency, count }) => [{ currency }, count]),
      },
      payouts_oldest_waiting_seconds: {
        help: 'How long the oldest withdrawal has been under way',
        labelNames: ['currency'],
        read: (rows) => rows.map(({ currency, oldestAt }) => [{ currency }, secondsSince(oldestAt)]),
      },
    },
  );
  registerGauges(
    app,
    { what: 'audits', ttlMs, find: () => lastAudits(db) },
    {
      audit_findings: {
        help: 'What the last run of a daily check found',
        labelNames: ['audit'],
        read: (audits) => audits.map((audit) => [labelsOf(audit), audit.findings]),
      },
      audit_age_seconds: {
        help: 'How long ago a daily check last ran',
        labelNames: ['audit'],
        read: (audits) => audits.map((audit) => [labelsOf(audit), secondsSince(audit.at)]),
      },
    },
  );
  registerGauges(
    app,
    {
      what: 'the marketplace',
      ttlMs,
      find: async () => ({
        signUps: await countSignUps(db, since(dayMs)),
        ...(await countSpots(db, since(7 * dayMs), clock.now())),
        disputes: await countOpenDisputes(db),
      }),
    },
    {
      sign_ups_last_day: { help: 'Accounts opened in 24 hours', read: ({ signUps }) => [[{}, signUps]] },
      spots_last_week: {
        help: 'Spots of the shifts that started in 7 days',
        read: ({ spots }) => [[{}, spots]],
      },
      spots_filled_last_week: { help: 'How many of them were filled', read: ({ filled }) => [[{}, filled]] },
      disputes_open: { help: 'Disputes that are not settled', read: ({ disputes }) => [[{}, disputes]] },
    },
  );
}

async function sumMoney(db: Db) {
  const { rows } = await sql<{ kind: string; currency: Currency; amount: number }>`
    select split_part(account, ':', 1) as kind, right(account, 3) as currency, sum(amount)::bigint as amount
    from (
      select id as account, balance::bigint as amount from ledger_accounts
      union all select account_id, amount from ledger_deferred) parts
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

async function countTexts(db: Db, since: Date): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from phone_codes where created_at > ${since}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function countSignUps(db: Db, since: Date): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from accounts where created_at >= ${since}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function countSpots(db: Db, from: Date, until: Date): Promise<{ spots: number; filled: number }> {
  const { rows } = await sql<{ spots: number; filled: number }>`
    select coalesce(sum(job.head_count), 0)::int as spots,
      coalesce(sum(least(job.head_count, (
        select count(*) from engagements where engagements.job_id = job.id
          and status not in (${literals(cancelledEngagementStatuses)})))), 0)::int as filled
    from jobs job
    where job.starts_at >= ${from} and job.starts_at < ${until}
      and job.status not in (${literals(neverPublicJobStatuses)})`.execute(db);
  return rows[0] ?? { spots: 0, filled: 0 };
}

/** Rewards paid since a moment, less those reversed, and referrals blocked by the daily cap. */
async function findReferralSpending(db: Db, since: Date) {
  const { rows: rewards } = await sql<{ currency: Currency; amount: number }>`
    select currency, sum(amount_minor)::bigint as amount from referral_rewards
    where at > ${since} and reversed_at is null group by currency`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from referrals where status = 'checking' and 'day-cap' = any(flags)`.execute(
    db,
  );
  return { rewards, overCap: rows[0]?.count ?? 0 };
}
