import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import type { CertificateDecision, CertificateStatus } from '@nearhand/contract/people/certificates';
import {
  type CertificateKind,
  certificateExpiryProblem,
  certificateLimits,
  endOf,
} from '@nearhand/contract/people/certificates.rules';
import { type Insertable, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { emitAccount } from '../../platform/realtime/publish-records.ts';
import type { Certificates } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteFilesNow } from '../files/files.ts';
import { peopleHooks } from '../hooks.ts';

const payload = z.object({ certificateId: z.uuid() });
const reminderPayload = payload.extend({ days: z.number().int() });
export const deleteCopyTask = defineTask({
  name: 'certificates.delete-copy',
  payload,
  queue: 'housekeeping',
  run: (scope, { certificateId }) => deleteCopy(scope, certificateId),
});
export const expireTask = defineTask({
  name: 'certificates.expire',
  payload,
  run: (scope, { certificateId }) => expireCertificate(scope, certificateId),
});
export const remindTask = defineTask({
  name: 'certificates.remind',
  payload: reminderPayload,
  run: remindOfExpiry,
});

const copyKey = (certificateId: string) => `certificate-copy/${certificateId}`;
const statusAfter = { confirm: 'checked', refuse: 'refused' } as const;

/** Confirms a certificate, which replaces its predecessor, or refuses it, as an operator. */
export async function decideCertificate(
  tx: Tx,
  scope: Scope,
  input: { certificateId: string; decision: CertificateDecision; reason: string },
): Promise<{ certificateId: string; status: CertificateStatus }> {
  const { certificateId, decision, reason } = input;
  const row = await lockCertificate(tx, certificateId);
  if (!row) throw new AppError('certificate/not-found');
  if (row.accountId === scope.actor.accountId) throw new AppError('operator/own-record');
  const status = statusAfter[decision];
  if (row.status === status) return { certificateId, status };
  if (row.status !== 'submitted') throw new AppError('certificate/wrong-state', { status: row.status });
  const now = scope.clock.now();
  if (decision === 'confirm') {
    if (certificateExpiryProblem(row.expiresOn, now) === 'expired') throw new AppError('certificate/expired');
    await replaceShown(tx, row);
  }
  const decided = { status, reason: reason || null, decidedBy: scope.actor.accountId, decidedAt: now };
  await moveCertificate(tx, row, 'submitted', decided);
  if (decision === 'confirm') await startTimers(tx, row, now);
  const deleteAt = addMs(now, certificateLimits.fileKeptDays * dayMs);
  await enqueue(tx, deleteCopyTask, { certificateId }, { runAt: deleteAt, key: copyKey(row.id) });
  await peopleHooks.on.certificateDecided(tx, scope, row, { decision, reason, by: scope.actor.accountId });
  return { certificateId, status };
}

/**
 * Confirms a certificate whose refusal was reversed, or asks for a new copy if it is deleted. The certificate stays refused
 * if its last day has passed or a newer one of its kind is confirmed. The caller checks access and notifies.
 * @returns whether it is confirmed
 */
export async function reverseCertificate(
  tx: Tx,
  { clock }: ClockScope,
  certificateId: string,
): Promise<boolean> {
  const now = clock.now();
  const row = await lockCertificate(tx, certificateId);
  if (row?.status !== 'refused' || certificateExpiryProblem(row.expiresOn, now) === 'expired') return false;
  const { rows } = await sql`select from certificates newer where newer.account_id = ${row.accountId}
    and newer.kind = ${row.kind} and newer.status = 'checked' and newer.submitted_at > ${row.submittedAt}`.execute(
    tx,
  );
  if (rows.length > 0) return false;
  if (row.fileId === null) {
    await moveCertificate(tx, row, 'refused', { status: 'needs_copy', reason: null });
    return false;
  }
  await replaceShown(tx, row);
  await moveCertificate(tx, row, 'refused', { status: 'checked', reason: null });
  await startTimers(tx, row, now);
  return true;
}

async function startTimers(tx: Tx, row: CertificateRow, now: Date): Promise<void> {
  const certificateId = row.id;
  const end = endOf(row.expiresOn);
  await enqueue(tx, expireTask, { certificateId }, { runAt: end, key: `certificate-end/${row.id}` });
  for (const days of certificateLimits.reminderDays) {
    const runAt = subtractMs(end, days * dayMs);
    if (runAt > now)
      await enqueue(
        tx,
        remindTask,
        { certificateId, days },
        { runAt, key: `certificate-reminder/${row.id}/${days}` },
      );
  }
}

async function remindOfExpiry(
  scope: TaskScope,
  { certificateId, days }: z.infer<typeof reminderPayload>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await findCertificate(tx, certificateId);
    if (row?.status !== 'checked') return;
    await peopleHooks.on.certificateNews(tx, scope, row, {
      news: 'expiring',
      event: `${row.id}/${days}`,
    });
  });
}

