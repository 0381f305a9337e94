import { z } from 'zod';
import { refundHold } from '../../money/holds/end-holds.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTasks } from '../../platform/tasks/tasks.ts';
import { endInterviewsOf } from '../interviews/end-interviews.ts';
import { dropOfferedSpot } from '../spots/spots.ts';
import { postOfferLine, type SharedLine } from './offer-lines.ts';
import { nextOfferStatus, type OfferMoveName } from './offers.rules.ts';
import { applicationIdOf, insertOfferMove, type OfferRow, updateOffer } from './offers.sql.ts';

export type OfferMover = { side: 'worker' | 'business'; accountId: string } | { side: 'timer' };

/** Makes and logs one move; job and offer must be locked. The caller moves the application and calls `spotFreed`. */
export async function moveOffer(
  tx: Tx,
  scope: MoneyScope,
  row: OfferRow,
  {
    action,
    mover,
    reason = null,
    keepsApplicant = false,
    shared,
  }: {
    action: Exclude<OfferMoveName, 'send'>;
    mover: OfferMover;
    reason?: string | null;
    /** The application goes on after a withdrawal, and so does its interview. */
    keepsApplicant?: boolean;
    shared?: SharedLine;
  },
): Promise<void> {
  const to = nextOfferStatus(row.status, action, mover.side);
  if (to === null || to === row.status) throw new AppError('offer/wrong-state', { status: row.status });
  const now = scope.clock.now();
  if (!(await updateOffer(tx, row, { status: to, reason, decidedAt: now, updatedAt: now })))
    throw new AppError('offer/stale', { status: row.status });
  const by = mover.side === 'timer' ? 'timer' : mover.accountId;
  await insertOfferMove(tx, {
    id: newId(now),
    offerId: row.id,
    actor: by,
    side: mover.side,
    action,
    fromStatus: row.status,
    toStatus: to,
    reason,
    at: now,
  });
  await cancelTasks(tx, [offerExpiryKey(row.id), reminderKey(row.id)]);
  if (row.status === 'sent') await postOfferLine(tx, scope, row, { action, reason, shared });
  // A decided application needs no interview. After a hire, neither side is named as having cancelled it.
  const isHired = to === 'accepted';
  if (row.status === 'sent' && !keepsApplicant)
    await endInterviewsOf(tx, scope, [applicationIdOf(row)], {
      by: isHired ? 'timer' : by,
      reason: null,
      quietly: isHired,
    });
  if (isHired) return;
  await dropOfferedSpot(tx, row.jobId);
  await refundHold(tx, scope, { offerId: row.id });
}

const payload = z.object({ offerId: z.uuid() });

export const expireOfferTask = { name: 'offers.expire', payload };
export const remindOfOfferTask = { name: 'offers.remind', payload };
export const offerExpiryKey = (offerId: string): string => `${expireOfferTask.name}/${offerId}`;
export const reminderKey = (offerId: string): string => `${remindOfOfferTask.name}/${offerId}`;
