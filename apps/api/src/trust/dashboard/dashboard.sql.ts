import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** The last `count` months in a zone, up to that of `now`. */
export type Months = { timeZone: string; now: Date; count: number };

/** The start of the month `back` months before that of `now`, in its zone. */
const monthStart = ({ timeZone, now }: Months, back: number) =>
  sql`((date_trunc('month', ${now}::timestamptz at time zone ${timeZone}) - make_interval(months => ${back})) at time zone ${timeZone})`;

export type HireRow = { month: string; hires: number };

/** Hires per month. */
export async function countHires(db: Db, businessId: string, months: Months): Promise<HireRow[]> {
  const { rows } = await sql<HireRow>`
    select to_char(created_at at time zone ${months.timeZone}, 'YYYY-MM') as month, count(*)::int as hires
    from engagements where business_id = ${businessId} and created_at >= ${monthStart(months, months.count - 1)}
      and created_at < ${monthStart(months, -1)}
    group by 1`.execute(db);
  return rows;
}

export type FilledRow = { job_id: string; title: string; day: string; seconds: number; earlier: boolean };

/**
 * Jobs fully hired in these months and in as many before (`earlier`), with the seconds from publishing to the last hire, latest first. Refilling a freed
 * seat doesn't count again.
 */
export async function findFilled(db: Db, businessId: string, months: Months): Promise<FilledRow[]> {
  const [first, start, end] = [2 * months.count - 1, months.count - 1, -1].map((back) =>
    monthStart(months, back),
  );
  const { rows } = await sql<FilledRow>`
    select job.id as job_id, job.title, to_char(filled.at at time zone ${months.timeZone}, 'YYYY-MM-DD') as day,
      extract(epoch from filled.at - job.published_at)::float8 as seconds, filled.at < ${start} as earlier
    from jobs job
    cross join lateral (
      select created_at as at from engagements where job_id = job.id
      order by created_at, id offset job.head_count - 1 limit 1) filled
    where job.business_id = ${businessId} and job.published_at <= filled.at and filled.at >= ${first} and filled.at < ${end}
      and job.id in (select job_id from engagements where business_id = ${businessId} and created_at >= ${first} and created_at < ${end})
    order by filled.at desc, job.id`.execute(db);
  return rows;
}
