import type { OperatorRole } from '@nearhand/contract/operator-roles';
import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Operators } from '../../platform/tables.gen.ts';

/** The account of an address, with what appointing checks. */
export async function findAppointee(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email_verified', 'disabled_at'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** False if the account already is one. */
export async function insertOperator(tx: Tx, row: Insertable<Operators>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operators')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').where('removed_at', 'is', null).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** False if the account isn't one. */
export async function endOperator(tx: Tx, accountId: string, by: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ removed_by: by, removed_at: now })
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export type OperatorRow = {
  account_id: string;
  email: string;
  name: string;
  roles: OperatorRole[];
  added_by: string;
  added_at: Date;
};

/** All current operators, oldest appointment first. */
export async function findOperators(db: Db): Promise<OperatorRow[]> {
  const rows = await db
    .selectFrom('operators')
    .innerJoin('accounts', 'accounts.id', 'operators.account_id')
    .select(['account_id', 'accounts.email', 'accounts.name', 'roles', 'added_by', 'added_at'])
    .where('operators.removed_at', 'is', null)
    .orderBy('operators.added_at')
    .orderBy('operators.id')
    .execute();
  return rows as OperatorRow[];
}

/** The roles of an operator; none for anyone else. */
export async function findRoles(db: Db, accountId: string): Promise<OperatorRole[]> {
  const row = await db
    .selectFrom('operators')
    .select('roles')
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return (row?.roles ?? []) as OperatorRole[];
}

/** Replaces the roles of an operator; false if the account isn't one. */
export async function updateRoles(
  tx: Tx,
  accountId: string,
  roles: readonly OperatorRole[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operators')
    .set({ roles: [...roles] })
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export const findOwnName = (db: Db, accountId: string) =>
  db.selectFrom('accounts').select(['name', 'email']).where('id', '=', accountId).executeTakeFirstOrThrow();

/** Whether an account is an operator now. */
export async function findIsOperator(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operators')
    .select('id')
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}
