import { applicantsPath, savedWorkersPath } from '@nearhand/contract/app-paths';
import type { Tx } from '../../platform/db.ts';
import { notifyTreasurers } from '../cards/payers.service.ts';
import { type ChargeSubject, findSubject } from './charge-subjects.sql.ts';
import type { OutcomeScope } from './charges.queue.ts';
import { type SettledCharge, settledCharge } from './charges.service.ts';
import type { ChargeRow } from './charges.sql.ts';

const statement = '/merchant-transaction';

/** Notifies owners, managers, finance and the member who started it that a card was declined, linking to a hold that can still be paid. */
export async function notifyOfFailure(tx: Tx, scope: OutcomeScope, charge: SettledCharge): Promise<void> {
  const subject = await findSubject(tx, charge);
  const hold = subject && waitingHold(subject, scope.clock.now());
  await notifyTreasurers(
    tx,
    scope,
    { businessId: charge.businessId, starter: charge.createdBy },
    {
      topic: 'payment-failed',
      path: hold?.path ?? statement,
      dedupeKey: `payment-failed/${charge.id}`,
      data: {
        amountMinor: charge.amountMinor,
        currency: charge.currency,
        what: charge.failure ?? 'processing_error',
        side: 'business',
        ...(subject ? { jobTitle: subject.title } : {}),
        ...(hold ? { by: hold.payBy.toISOString(), timeZone: hold.timeZone } : {}),
      },
    },
  );
}

/** The unpaid hold of an offer, and where to pay it. */
function waitingHold(subject: ChargeSubject, now: Date) {
  const { application_id: applicationId, offer_id: offerId, pay_by: payBy } = subject;
  if (offerId === null || payBy === null || payBy <= now) return null;
  const path =
    applicationId === null ? savedWorkersPath(offerId) : applicantsPath(subject.job_id, applicationId);
  return { path, payBy, timeZone: subject.time_zone };
}

/** Notifies the same people that the bank asks the card's owner to confirm, linking to where the payment was started. */
export async function notifyOfConfirmation(tx: Tx, scope: OutcomeScope, charge: ChargeRow): Promise<void> {
  const settled = settledCharge(charge);
  const subject = await findSubject(tx, settled);
  await notifyTreasurers(
    tx,
    scope,
    { businessId: settled.businessId, starter: settled.createdBy },
    {
      topic: 'payment-needs-confirmation',
      // A top-up may have begun in a form that only its author can open.
      path: charge.purpose === 'top_up' ? '/merchant-transaction' : charge.return_path,
      dedupeKey: `payment-needs-confirmation/${charge.id}`,
      data: {
        amountMinor: settled.amountMinor,
        currency: settled.currency,
        side: 'business',
        ...(subject ? { jobTitle: subject.title } : {}),
        ...(subject?.pay_by ? { by: subject.pay_by.toISOString(), timeZone: subject.time_zone } : {}),
      },
    },
  );
}

/** Notifies the same people that a charge is disputed, or how the dispute ended. */
export async function notifyOfChargeback(
  tx: Tx,
  scope: OutcomeScope,
  charge: ChargeRow,
  what: 'open' | 'won' | 'lost',
  amountMinor: number,
): Promise<void> {
  await notifyTreasurers(
    tx,
    scope,
    { businessId: charge.business_id, starter: charge.created_by },
    {
      topic: what === 'open' ? 'chargeback-opened' : 'chargeback-closed',
      path: statement,
      dedupeKey: `chargeback/${charge.id}/${what}`,
      data: { amountMinor, currency: charge.currency, what, side: 'business' },
    },
  );
}

/** Notifies the same people that money went back to a card, or that the refund failed and the money is in the balance again. */
export async function notifyOfRefund(
  tx: Tx,
  scope: OutcomeScope,
  refund: { id: string; businessId: string; createdBy: string | null; amountMinor: number; currency: string },
  sent: boolean,
): Promise<void> {
  const { id, businessId, amountMinor, currency } = refund;
  const topic = sent ? 'payment-refunded' : 'payment-refund-failed';
  await notifyTreasurers(
    tx,
    scope,
    { businessId, starter: refund.createdBy },
    {
      topic,
      path: statement,
      dedupeKey: `${topic}/${id}`,
      data: { amountMinor, currency, side: 'business' },
    },
  );
}
