import type { Db } from './db.ts';

/** Daily checks. Each also logs its findings. */
export const auditNames = ['ledger', 'operators-log', 'statements'] as const;
export type AuditName = (typeof auditNames)[number];

/** The last run of a check: how much it read (null: not counted) and what it found, the first findings in short. */
export type Audit = {
  name: AuditName;
  at: Date;
  checked: number | null;
  findings: number;
  first: readonly string[];
};

const keptMax = 20;

/** Keeps the result of a check for the operators' console, instead of the one before. */
export async function recordAudit(db: Db, { name, first, ...audit }: Audit): Promise<void> {
  const row = { ...audit, first: first.slice(0, keptMax) };
  await db
    .insertInto('audits')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** The last run of each check. */
export async function lastAudits(db: Db): Promise<Audit[]> {
  return (await db.selectFrom('audits').selectAll().orderBy('name').execute()) as Audit[];
}
