import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import { cancelledEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import { dashboard } from '@nearhand/contract/trust/dashboard';
import { sql } from 'kysely';
import { businessBooks, spendByMonth } from '../../money/statements/statements.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { literals } from '../../platform/prepared-statements.ts';

/** The maximum number of filled jobs listed; medians cover all of them. */
const maxFilled = 200;

/** Returns a business's hiring figures. For owners, managers and finance. Minor units. */
async function businessFigures(
  db: Db,
  { actor, clock, config }: Scope,
  input: { businessId: string; months: number; currency?: Currency },
) {
  const { businessId, months: count } = input;
  const books = await businessBooks(db, businessId, actor.accountId, input.currency);
  const { timeZone, currency } = books;
  const now = clock.now();
  const today = dayIn(timeZone, now);
  const names = monthsUpTo(today.slice(0, 7), count);
  const spent = await spendByMonth(db, businessId, {
    currency,
    timeZone,
    from: `${names[0]}-01`,
    to: today,
  });
  const span = { timeZone, now, count, freeCancelMinutes: config.FREE_CANCEL_MINUTES };
  const hires = await countHires(db, businessId, span);
  const all = await findFilled(db, businessId, span);
  const filled = all.filter(({ earlier }) => !earlier);
  const before = all.filter(({ earlier }) => earlier);
  return {
    ...books,
    months: names.map((month) => {
      const spentRow = spent.find((row) => row.month === month);
      const {
        payMinor = 0,
        feesMinor = 0,
        tipsMinor = 0,
        paidMinutes = 0,
        shiftCostMinor = 0,
      } = spentRow ?? {};
      return {
        month,
        spendMinor: payMinor + feesMinor + tipsMinor,
        payMinor,
        feesMinor,
        tipsMinor,
        paidMinutes,
        costPerHourMinor: costPerHour(shiftCostMinor, paidMinutes),
        hires: hires.find((row) => row.month === month)?.hires ?? 0,
      };
    }),
    filled: filled.slice(0, maxFilled).map((row) => ({
      jobId: row.jobId,
      title: row.title,
      day: row.day,
      hours: roundedHours(row.seconds),
    })),
    medianHours: medianHours(filled),
    medianHoursBefore: medianHours(before),
  };
}

function medianHours(filled: readonly { seconds: number }[]): number | null {
  const seconds = medianOf(filled.map((row) => row.seconds));
  return seconds === null ? null : roundedHours(seconds);
}

/** The last `count` months as YYYY-MM, oldest first. */
export function monthsUpTo(last: string, count: number): string[] {
  const [year = 0, month = 1] = last.split('-').map(Number);
  return Array.from({ length: count }, (_, at) => {
    const index = year * 12 + (month - 1) - (count - 1 - at);
    return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
  });
}

/** The median, halfway between the two middle values for an even count; null without values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

const roundedHours = (seconds: number): number => Math.round(seconds / 360) / 10;

/** The cost per hour in minor units, rounded half up; null if no time was paid. */
export function costPerHour(costMinor: number, minutes: number): number | null {
  if (minutes <= 0) return null;
  return Number((BigInt(costMinor) * 120n + BigInt(minutes)) / (2n * BigInt(minutes)));
}

type Months = { timeZone: string; now: Date; count: number; freeCancelMinutes: number };

/** False for a booking that was undone while cancelling was free (`FREE_CANCEL_MINUTES`): it hired nobody. */
const wasKept = ({
  freeCancelMinutes,
}: Months) => sql`not (status in (${literals(cancelledEngagementStatuses)})
  and updated_at < created_at + make_interval(mins => ${freeCancelMinutes}))`;

const monthStart = ({ timeZone, now }: Months, back: number) =>
  sql`((date_trunc('month', ${now}::timestamptz at time zone ${timeZone}) - make_interval(months => ${back})) at time zone ${timeZone})`;

type HireRow = { month: string; hires: number };

async function countHires(db: Db, businessId: string, months: Months): Promise<HireRow[]> {
  const { rows } = await sql<HireRow>`
    select to_char(created_at at time zone ${months.timeZone}, 'YYYY-MM') as month, count(*)::int as hires
    from engagements where business_id = ${businessId} and created_at >= ${monthStart(months, months.count - 1)}
      and created_at < ${monthStart(months, -1)} and ${wasKept(months)}
    group by 1`.execute(db);
  return rows;
}

type FilledRow = { jobId: string; title: string; day: string; seconds: number; earlier: boolean };

/** Jobs fully hired in these months and as many before (`earlier`). Refilling a freed spot doesn't count again. */
async function findFilled(db: Db, businessId: string, months: Months): Promise<FilledRow[]> {
  const [first, start, end] = [2 * months.count - 1, months.count - 1, -1].map((back) =>
    monthStart(months, back),
  );
  const { rows } = await sql<FilledRow>`
    select job.id as job_id, job.title, to_char(filled.at at time zone ${months.timeZone}, 'YYYY-MM-DD') as day,
      extract(epoch from filled.at - job.published_at)::float8 as seconds, filled.at < ${start} as earlier
    from jobs job
    cross join lateral (
      select created_at as at from engagements where job_id = job.id and ${wasKept(months)}
      order by created_at, id offset job.head_count - 1 limit 1) filled
    where job.business_id = ${businessId} and job.published_at <= filled.at and filled.at >= ${first} and filled.at < ${end}
      and job.id in (select job_id from engagements where business_id = ${businessId} and created_at >= ${first} and created_at < ${end})
    order by filled.at desc, job.id`.execute(db);
  return rows;
}

export const dashboardRoutes = { figures: read(dashboard.figures, businessFigures) };
