import type { DailyCheck } from '@nearhand/contract/trust/platform-health.rules';
import type { Db } from './db.ts';

/** The last run of a check. `read` is null if not counted. */
export type Audit = {
  name: DailyCheck;
  at: Date;
  checked: number | null;
  findings: number;
  first: readonly string[];
};

const findingsMax = 20;

export async function recordAudit(db: Db, { name, first, ...audit }: Audit): Promise<void> {
  const row = { ...audit, first: first.slice(0, findingsMax) };
  await db
    .insertInto('audits')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

export async function lastAudits(db: Db): Promise<Audit[]> {
  return await db.selectFrom('audits').selectAll().orderBy('name').execute();
}
