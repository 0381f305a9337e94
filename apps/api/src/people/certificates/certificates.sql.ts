import type { CertificateStatus } from '@nearhand/contract/people/certificates';
import type { CertificateKind } from '@nearhand/contract/people/certificates.rules';
import type { Insertable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import type { Certificates } from '../../platform/tables.gen.ts';

const columns = [
  ...(['id', 'account_id', 'kind', 'name', 'expires_on', 'status', 'file_id'] as const),
  ...(['reason', 'submitted_at', 'decided_at'] as const),
];

export type CertificateRow = {
  id: string;
  account_id: string;
  kind: CertificateKind;
  name: string;
  expires_on: string;
  status: CertificateStatus;
  file_id: string | null;
  reason: string | null;
  submitted_at: Date;
  decided_at: Date | null;
};

const emitAccount = (tx: Tx, accountId: string) =>
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });

/** The account's newest certificates. */
export async function findCertificates(db: Db, accountId: string, limit: number): Promise<CertificateRow[]> {
  const rows = await db
    .selectFrom('certificates')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('submitted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows as CertificateRow[];
}

export async function findCertificate(db: Db, certificateId: string): Promise<CertificateRow | undefined> {
  const row = await db
    .selectFrom('certificates')
    .select(columns)
    .where('id', '=', certificateId)
    .executeTakeFirst();
  return row as CertificateRow | undefined;
}

/** The same, locked until the transaction ends. */
export async function lockCertificate(tx: Tx, certificateId: string): Promise<CertificateRow | undefined> {
  const row = await tx
    .selectFrom('certificates')
    .select(columns)
    .where('id', '=', certificateId)
    .forUpdate()
    .executeTakeFirst();
  return row as CertificateRow | undefined;
}

/** The file of a certificate; undefined once its copy was deleted. */
export async function findCopy(db: Db, fileId: string) {
  return db
    .selectFrom('files')
    .select(['id', 'account_id', 'name', 'media_type', 'bytes'])
    .where('id', '=', fileId)
    .executeTakeFirst();
}

/** Stores a certificate; false if one of its kind is open, or its file belongs to another one. */
export async function insertCertificate(
  tx: Tx,
  row: Insertable<Certificates> & { account_id: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('certificates')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  emitAccount(tx, row.account_id);
  return numInsertedOrUpdatedRows === 1n;
}

/** Whether a certificate of this kind is with staff. */
export async function isOpen(db: Db, accountId: string, kind: CertificateKind): Promise<boolean> {
  const row = await db
    .selectFrom('certificates')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('status', '=', 'submitted')
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves a certificate on; false if it is no longer in that state. */
export async function moveCertificate(
  tx: Tx,
  certificate: Pick<CertificateRow, 'id' | 'account_id'>,
  from: CertificateStatus,
  to: { status: CertificateStatus; reason?: string | null; decided_by?: string; decided_at?: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('certificates')
    .set(to)
    .where('id', '=', certificate.id)
    .where('status', '=', from)
    .executeTakeFirst();
  emitAccount(tx, certificate.account_id);
  return numUpdatedRows === 1n;
}

/** Ends the shown certificate of a kind, for one that takes its place. */
export async function replaceShown(
  tx: Tx,
  { account_id: accountId, kind }: Pick<CertificateRow, 'account_id' | 'kind'>,
): Promise<void> {
  await tx
    .updateTable('certificates')
    .set({ status: 'replaced' })
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('status', '=', 'checked')
    .execute();
  emitAccount(tx, accountId);
}

export async function takeOffFile(tx: Tx, certificateId: string): Promise<void> {
  await tx.updateTable('certificates').set({ file_id: null }).where('id', '=', certificateId).execute();
}

/** Deletes a certificate of this account. */
export async function deleteCertificate(
  tx: Tx,
  certificate: { id: string; account_id: string },
): Promise<CertificateRow | undefined> {
  const row = await tx
    .deleteFrom('certificates')
    .where('id', '=', certificate.id)
    .where('account_id', '=', certificate.account_id)
    .returning(columns)
    .executeTakeFirst();
  emitAccount(tx, certificate.account_id);
  return row as CertificateRow | undefined;
}

export async function deleteCertificatesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('certificates').where('account_id', '=', accountId).execute();
}
