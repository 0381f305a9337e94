import { applicantsPath, jobPath } from '@nearhand/contract/app-paths';
import { dayMs } from '@nearhand/contract/durations';
import type { Invitation } from '@nearhand/contract/hiring/invitations';
import { invitationsPerWorkerDay } from '@nearhand/contract/hiring/invitations.rules';
import type { InviteOutcome } from '@nearhand/contract/hiring/pools';
import { membersAt } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { sayAll } from '../../talk/messages/system-lines.service.ts';
import { notifyAll } from '../../talk/notifications/notifications.service.ts';
import { jobCardsOf } from '../jobs/job-cards.service.ts';
import { requireRecruiter } from '../jobs/job-views.service.ts';
import { inviteOutcome } from './invitations.rules.ts';
import {
  answerInvitation,
  findInvitationOf,
  findInvitations,
  type InvitationRow,
  insertInvitations,
  lockInvitation,
} from './invitations.sql.ts';
import { findInviteFacts, findInvitingJob, findWorkerName, type InvitingJob } from './invite-facts.sql.ts';

/**
 * Invites an earlier applicant of the business to apply for an open job; recruiters only. The worker is notified once: a repeat returns
 * the first invitation, even if it was declined.
 * @throws job/not-found, job/not-allowed, job/not-open, invitation/unknown-worker, invitation/already-applied, invitation/limit (data:
 * limit), worker/unreachable for a worker whom either side blocked
 */
export async function inviteWorker(
  tx: Tx,
  scope: Scope,
  { jobId, workerId, message }: { jobId: string; workerId: string; message: string },
): Promise<{ id: string; workerId: string; at: string }> {
  await requireRecruiter(tx, scope.actor.accountId, jobId);
  const job = await findInvitingJob(tx, jobId);
  if (!job) throw new AppError('job/not-found');
  const before = await findInvitationOf(tx, jobId, workerId);
  if (before) return answerOf(before);
  const [facts] = await findInviteFacts(
    tx,
    { jobId, accountId: scope.actor.accountId },
    [workerId],
    dayBefore(scope),
  );
  if (facts?.applied) throw new AppError('invitation/already-applied');
  if (!facts?.known) throw new AppError('invitation/unknown-worker');
  if (facts.blockedBy.length > 0) throw new AppError('worker/unreachable');
  if (job.status !== 'open') throw new AppError('job/not-open', { status: job.status });
  if (facts.lately >= invitationsPerWorkerDay)
    throw new AppError('invitation/limit', { limit: invitationsPerWorkerDay });
  await sendInvitations(tx, scope, job, { jobId, workerIds: [workerId], message });
  const made = await findInvitationOf(tx, jobId, workerId);
  if (!made) throw new AppError('invitation/unknown-worker');
  return answerOf(made);
}

const dayBefore = ({ clock }: Pick<Scope, 'clock'>): Date => new Date(clock.now().getTime() - dayMs);

/** For the pools slice: whom of these workers an invitation to a job would reach, and why not the others; whether each is free then. */
export async function inviteOutcomes(
  db: Db,
  scope: Pick<Scope, 'clock' | 'actor'>,
  jobId: string,
  workerIds: readonly string[],
): Promise<Map<string, { outcome: InviteOutcome; free: boolean | null }>> {
  const rows = await findInviteFacts(
    db,
    { jobId, accountId: scope.actor.accountId },
    workerIds,
    dayBefore(scope),
  );
  return new Map(
    rows.map((row) => [
      row.workerId,
      { outcome: inviteOutcome(row), free: row.booked === null ? null : !row.booked },
    ]),
  );
}

/**
 * For the pools slice: invites several workers to an open job in one transaction, with a result for each. The caller has checked access.
 * Someone invited in the meantime is not invited again.
 * @throws job/not-found, job/not-open (data: status)
 */
export async function inviteWorkers(
  tx: Tx,
  scope: Scope,
  request: { jobId: string; workerIds: readonly string[]; message: string },
): Promise<{ workerId: string; sent: boolean; outcome: InviteOutcome }[]> {
  const { jobId, workerIds, message } = request;
  const job = await findInvitingJob(tx, jobId);
  if (!job) throw new AppError('job/not-found');
  if (job.status !== 'open') throw new AppError('job/not-open', { status: job.status });
  const outcomes = await inviteOutcomes(tx, scope, jobId, workerIds);
  const ready = workerIds.filter((workerId) => outcomes.get(workerId)?.outcome === 'ready');
  const sent = new Set(await sendInvitations(tx, scope, job, { jobId, workerIds: ready, message }));
  return [...new Set(workerIds)].map((workerId) => {
    const outcome = outcomes.get(workerId)?.outcome ?? 'gone';
    return {
      workerId,
      sent: sent.has(workerId),
      outcome: !sent.has(workerId) && outcome === 'ready' ? 'invited' : outcome,
    };
  });
}

