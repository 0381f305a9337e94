import { stillHires } from '@nearhand/contract/hiring/jobs.rules';
import type { MoneyNeeds, MoneyScope } from '../../money/hooks.ts';
import { lastMove } from '../../people/businesses/changed-by.ts';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { spotProblemOf } from '../../work/engagements/engagements.sql.ts';
import { makeApplicationMove, mayMoveOn } from '../applications/application-transitions.ts';
import { createRebooked, paidRebookApplication } from '../applications/rebooked.ts';
import { lockJob } from '../jobs/job-transitions.ts';
import { offerEndNow, payingPath, setOfferTimers } from './offer-making.ts';
import { notifyOfOffer } from './offer-notices.ts';
import { moveOffer } from './offer-transitions.ts';
import { nextOfferStatus } from './offers.rules.ts';
import {
  findOfferedApplication,
  findOfferPlace,
  insertOfferMove,
  lockOffer,
  type OfferRow,
  updateOffer,
} from './offers.sql.ts';

/** Locks the job of an offer, then the offer, before money locks its hold (ADR 38). */
export const lockOfferToPay: MoneyNeeds['lockOffer'] = async (tx, scope, offerId) => {
  const row = await lockOfferOf(tx, offerId);
  if (!row) return null;
  return {
    status: row.status === 'funding' ? 'unpaid' : row.status === 'sent' ? 'sent' : 'over',
    canBeSent: await canStillBeSent(tx, scope, row),
    description: `Pay reserved: ${row.terms.title}`,
    page: payingPath(row),
  };
};

async function lockOfferOf(tx: Tx, offerId: string): Promise<OfferRow | null> {
  const place = await findOfferPlace(tx, offerId, null);
  if (!place) return null;
  await lockJob(tx, place.jobId);
  return (await lockOffer(tx, offerId)) ?? null;
}

async function requireOffer(tx: Tx, offerId: string): Promise<OfferRow> {
  const row = await lockOfferOf(tx, offerId);
  if (!row) throw new Error(`there is no offer ${offerId}`);
  return row;
}

/** The offer must be locked. */
async function canStillBeSent(tx: Tx, scope: MoneyScope, row: OfferRow): Promise<boolean> {
  if (row.status !== 'funding') return false;
  const job = await lockJob(tx, row.jobId);
  const { jobId, workerId } = row;
  if (!stillHires(job.status) || (await offerEndNow(tx, scope, job, workerId)) <= scope.clock.now())
    return false;
  if (row.applicationId === null) return (await paidRebookApplication(tx, { jobId, workerId })) !== null;
  const application = await findOfferedApplication(tx, row.applicationId, workerId);
  const [action, who] = sendingMove(row);
  return application !== undefined && mayMoveOn(application.status, action, who);
}

const sendingMove = (row: OfferRow) =>
  row.source === 'waitlist' ? (['waitlist-offer', 'timer'] as const) : (['offer', 'business'] as const);

/** Sends an offer whose money arrived; the time to answer starts now (product.md, Application). */
export async function sendPaidOffer(tx: Tx, scope: MoneyScope, offerId: string): Promise<void> {
  const row = await requireOffer(tx, offerId);
  const to = nextOfferStatus(row.status, 'send', 'timer');
  if (to === null) throw new Error(`offer ${row.id} is ${row.status} and cannot be sent`);
  const now = scope.clock.now();
  const job = await lockJob(tx, row.jobId);
  const actor = (await lastMove(tx, 'offer_moves', row.id))?.actor ?? 'timer';
  const expires = await offerEndNow(tx, scope, job, row.workerId);
  const changes = {
    expiresAt: expires,
    sentAt: now,
    applicationId: await offerTo(tx, scope, row, actor, expires),
  };
  await updateOffer(tx, row, { ...changes, status: to, funding: 'funded', updatedAt: now });
  await insertOfferMove(tx, {
    id: newId(now),
    offerId: row.id,
    actor: 'timer',
    side: 'timer',
    action: 'send',
    fromStatus: row.status,
    toStatus: to,
    reason: null,
    at: now,
  });
  const after = { ...row, ...changes };
  await setOfferTimers(tx, now, after);
  await notifyOfOffer(tx, scope, after, { topic: 'offer-received', to: ['worker'] });
}

async function offerTo(
  tx: Tx,
  scope: MoneyScope,
  row: OfferRow,
  actor: string,
  until: Date,
): Promise<string> {
  const { jobId, workerId } = row;
  const applicationId = row.applicationId ?? (await paidRebookApplication(tx, { jobId, workerId }))?.id;
  if (!applicationId) return createRebooked(tx, scope, { jobId, workerId, actor, until });
  const [action, who] = sendingMove(row);
  await makeApplicationMove(tx, scope, { applicationId, action, who, actor });
  return applicationId;
}

/** Ends an unpaid offer; its spot is not offered to someone else automatically (ADR 73). */
export async function endUnpaidOffer(tx: Tx, scope: MoneyScope, offerId: string): Promise<void> {
  const row = await requireOffer(tx, offerId);
  await moveOffer(tx, scope, row, { action: 'expire', mover: { side: 'timer' } });
  await notifyOfOffer(tx, scope, row, {
    topic: 'hold-unpaid',
    to: ['business'],
    amountMinor: row.terms.holdMinor,
    spotProblem: await spotProblemOf(tx, row.jobId, scope.clock.now()),
  });
}
