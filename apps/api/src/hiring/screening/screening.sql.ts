import type { Currency } from '@nearhand/contract/currencies';
import type { ScreeningFinding } from '@nearhand/contract/hiring/screening.rules';
import { chordOfMetres, onSphere } from '@nearhand/contract/people/great-circle';
import { sql } from 'kysely';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import type { LocalPay } from './screening.rules.ts';

type PaidJob = {
  businessId: string;
  category: string;
  currency: Currency;
  publicLat: number;
  publicLng: number;
};

export const comparedMax = 500;

export async function findLocalPay(db: Db, job: PaidJob, withinM: number): Promise<LocalPay | null> {
  const place = sql`${`(${onSphere({ lat: job.publicLat, lng: job.publicLng }).join(',')})`}::cube`;
  const { rows } = await sql<{ median: number | null; jobs: number; businesses: number }>`
    select percentile_disc(0.5) within group (order by near.pay_hour_minor) as median, count(*)::int as jobs,
      count(distinct near.business_id)::int as businesses
    from (select near.pay_hour_minor, near.business_id from jobs near
      where near.status = 'open' and near.category = ${job.category} and near.currency = ${job.currency}
        and near.pay_hour_minor is not null and near.business_id <> ${job.businessId}
        and near.pos <@ cube_enlarge(${place}, ${chordOfMetres(withinM)}::float8, 3)
      order by near.pos <-> ${place} limit ${sql.lit(comparedMax)}) near`.execute(db);
  const [row] = rows;
  return row?.median == null ? null : { medianMinor: row.median, jobs: row.jobs, businesses: row.businesses };
}

const originalsMax = 20;

export async function findOriginals(
  db: Db,
  businessId: string,
  probes: readonly (readonly string[])[],
): Promise<{ jobId: string; description: string }[]> {
  if (probes.length === 0) return [];
  const query = probes.map((words) => `(${words.map((word) => `'${word}'`).join(' & ')})`).join(' | ');
  const { rows } = await sql<{ jobId: string; description: string }>`
    select id as "jobId", description from jobs where status = 'open' and business_id <> ${businessId}
      and words @@ to_tsquery('nearhand', ${query}) order by id limit ${originalsMax}`.execute(db);
  return rows;
}

/** Returns the findings that an operator already cleared for this job, so that they don't hold it again. */
export async function findCleared(db: Db, jobId: string): Promise<ScreeningFinding[]> {
  const { rows } = await sql<{ found: ScreeningFinding[] }>`
    select found from job_screenings where job_id = ${jobId} and outcome = 'opened'`.execute(db);
  return rows.flatMap(({ found }) => found);
}

export type ScreeningRow = { id: string; found: ScreeningFinding[]; at: Date };

export async function findUndecided(db: ReadDb, jobId: string): Promise<ScreeningRow | undefined> {
  const { rows } = await sql<ScreeningRow>`
    select id, found, at from job_screenings where job_id = ${jobId} and outcome is null`.execute(db);
  return rows[0];
}

/** A job that is changed while in review keeps its place in the queue. */
export async function saveScreening(
  tx: Tx,
  row: { id: string; jobId: string; found: readonly ScreeningFinding[]; at: Date },
): Promise<void> {
  await sql`insert into job_screenings (id, job_id, found, at)
    values (${row.id}, ${row.jobId}, ${JSON.stringify(row.found)}::jsonb, ${row.at})
    on conflict (job_id) where outcome is null do update set found = excluded.found`.execute(tx);
}

/** Closes a job's open findings. Returns false if there are none. */
export async function decideScreenings(
  tx: Tx,
  jobId: string,
  decision: { outcome: 'opened' | 'refused'; by: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('job_screenings')
    .set({ outcome: decision.outcome, decidedBy: decision.by, decidedAt: decision.at })
    .where('jobId', '=', jobId)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
