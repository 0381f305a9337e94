import { applicantsPath, pageOfWayBack, savedWorkersPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import type { VariantOf } from '@nearhand/contract/talk/topics/notice-facts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { notifyMoneyRoles } from '../money-access.ts';
import { type ChargeFacts, type ChargeRow, chargeFactsOf, type OutcomeScope } from './charges.ts';

const statement = '/merchant-transaction';

/** Notifies who manages the money of a failed charge, and until when they can pay another way. */
export async function notifyOfFailure(tx: Tx, scope: OutcomeScope, charge: ChargeFacts): Promise<void> {
  const subject = await findSubject(tx, charge);
  const hold = subject && waitingHold(subject, scope.clock.now());
  await notifyMoneyRoles(
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
        variant: charge.failure ?? 'processing_error',
        side: 'business',
        jobTitle: subject?.title,
        by: hold?.payBy.toISOString(),
        timeZone: hold?.timeZone,
      },
    },
  );
}

function waitingHold(subject: ChargeSubject, now: Date) {
  const { applicationId, offerId, payBy } = subject;
  if (offerId === null || payBy === null || payBy <= now) return null;
  const path =
    applicationId === null ? savedWorkersPath(offerId) : applicantsPath(subject.jobId, applicationId);
  return { path, payBy, timeZone: subject.timeZone };
}

/** Asks the business to confirm a charge with its bank (3-D Secure). */
export async function notifyOfConfirmation(tx: Tx, scope: OutcomeScope, charge: ChargeRow): Promise<void> {
  const chargeFacts = chargeFactsOf(charge);
  const subject = await findSubject(tx, chargeFacts);
  await notifyMoneyRoles(
    tx,
    scope,
    { businessId: chargeFacts.businessId, starter: chargeFacts.createdBy },
    {
      topic: 'payment-needs-confirmation',
      path: charge.purpose === 'top_up' ? '/merchant-transaction' : pageOfWayBack(charge.returnPath),
      dedupeKey: `payment-needs-confirmation/${charge.id}`,
      data: {
        amountMinor: chargeFacts.amountMinor,
        currency: chargeFacts.currency,
        side: 'business',
        jobTitle: subject?.title,
        by: subject?.payBy ? subject.payBy.toISOString() : undefined,
        timeZone: subject?.payBy ? subject.timeZone : undefined,
      },
    },
  );
}

export async function notifyOfChargeback(
  tx: Tx,
  scope: OutcomeScope,
  charge: ChargeRow,
  variant: VariantOf<'chargeback-opened' | 'chargeback-closed'>,
  { ref, amountMinor }: { ref: string; amountMinor: number },
): Promise<void> {
  await notifyMoneyRoles(
    tx,
    scope,
    { businessId: charge.businessId, starter: charge.createdBy },
    {
      topic: variant === 'open' ? 'chargeback-opened' : 'chargeback-closed',
      path: statement,
      dedupeKey: `chargeback/${ref}/${variant}`,
      data: { amountMinor, currency: charge.currency, variant, side: 'business' },
    },
  );
}

export async function notifyOfRefund(
  tx: Tx,
  scope: OutcomeScope,
  refund: {
    id: string;
    businessId: string;
    createdBy: string | null;
    amountMinor: number;
    currency: Currency;
  },
  isSent: boolean,
): Promise<void> {
  const { id, businessId, amountMinor, currency } = refund;
  const topic = isSent ? 'payment-refunded' : 'payment-refund-failed';
  await notifyMoneyRoles(
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

type ChargeSubject = {
  title: string;
  jobId: string;
  timeZone: string;
  offerId: string | null;
  applicationId: string | null;
  payBy: Date | null;
};

async function findSubject(
  db: Db,
  { purpose, subjectId }: { purpose: string; subjectId: string | null },
): Promise<ChargeSubject | undefined> {
  if (subjectId === null) return undefined;
  const { rows } =
    purpose === 'tip'
      ? await sql<ChargeSubject>`select job.title, job.id as job_id, job.time_zone, null::uuid as offer_id,
        null::uuid as application_id, null::timestamptz as pay_by
          from tips tip join engagements engagement on engagement.id = tip.engagement_id join jobs job on job.id = engagement.job_id
          where tip.id = ${subjectId}`.execute(db)
      : await sql<ChargeSubject>`select job.title, job.id as job_id, job.time_zone, offer.id as offer_id, offer.application_id,
            case when hold.status in ('created', 'authorising') then hold.pay_by end as pay_by
          from holds hold join jobs job on job.id = hold.job_id left join offers offer on offer.id = hold.offer_id
          where hold.id = ${subjectId}`.execute(db);
  return rows[0];
}