/** Ends a certificate; a no-op if it already ended or was replaced. */
async function expireCertificate(scope: TaskScope, certificateId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await findCertificate(tx, certificateId);
    if (!row || !(await moveCertificate(tx, row, 'checked', { status: 'expired' }))) return;
    await peopleHooks.on.certificateNews(tx, scope, row, { news: 'expired', event: row.id });
  });
}

/** Deletes the copy, or tries again the next day while an appeal against the refusal is open, which needs it. */
async function deleteCopy(
  { db, clock }: Pick<TaskScope, 'db' | 'clock'>,
  certificateId: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockCertificate(tx, certificateId);
    if (!row?.fileId) return;
    const { rows: appeals } = await sql`select from appeals appeal
      join sanctions sanction on sanction.id = appeal.sanction_id
      where sanction.certificate_id = ${certificateId} and appeal.outcome is null`.execute(tx);
    if (appeals.length > 0)
      return enqueue(
        tx,
        deleteCopyTask,
        { certificateId },
        { runAt: addMs(clock.now(), dayMs), key: copyKey(certificateId) },
      );
    await takeOffFile(tx, certificateId);
    await deleteFilesNow(tx, [row.fileId]);
  });
}

const columns = [
  'id',
  'accountId',
  'kind',
  'name',
  'expiresOn',
  'status',
  'fileId',
  'reason',
  'submittedAt',
  'decidedAt',
] as const;

export type CertificateRow = {
  id: string;
  accountId: string;
  kind: CertificateKind;
  name: string;
  expiresOn: string;
  status: CertificateStatus;
  fileId: string | null;
  reason: string | null;
  submittedAt: Date;
  decidedAt: Date | null;
};

/** The certificates of a person, newest first, with the decision that keeps one refused. */
export async function findCertificates(
  db: Db,
  accountId: string,
  limit: number,
): Promise<(CertificateRow & { decisionId: string | null })[]> {
  return db
    .selectFrom('certificates')
    .select(columns)
    .select(
      sql<string | null>`(select sanction.id from sanctions sanction
        where sanction.certificate_id = certificates.id and certificates.status = 'refused')`.as(
        'decisionId',
      ),
    )
    .where('accountId', '=', accountId)
    .orderBy('submittedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function findCertificate(db: Db, certificateId: string): Promise<CertificateRow | undefined> {
  return db.selectFrom('certificates').select(columns).where('id', '=', certificateId).executeTakeFirst();
}

async function lockCertificate(tx: Tx, certificateId: string): Promise<CertificateRow | undefined> {
  return tx
    .selectFrom('certificates')
    .select(columns)
    .where('id', '=', certificateId)
    .forUpdate()
    .executeTakeFirst();
}

export async function findCopy(db: Db, fileId: string) {
  return db
    .selectFrom('files')
    .select(['id', 'accountId', 'name', 'mediaType', 'bytes'])
    .where('id', '=', fileId)
    .executeTakeFirst();
}

/** Stores a certificate; false if one of its kind is open or the file is already used. */
export async function insertCertificate(
  tx: Tx,
  row: Insertable<Certificates> & { accountId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('certificates')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  emitAccount(tx, row.accountId);
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns whether a certificate of this kind is being checked; a second can't be submitted. */
export async function isOpenCertificate(db: Db, accountId: string, kind: CertificateKind): Promise<boolean> {
  const row = await db
    .selectFrom('certificates')
    .select('id')
    .where('accountId', '=', accountId)
    .where('kind', '=', kind)
    .where('status', '=', 'submitted')
    .executeTakeFirst();
  return row !== undefined;
}

async function moveCertificate(
  tx: Tx,
  certificate: Pick<CertificateRow, 'id' | 'accountId'>,
  from: CertificateStatus,
  to: { status: CertificateStatus; reason?: string | null; decidedBy?: string; decidedAt?: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('certificates')
    .set(to)
    .where('id', '=', certificate.id)
    .where('status', '=', from)
    .executeTakeFirst();
  emitAccount(tx, certificate.accountId);
  return numUpdatedRows === 1n;
}

async function replaceShown(
  tx: Tx,
  { accountId, kind }: Pick<CertificateRow, 'accountId' | 'kind'>,
): Promise<void> {
  await tx
    .updateTable('certificates')
    .set({ status: 'replaced' })
    .where('accountId', '=', accountId)
    .where('kind', '=', kind)
    .where('status', 'in', ['checked', 'needs_copy'])
    .execute();
  emitAccount(tx, accountId);
}

async function takeOffFile(tx: Tx, certificateId: string): Promise<void> {
  await tx.updateTable('certificates').set({ fileId: null }).where('id', '=', certificateId).execute();
}

export async function deleteCertificate(
  tx: Tx,
  certificate: { id: string; accountId: string },
): Promise<CertificateRow | undefined> {
  const row = await tx
    .deleteFrom('certificates')
    .where('id', '=', certificate.id)
    .where('accountId', '=', certificate.accountId)
    .returning(columns)
    .executeTakeFirst();
  emitAccount(tx, certificate.accountId);
  return row;
}

export async function deleteCertificatesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('certificates').where('accountId', '=', accountId).execute();
}
