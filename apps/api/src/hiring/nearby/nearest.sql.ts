import { sql } from 'kysely';
import type { ReadDb } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';
import { type ShownRow, shownColumns } from '../jobs/jobs.columns.ts';

/** A place and what its nearest jobs must match. `chord` in metres. */
type Nearest = {
  around: { pos: readonly [number, number, number]; chord: number };
  category: string | null;
  /** The last row of the page before: its chord and id. */
  after: readonly [value: string | number, id: string] | null;
  limit: number;
};

/** Limits that are part of the text: one plan each, and rows beyond the asked limit are dropped. */
const steps = [24, 32, 104] as const;
export const mostNearest = steps[2];

/**
 * The nearest open jobs, in a category or in any, in order. The usual search, so each connection plans it once (ADR 116): there is no box
 * whose size the plan would depend on, and the limit is a literal.
 */
export async function findNearest(
  db: ReadDb,
  { around, category, after, limit }: Nearest,
): Promise<(ShownRow & { chord: number; start_rank: number })[]> {
  const step = steps.find((one) => one >= limit) ?? mostNearest;
  const point = sql`${`(${around.pos.join(',')})`}::cube`;
  const chord = sql`(job.pos <-> ${point})`;
  const { rows } = await sql<ShownRow & { chord: number; start_rank: number }>`${keptPlan}
    select ${shownColumns}, job.start_rank, ${chord} as chord
    from jobs job join businesses business on business.id = job.business_id
    where job.status = 'open'
      ${category === null ? sql`` : sql`and job.category = ${category}`}
      ${after === null ? sql`` : sql`and (${chord}, job.id) > (${after[0]}::float8, ${after[1]}::uuid)`}
    order by ${chord}, job.id limit ${sql.lit(step)}`.execute(db);
  return rows.filter((row) => row.chord <= around.chord).slice(0, limit);
}
