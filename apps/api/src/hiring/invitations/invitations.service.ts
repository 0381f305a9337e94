import { applicantsPath, jobPath } from '@nearhand/contract/app-paths';
import type { Invitation } from '@nearhand/contract/hiring/invitations';
import { membersWithRole } from '../../people/businesses/members.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { say } from '../../talk/messages/system-lines.service.ts';
import { notify, notifyAll } from '../../talk/notifications/notifications.service.ts';
import { jobCardsOf } from '../jobs/job-cards.service.ts';
import { requireRecruiter } from '../jobs/job-views.service.ts';
import { findInvitationFacts, type InvitationFacts } from './candidates.sql.ts';
import {
  answerInvitation,
  findInvitationOf,
  findInvitations,
  type InvitationRow,
  insertInvitation,
  lockInvitation,
} from './invitations.sql.ts';

/**
 * Invites an earlier applicant of the business to apply for an open job; recruiters only. The worker is notified once: a repeat returns
 * the first invitation, even if it was declined.
 * @throws job/not-found, job/not-allowed, job/not-open, invitation/unknown-worker, invitation/already-applied
 */
export async function inviteWorker(
  tx: Tx,
  scope: Scope,
  { jobId, workerId, message }: { jobId: string; workerId: string; message: string },
): Promise<{ id: string; workerId: string; at: string }> {
  await requireRecruiter(tx, scope.actor.accountId, jobId);
  const facts = await findInvitationFacts(tx, jobId, workerId);
  if (!facts) throw new AppError('job/not-found');
  const before = await findInvitationOf(tx, jobId, workerId);
  if (before) return answerOf(before);
  if (facts.applied) throw new AppError('invitation/already-applied');
  if (!facts.known) throw new AppError('invitation/unknown-worker');
  if (facts.status !== 'open') throw new AppError('job/not-open', { status: facts.status });
  const at = scope.clock.now();
  const id = newId(at);
  const made = await insertInvitation(tx, { id, jobId, workerId, by: scope.actor.accountId, message, at });
  if (!made) {
    const first = await findInvitationOf(tx, jobId, workerId);
    if (!first) throw new AppError('invitation/unknown-worker');
    return answerOf(first);
  }
  await say(tx, scope, { jobId, workerId }, 'invited', message ? { reason: message } : {}, id);
  await notify(tx, scope, {
    accountId: workerId,
    topic: 'application-invited',
    data: noticeOf(facts, message),
    path: jobPath(jobId),
    dedupeKey: `application-invited/${id}`,
  });
  return { id, workerId, at: at.toISOString() };
}

const answerOf = (row: InvitationRow) => ({ id: row.id, workerId: row.worker_id, at: row.at.toISOString() });

function noticeOf(facts: InvitationFacts, message: string): Record<string, string | number> {
  return {
    jobTitle: facts.title,
    businessName: facts.business_name,
    timeZone: facts.time_zone,
    side: 'worker',
    ...(facts.starts_at && facts.ends_at
      ? { startsAt: facts.starts_at.toISOString(), endsAt: facts.ends_at.toISOString() }
      : {}),
    ...(facts.expires_at ? { by: facts.expires_at.toISOString() } : {}),
    // Hourly pay is not a total; only a fixed price is included.
    ...(facts.pay_unit === 'fixed' && facts.pay_minor !== null
      ? { amountMinor: facts.pay_minor, currency: facts.currency }
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
  const facts = await findInvitationFacts(tx, row.job_id, row.worker_id);
  if (!facts || facts.worker_name === null) return;
  const { worker_name: workerName } = facts;
  const recruiters = await membersWithRole(tx, facts.business_id, 'recruiter');
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

/** For an account that is removed (ADR 0160). */
export { forgetInvitations } from './invitations.sql.ts';
