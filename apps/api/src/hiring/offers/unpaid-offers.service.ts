import { applicantsPath } from '@nearhand/contract/app-paths';
import { stillHires } from '@nearhand/contract/hiring/jobs';
import type { MoneyOutcomes, MoneyScope } from '../../money/outcomes.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { makeApplicationMove, mayMoveOn } from '../applications/application-moves.service.ts';
import { lockJob } from '../jobs/job-states.service.ts';
import { offerEndNow, setOfferTimers } from './offer-making.service.ts';
import { moveOffer } from './offer-moves.service.ts';
import { notifyOfOffer } from './offer-notices.service.ts';
import { nextOfferStatus } from './offers.rules.ts';
import {
  findLastMover,
  findOfferedApplication,
  findOfferPlace,
  insertOfferMove,
  lockOffer,
  type OfferRow,
  updateFunding,
  updateOffer,
} from './offers.sql.ts';

/** For money, before it locks a hold: locks the job of an offer, then the offer (ADR 0038). */
export const lockOfferToPay: MoneyOutcomes['lockOffer'] = async (tx, scope, offerId) => {
  const row = await lockOfferOf(tx, offerId);
  if (!row) return null;
  return {
    status: row.status === 'funding' ? 'unpaid' : row.status === 'sent' ? 'sent' : 'over',
    canBeSent: await canStillBeSent(tx, scope, row),
    description: `Pay reserved: ${row.terms.title}`,
    returnPath: applicantsPath(row.job_id, row.application_id),
  };
};

async function lockOfferOf(tx: Tx, offerId: string): Promise<OfferRow | null> {
  const place = await findOfferPlace(tx, offerId, null);
  if (!place) return null;
  await lockJob(tx, place.job_id);
  return (await lockOffer(tx, offerId)) ?? null;
}

async function requireOffer(tx: Tx, offerId: string): Promise<OfferRow> {
  const row = await lockOfferOf(tx, offerId);
  if (!row) throw new Error(`there is no offer ${offerId}`);
  return row;
}

/** Whether an unpaid offer can still be sent: its applicant can be offered the job and the work has not started. The offer must be locked. */
async function canStillBeSent(tx: Tx, scope: MoneyScope, row: OfferRow): Promise<boolean> {
  if (row.status !== 'funding') return false;
  const job = await lockJob(tx, row.job_id);
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

/** Sends an offer whose money just arrived: its applicant is notified, and the time to answer starts (product.md, Application). */
export async function sendPaidOffer(tx: Tx, scope: MoneyScope, offerId: string): Promise<void> {
  const row = await requireOffer(tx, offerId);
  const to = nextOfferStatus(row.status, 'send', 'T');
  if (to === null) throw new Error(`offer ${row.id} is ${row.status} and cannot be sent`);
  const now = scope.clock.now();
  const job = await lockJob(tx, row.job_id);
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
  await notifyOfOffer(tx, scope, after, { topic: 'offer-received', to: ['worker'] });
}

/** Ends an offer whose money did not arrive in time; its spot is free again and the recruiters are notified. Nobody else is offered it automatically (ADR 0073). */
export async function endUnpaidOffer(tx: Tx, scope: MoneyScope, offerId: string): Promise<void> {
  const row = await requireOffer(tx, offerId);
  await moveOffer(tx, scope, row, 'expire', { side: 'timer' });
  await notifyOfOffer(tx, scope, row, {
    topic: 'hold-unpaid',
    to: ['business'],
    amountMinor: row.terms.holdMinor,
  });
}

/** For money: updates the funding shown on an offer. Not a move, so the version stays. */
export const setOfferFunding = updateFunding;