/** Writes and notifies; returns whom. */
async function sendInvitations(
  tx: Tx,
  scope: Scope,
  job: InvitingJob,
  { jobId, workerIds, message }: { jobId: string; workerIds: readonly string[]; message: string },
): Promise<string[]> {
  const at = scope.clock.now();
  const data: Record<string, string> = message ? { reason: message } : {};
  const made = await insertInvitations(
    tx,
    [...new Set(workerIds)].map((workerId) => ({ id: newId(at), workerId })),
    { jobId, by: scope.actor.accountId, message, at },
  );
  await sayAll(
    tx,
    scope,
    made.map(({ id, workerId }) => ({ jobId, workerId, line: 'invited', key: id, data })),
  );
  await notifyAll(
    tx,
    scope,
    made.map(({ id, workerId }) => ({
      accountId: workerId,
      topic: 'application-invited' as const,
      data: noticeOf(job, message),
      path: jobPath(jobId),
      dedupeKey: `application-invited/${id}`,
    })),
  );
  return made.map(({ workerId }) => workerId);
}

const answerOf = (row: InvitationRow) => ({ id: row.id, workerId: row.worker_id, at: row.at.toISOString() });

function noticeOf(job: InvitingJob, message: string): Record<string, string | number> {
  return {
    jobTitle: job.title,
    businessName: job.business_name,
    timeZone: job.time_zone,
    side: 'worker',
    ...(job.starts_at && job.ends_at
      ? { startsAt: job.starts_at.toISOString(), endsAt: job.ends_at.toISOString() }
      : {}),
    ...(job.expires_at ? { by: job.expires_at.toISOString() } : {}),
    // Hourly pay is not a total; only a fixed price is included.
    ...(job.pay_unit === 'fixed' && job.pay_minor !== null
      ? { amountMinor: job.pay_minor, currency: job.currency }
      : {}),
    reason: message,
  };
}

/** The caller's invitations to apply, newest first. @throws request/bad-cursor */
export async function myInvitations(
  db: Db,
  { actor }: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: Invitation[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findInvitations(db, actor.accountId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return { items: await asInvitations(db, page.items), nextCursor: page.nextCursor };
}

/**
 * Declines an invitation and notifies the recruiters. A repeat is a no-op.
 * @throws invitation/not-found (another's too), invitation/wrong-state (data: status) once applied or when the job is no longer open
 */
export async function declineInvitation(
  tx: Tx,
  scope: Scope,
  { invitationId }: { invitationId: string },
): Promise<Invitation> {
  const row = await lockInvitation(tx, invitationId, scope.actor.accountId);
  const [invitation] = row ? await asInvitations(tx, [row]) : [];
  if (!row || !invitation) throw new AppError('invitation/not-found');
  if (invitation.status === 'declined') return invitation;
  if (invitation.status !== 'sent')
    throw new AppError('invitation/wrong-state', { status: invitation.status });
  await answerInvitation(tx, { jobId: row.job_id, workerId: row.worker_id }, 'declined', scope.clock.now());
  await notifyOfDecline(tx, scope, row);
  return { ...invitation, status: 'declined' };
}

async function notifyOfDecline(tx: Tx, scope: Scope, row: InvitationRow): Promise<void> {
  const facts = await findInvitingJob(tx, row.job_id);
  const workerName = await findWorkerName(tx, row.worker_id);
  if (!facts || workerName === undefined) return;
  const recruiters = await membersAt(tx, row.job_id, 'recruiter');
  await notifyAll(
    tx,
    scope,
    recruiters.map((accountId) => ({
      accountId,
      topic: 'application-invitation-declined',
      data: {
        jobTitle: facts.title,
        businessName: facts.business_name,
        workerName,
        timeZone: facts.time_zone,
        side: 'business',
      },
      path: applicantsPath(row.job_id, null),
      dedupeKey: `application-invitation-declined/${row.id}`,
    })),
  );
}

async function asInvitations(db: Db, rows: readonly InvitationRow[]): Promise<Invitation[]> {
  const cards = await jobCardsOf(
    db,
    rows.map((row) => row.job_id),
    { knowsPlace: false, from: null },
  );
  return rows.flatMap((row) => {
    const found = cards.get(row.job_id);
    if (!found) return [];
    const { status, questions: _questions, ...job } = found;
    return [
      {
        id: row.id,
        status: row.status === 'sent' && status !== 'open' ? 'ended' : row.status,
        message: row.message,
        at: row.at.toISOString(),
        job,
      },
    ];
  });
}

/** Marks an invitation as accepted, in the transaction that submits the application. */
export async function markInvitationApplied(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  of: { jobId: string; workerId: string },
): Promise<void> {
  await answerInvitation(tx, of, 'applied', scope.clock.now());
}

/** For an account that is removed (ADR 160). */
export { forgetInvitations } from './invitations.sql.ts';
