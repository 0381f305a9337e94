import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { answerInvitation } from './invitations.sql.ts';

/** For the applications slice, in the transaction of a submission: whoever was invited and applies has answered. */
export async function markInvitationApplied(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  of: { jobId: string; workerId: string },
): Promise<void> {
  await answerInvitation(tx, of, 'applied', scope.clock.now());
}
