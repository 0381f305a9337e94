import { stillHires } from '@nearhand/contract/jobs';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { makeApplicationMove, mayMoveOn } from '../applications/application-moves.service.ts';
import type { MoneyScope } from '../holds/holds.service.ts';
import { lockSeats } from '../jobs/seats.service.ts';
import { offerEndNow, setOfferTimers } from './offer-making.service.ts';
import { moveOffer } from './offer-moves.service.ts';
import { tellOfOffer } from './offer-notices.service.ts';
import { nextOfferStatus } from './offers.rules.ts';
import {
  findLastMover,
  findOfferedApplication,
  findOfferPlace,
  insertOfferMove,
  lockOffer,
  type OfferRow,
  updateOffer,
} from './offers.sql.ts';

/** For the holds slice, before it locks a hold: the job of an offer and the offer, locked in that order (ADR 0038). */
export async function lockOfferOf(tx: Tx, offerId: string): Promise<OfferRow | null> {
  const place = await findOfferPlace(tx, offerId, null);
  if (!place) return null;
  await lockSeats(tx, place.job_id);
  return (await lockOffer(tx, offerId)) ?? null;
}

/** Whether an offer that waits for its money can still go out: its applicant can be offered the job and the work has not begun. The offer must be locked. */
export async function canStillBeSent(tx: Tx, scope: MoneyScope, row: OfferRow): Promise<boolean> {
  if (row.status !== 'funding') return false;
  const job = await lockSeats(tx, row.job_id);
  const application = await findOfferedApplication(tx, row.application_id, row.worker_id);
  const [action, who] = sendingMove(row);
  return (
    stillHires(job.status) &&
    application !== undefined &&
    mayMoveOn(application.status, action, who) &&
    offerEndNow(scope, job) > scope.clock.now()
  );
}

const sendingMove = (row: OfferRow) =>
  row.source === 'waitlist' ? (['waitlist-offer', 'T'] as const) : (['offer', 'M'] as const);

/** Sends an offer whose money has just come: its applicant is told, and the time to answer begins (product.md, Application). */
export async function sendPaidOffer(tx: Tx, scope: MoneyScope, row: OfferRow): Promise<void> {
  const to = nextOfferStatus(row.status, 'send', 'T');
  if (to === null) throw new Error(`offer ${row.id} is ${row.status} and cannot be sent`);
  const now = scope.clock.now();
  const job = await lockSeats(tx, row.job_id);
  const [action, who] = sendingMove(row);
  const actor = (await findLastMover(tx, row.id)) ?? 'timer';
  await makeApplicationMove(tx, scope, { applicationId: row.application_id, action, who, actor });
  const sent = { expires_at: offerEndNow(scope, job), sent_at: now };
  await updateOffer(tx, row, { ...sent, status: to, funding: 'funded', updated_at: now });
  await insertOfferMove(tx, {
    id: newId(now),
    offer_id: row.id,
    actor: 'timer',
    side: 'timer',
    action: 'send',
    from_status: row.status,
    to_status: to,
    reason: null,
    at: now,
  });
  const after = { ...row, ...sent };
  await setOfferTimers(tx, now, after);
  await tellOfOffer(tx, scope, after, { topic: 'offer-received', to: ['worker'] });
}

/**
 * Ends an offer whose money did not come in time, or came too late; its seat is free again. Nobody is offered it by itself: what could not be paid a moment ago would
 * be asked for again (ADR 0073). The recruiters are told.
 */
export async function endUnpaidOffer(tx: Tx, scope: MoneyScope, row: OfferRow): Promise<void> {
  await moveOffer(tx, scope, row, 'expire', { side: 'timer' });
  await tellOfOffer(tx, scope, row, {
    topic: 'hold-unpaid',
    to: ['business'],
    amountMinor: row.terms.holdMinor,
  });
}
