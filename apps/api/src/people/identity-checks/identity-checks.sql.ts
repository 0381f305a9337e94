import type { IdentityCheckStatus } from '@nearhand/contract/people/identity-checks';
import type { IdentityDocument, IdentitySide } from '@nearhand/contract/people/identity-checks.rules';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import type { IdentityChecks } from '../../platform/tables.gen.ts';

const columns = [
  ...(['id', 'account_id', 'document', 'name', 'status', 'reason', 'submitted_at', 'decided_at'] as const),
];

export type CheckRow = {
  id: string;
  account_id: string;
  document: IdentityDocument;
  name: string;
  status: IdentityCheckStatus;
  reason: string | null;
  submitted_at: Date;
  decided_at: Date | null;
};

const emitAccount = (tx: Tx, accountId: string) =>
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });

/** Checks of one account are sent one after the other until the transaction ends. Returns the account's name. */
export async function lockAccount(tx: Tx, accountId: string): Promise<string> {
  const row = await tx
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.name ?? '';
}

/** The account's checks, newest first. */
export async function findChecks(db: Db, accountId: string, limit: number): Promise<CheckRow[]> {
  const rows = await db
    .selectFrom('identity_checks')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows as CheckRow[];
}

export async function findCheck(db: Db, checkId: string): Promise<CheckRow | undefined> {
  const row = await db
    .selectFrom('identity_checks')
    .select(columns)
    .where('id', '=', checkId)
    .executeTakeFirst();
  return row as CheckRow | undefined;
}

/** Whether staff checked the account's document under this name. */
export async function hasVerified(db: Db, accountId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('identity_checks')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('status', '=', 'verified')
    .executeTakeFirst();
  return row !== undefined;
}

/** The newest of the account's documents that was verified. */
export async function findNewestVerified(db: Db, accountId: string): Promise<CheckRow | undefined> {
  const row = await db
    .selectFrom('identity_checks')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('status', '=', 'verified')
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row as CheckRow | undefined;
}

export async function insertCheck(
  tx: Tx,
  row: Insertable<IdentityChecks> & { account_id: string },
): Promise<void> {
  await tx.insertInto('identity_checks').values(row).execute();
  emitAccount(tx, row.account_id);
}

/** Adds the photos; false if one of them belongs to another check. */
export async function insertPhotos(
  tx: Tx,
  photos: readonly { file_id: string; check_id: string; side: IdentitySide }[],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('identity_photos')
    .values([...photos])
    .onConflict((conflict) => conflict.column('file_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === BigInt(photos.length);
}

/** The photos of a check, front first; none once they were deleted. */
export async function findPhotos(db: Db, checkId: string) {
  const rows = await db
    .selectFrom('identity_photos as photo')
    .innerJoin('files', 'files.id', 'photo.file_id')
    .select(['photo.side', 'files.id', 'files.account_id', 'files.purpose', 'files.name'])
    .select(['files.media_type', 'files.bytes'])
    .where('photo.check_id', '=', checkId)
    .orderBy(sql`array_position('{front,back,selfie}', photo.side)`)
    .execute();
  return rows.map((row) => ({ ...row, side: row.side as IdentitySide }));
}

/** Decides a check that is open; false if it no longer is. */
export async function storeDecision(
  tx: Tx,
  check: { id: string; account_id: string },
  decided: {
    status: IdentityCheckStatus;
    reason: string | null;
    decided_by: string | null;
    decided_at: Date;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('identity_checks')
    .set(decided)
    .where('id', '=', check.id)
    .where('status', '=', 'submitted')
    .executeTakeFirst();
  emitAccount(tx, check.account_id);
  return numUpdatedRows === 1n;
}

/** Takes the photos off a check; returns their files, which nothing uses any more. */
export async function deletePhotos(tx: Tx, checkId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('identity_photos')
    .where('check_id', '=', checkId)
    .returning('file_id')
    .execute();
  return rows.map(({ file_id: fileId }) => fileId);
}

/** Deletes all checks of an account; their photos go with them, and the files are left without a use. */
export async function deleteChecksOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('identity_checks').where('account_id', '=', accountId).execute();
}
