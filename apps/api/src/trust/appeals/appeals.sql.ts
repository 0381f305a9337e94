import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
import type { Appeals } from '../../platform/tables.gen.ts';

export type AppealRow = {
  id: string;
  sanction_id: string;
  sanction_by: string;
  account_id: string;
  account_name: string;
  words: string;
  at: Date;
  due_at: Date;
  escalated_at: Date | null;
  outcome: 'upheld' | 'overturned' | null;
  reason: string | null;
  decided_by: string | null;
  decided_at: Date | null;
};

const rowsOf = sql`select appeal.id, appeal.sanction_id, appeal.sanction_by, appeal.account_id, account.name as account_name, appeal.words,
    appeal.at, appeal.due_at, appeal.escalated_at, appeal.outcome, appeal.reason, appeal.decided_by, appeal.decided_at
  from appeals appeal join accounts account on account.id = appeal.account_id`;

export async function findAppeal(db: Db, appealId: string): Promise<AppealRow | undefined> {
  const { rows } = await sql<AppealRow>`${rowsOf} where appeal.id = ${appealId}`.execute(db);
  return rows[0];
}

/** False if the decision was appealed before. */
export async function insertAppeal(tx: Tx, row: Insertable<Appeals>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('appeals')
    .values(row)
    .onConflict((conflict) => conflict.column('sanction_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** False if it was decided before. The database refuses the operator who made the decision. */
export async function updateDecided(
  tx: Tx,
  appealId: string,
  decision: { outcome: 'upheld' | 'overturned'; reason: string; by: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('appeals')
    .set({
      outcome: decision.outcome,
      reason: decision.reason,
      decided_by: decision.by,
      decided_at: decision.at,
    })
    .where('id', '=', appealId)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Marks an open appeal whose deadline passed; false otherwise. */
export async function updateEscalated(tx: Tx, appealId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('appeals')
    .set({ escalated_at: at })
    .where('id', '=', appealId)
    .where('outcome', 'is', null)
    .where('escalated_at', 'is', null)
    .where('due_at', '<=', at)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Operators who may decide an appeal. */
export async function findDeciders(
  db: Db,
  of: { sanction_by: string; account_id: string },
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`select account_id from operators where removed_at is null
    and account_id not in (${of.sanction_by}, ${of.account_id})`.execute(db);
  return rows.map((row) => row.account_id);
}

/** For an account that is removed: the outcome stays. */
export async function forgetAppeals(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update appeals set words = ${withoutWords('words', member)}, reason = ${withoutWords('reason', member)}
    where account_id = ${member.accountId} or sanction_id in
      (select id from sanctions where account_id = ${member.accountId})`.execute(tx);
}
