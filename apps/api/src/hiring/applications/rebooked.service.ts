import type { ApplicationStatus } from '@nearhand/contract/hiring/applications';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { markInvitationApplied } from '../invitations/invitations.service.ts';
import { rankWorker } from '../matching/ranking.service.ts';
import { mayMoveOn } from './application-moves.service.ts';
import { findRebookFacts, insertRebooked } from './rebooked.sql.ts';

type To = { jobId: string; workerId: string };

/**
 * For direct offers: the worker's application to the job if they have one that can be offered it, otherwise null.
 * @throws profile/not-found for a worker whom the business does not know, worker/unreachable if either side blocked the other,
 * application/wrong-state (data: status) for an application that can't be offered the job any more
 */
export async function requireRebookable(
  db: Db,
  scope: Pick<Scope, 'actor'>,
  { jobId, workerId }: To,
): Promise<string | null> {
  const facts = await findRebookFacts(db, jobId, workerId, scope.actor.accountId);
  if (!facts?.known) throw new AppError('profile/not-found');
  if (facts.blocked) throw new AppError('worker/unreachable');
  if (facts.status !== null && !mayMoveOn(facts.status, 'offer', 'M'))
    throw new AppError('application/wrong-state', { status: facts.status });
  return facts.application_id;
}

/** For an offer whose money just arrived: the application as it is now; null if it can't be sent to this worker any more. */
export async function applicationToRebook(
  db: Db,
  { jobId, workerId }: To,
): Promise<{ id: string | null; status: ApplicationStatus | null } | null> {
  const facts = await findRebookFacts(db, jobId, workerId, null);
  if (!facts?.known || facts.blocked) return null;
  if (facts.status !== null && !mayMoveOn(facts.status, 'offer', 'M')) return null;
  return { id: facts.application_id, status: facts.status };
}

/**
 * For offers, in the transaction that sends one: the application of a worker who did not apply, in status `offered` (ADR 165). The job must
 * be locked. A pending invitation to the job is answered by it.
 * @param offer.actor the account that offers
 * @returns the application's id
 * @throws application/wrong-state if they applied in the meantime
 */
export async function createRebooked(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  { jobId, workerId, actor, until }: To & { actor: string; until: Date },
): Promise<string> {
  const at = scope.clock.now();
  const id = newId(at);
  if (!(await insertRebooked(tx, { id, moveId: newId(at), jobId, workerId, actor, at, until })))
    throw new AppError('application/wrong-state');
  await markInvitationApplied(tx, scope, { jobId, workerId });
  await rankWorker(tx, workerId);
  return id;
}
