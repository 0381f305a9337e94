import { applicantsPath } from '@nearhand/contract/app-paths';
import type { Tx } from '../../platform/db.ts';
import { type Notice, notifyAll } from '../notifications/notifications.service.ts';
import { type ChargeSubject, findSubject } from './charge-subjects.sql.ts';
import { type SettledCharge, settledCharge } from './charges.service.ts';
import type { ChargeRow } from './charges.sql.ts';
import { treasurersOf } from './payers.service.ts';
import type { OutcomeScope } from './payments.queue.ts';

const statement = '/merchant-transaction';

/** Tells owners, managers and finance, and whoever asked for it, that a card was refused; with the way back to the hold where one waits to be paid. */
export async function tellOfFailure(tx: Tx, scope: OutcomeScope, charge: SettledCharge): Promise<void> {
  const subject = await findSubject(tx, charge);
  const hold = subject && waitingHold(subject, scope.clock.now());
  await tell(tx, scope, await concerned(tx, charge.businessId, charge.createdBy), {
    topic: 'payment-failed',
    path: hold ? applicantsPath(hold.jobId, hold.applicationId) : statement,
    dedupeKey: `payment-failed/${charge.id}`,
    data: {
      amountMinor: charge.amountMinor,
      currency: charge.currency,
      what: charge.failure ?? 'processing_error',
      side: 'business',
      ...(subject ? { jobTitle: subject.title } : {}),
      ...(hold ? { by: hold.payBy.toISOString(), timeZone: hold.timeZone } : {}),
    },
  });
}

/** The hold of an offer that can still be paid another way, and where that is done. */
function waitingHold(subject: ChargeSubject, now: Date) {
  const { application_id: applicationId, pay_by: payBy } = subject;
  if (applicationId === null || payBy === null || payBy <= now) return null;
  return { jobId: subject.job_id, applicationId, payBy, timeZone: subject.time_zone };
}

/** Tells the same people that the bank of the card asks its owner to confirm a charge, where it was paid from: there the way to the bank is. */
export async function tellOfConfirmation(tx: Tx, scope: OutcomeScope, charge: ChargeRow): Promise<void> {
  const settled = settledCharge(charge);
  const subject = await findSubject(tx, settled);
  await tell(tx, scope, await concerned(tx, settled.businessId, settled.createdBy), {
    topic: 'payment-needs-confirmation',
    path: charge.return_path,
    dedupeKey: `payment-needs-confirmation/${charge.id}`,
    data: {
      amountMinor: settled.amountMinor,
      currency: settled.currency,
      side: 'business',
      ...(subject ? { jobTitle: subject.title } : {}),
      ...(subject?.pay_by ? { by: subject.pay_by.toISOString(), timeZone: subject.time_zone } : {}),
    },
  });
}

/** Tells the same people that a charge is disputed, or how that ended. */
export async function tellOfChargeback(
  tx: Tx,
  scope: OutcomeScope,
  charge: ChargeRow,
  what: 'open' | 'won' | 'lost',
  amountMinor: number,
): Promise<void> {
  await tell(tx, scope, await concerned(tx, charge.business_id, charge.created_by), {
    topic: what === 'open' ? 'chargeback-opened' : 'chargeback-closed',
    path: statement,
    dedupeKey: `chargeback/${charge.id}/${what}`,
    data: { amountMinor, currency: charge.currency, what, side: 'business' },
  });
}

/** Tells the same people that money of the balance went back to a card, or could not and is in the balance again. */
export async function tellOfRefund(
  tx: Tx,
  scope: OutcomeScope,
  refund: { id: string; businessId: string; createdBy: string | null; amountMinor: number; currency: string },
  sent: boolean,
): Promise<void> {
  const { id, amountMinor, currency } = refund;
  const topic = sent ? 'payment-refunded' : 'payment-refund-failed';
  await tell(tx, scope, await concerned(tx, refund.businessId, refund.createdBy), {
    topic,
    path: statement,
    dedupeKey: `${topic}/${id}`,
    data: { amountMinor, currency, side: 'business' },
  });
}

async function concerned(tx: Tx, businessId: string, starter: string | null): Promise<string[]> {
  const treasurers = await treasurersOf(tx, businessId);
  return starter === null ? treasurers : [...new Set([...treasurers, starter])];
}

const tell = (
  tx: Tx,
  scope: OutcomeScope,
  accounts: readonly string[],
  notice: Omit<Notice, 'accountId'>,
): Promise<void> =>
  notifyAll(
    tx,
    scope,
    accounts.map((accountId) => ({ ...notice, accountId })),
  );
