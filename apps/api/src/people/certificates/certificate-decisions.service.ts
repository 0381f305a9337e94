import { dayMs } from '@nearhand/contract/durations';
import type { CertificateDecision, CertificateStatus } from '@nearhand/contract/people/certificates';
import { certificateLimits, endOf, expiryProblem } from '@nearhand/contract/people/certificates.rules';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteFilesNow } from '../files/former-files.service.ts';
import { peopleOutcomes } from '../outcomes.ts';
import {
  type CertificateRow,
  findCertificate,
  lockCertificate,
  moveCertificate,
  replaceShown,
  takeOffFile,
} from './certificates.sql.ts';

const payload = z.object({ certificateId: z.uuid() });
/** Deletes the copy of a decided certificate. */
export const deleteCopyTask = { name: 'certificates.delete-copy', payload };
/** Ends a certificate after its last day. */
export const expireTask = { name: 'certificates.expire', payload };
/** Reminds the person some days before. */
export const remindTask = {
  name: 'certificates.remind',
  payload: payload.extend({ days: z.number().int() }),
};

const statusOf = { confirm: 'checked', refuse: 'refused' } as const;

/**
 * Confirms or refuses a certificate as an operator. The person is notified; a confirmed one replaces an earlier one of its kind and ends by itself after its last day.
 * A repeat is a no-op.
 * @throws certificate/not-found, certificate/wrong-state (data: status), certificate/expired (confirmed after its last day), operator/own-record
 */
export async function decideCertificate(
  tx: Tx,
  scope: Scope,
  input: { certificateId: string; decision: CertificateDecision; reason: string },
): Promise<{ certificateId: string; status: CertificateStatus }> {
  const { certificateId, decision, reason } = input;
  const row = await lockCertificate(tx, certificateId);
  if (!row) throw new AppError('certificate/not-found');
  if (row.account_id === scope.actor.accountId) throw new AppError('operator/own-record');
  const status = statusOf[decision];
  if (row.status === status) return { certificateId, status };
  if (row.status !== 'submitted') throw new AppError('certificate/wrong-state', { status: row.status });
  const now = scope.clock.now();
  if (decision === 'confirm') {
    if (expiryProblem(row.expires_on, now) === 'expired') throw new AppError('certificate/expired');
    await replaceShown(tx, row);
  }
  const decided = { status, reason: reason || null, decided_by: scope.actor.accountId, decided_at: now };
  await moveCertificate(tx, row, 'submitted', decided);
  if (decision === 'confirm') await startTimers(tx, row, now);
  const deleteAt = new Date(now.getTime() + certificateLimits.fileKeptDays * dayMs);
  await enqueue(
    tx,
    deleteCopyTask,
    { certificateId },
    { runAt: deleteAt, key: `certificate-copy/${row.id}` },
  );
  const news = decision === 'confirm' ? 'checked' : 'refused';
  await peopleOutcomes.on.certificateNews(tx, scope, row, { news, reason, event: row.id });
  return { certificateId, status };
}

async function startTimers(tx: Tx, row: CertificateRow, now: Date): Promise<void> {
  const certificateId = row.id;
  const end = endOf(row.expires_on);
  await enqueue(tx, expireTask, { certificateId }, { runAt: end, key: `certificate-end/${row.id}` });
  for (const days of certificateLimits.reminderDays) {
    const runAt = new Date(end.getTime() - days * dayMs);
    if (runAt > now)
      await enqueue(
        tx,
        remindTask,
        { certificateId, days },
        { runAt, key: `certificate-reminder/${row.id}/${days}` },
      );
  }
}

/** For the runner: reminds the owner of a certificate that is still shown. */
export async function remind(
  scope: TaskScope,
  { certificateId, days }: z.infer<typeof remindTask.payload>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await findCertificate(tx, certificateId);
    if (row?.status !== 'checked') return;
    await peopleOutcomes.on.certificateNews(tx, scope, row, {
      news: 'expiring',
      reason: '',
      event: `${row.id}/${days}`,
    });
  });
}

/** For the runner: a certificate is over. A repeat, and one that was replaced or removed, is a no-op. */
export async function expire(scope: TaskScope, certificateId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await findCertificate(tx, certificateId);
    if (!row || !(await moveCertificate(tx, row, 'checked', { status: 'expired' }))) return;
    await peopleOutcomes.on.certificateNews(tx, scope, row, {
      news: 'expired',
      reason: '',
      event: row.id,
    });
  });
}

/** For the runner: deletes the copy for good. A repeat is a no-op. */
export async function deleteCopy({ db }: Pick<TaskScope, 'db'>, certificateId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockCertificate(tx, certificateId);
    if (!row?.file_id) return;
    await takeOffFile(tx, certificateId);
    await deleteFilesNow(tx, [row.file_id]);
  });
}
