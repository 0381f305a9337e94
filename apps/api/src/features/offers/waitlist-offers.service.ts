import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';

/** For the slices that free a seat, in their transaction, after the seat is counted free: offers it to the waitlist in order. Filled in the next step. */
export async function seatFreed(
  _tx: Tx,
  _scope: Pick<Scope, 'clock' | 'config'>,
  _jobId: string,
): Promise<void> {}
