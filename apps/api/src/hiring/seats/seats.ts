import type { Currency } from '@nearhand/contract/currencies';
import { seats } from '@nearhand/contract/hiring/seats';
import { sumFreeSeats } from '../../money/holds/holds.sql.ts';
import { setSeats } from '../../money/holds/seat-holds.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { businessBalance } from '../../money/wallet/wallet.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findJob, lockJob, settleSeats } from '../jobs/job-states.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { updateSeats } from '../jobs/jobs.sql.ts';
import { possibleTerms } from './seat-terms.ts';

export const freeSeatsOf = (job: Pick<JobRow, 'headCount' | 'hiredCount' | 'offeredCount'>): number =>
  job.headCount - job.hiredCount - job.offeredCount;

/** Takes a free seat for an offer. @throws offer/no-seat */
export async function offerSeat(tx: Tx, jobId: string): Promise<void> {
  const row = await lockJob(tx, jobId);
  if (freeSeatsOf(row) < 1) throw new AppError('offer/no-seat');
  await updateSeats(tx, jobId, { offered: 1 });
}

/** Frees the seat of an offer that ended without a hire. */
export async function dropOfferedSeat(tx: Tx, jobId: string): Promise<void> {
  await lockJob(tx, jobId);
  await updateSeats(tx, jobId, { offered: -1 });
}

/** Turns an offered seat into a hired one; the last one fills the job. @returns whether the job is full now */
export async function hireSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<{ filled: boolean }> {
  await lockJob(tx, jobId);
  await updateSeats(tx, jobId, { offered: -1, hired: 1 });
  return { filled: (await settleSeats(tx, scope, jobId)) === 'filled' };
}

/** Frees the seat of a cancelled hire. A full job reopens unless its life is over. */
export async function freeHiredSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<void> {
  await lockJob(tx, jobId);
  await updateSeats(tx, jobId, { hired: -1 });
  await settleSeats(tx, scope, jobId);
}

/** Quotes the money for free instant-hire seats. Minor units. */
async function seatQuote(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{
  seats: number;
  eachMinor: number | null;
  totalMinor: number | null;
  balanceMinor: number;
  missingMinor: number;
  currency: Currency;
}> {
  await requireJobRecruiter(db, scope.actor.accountId, jobId);
  const job = await findJob(db, jobId);
  const terms = possibleTerms(scope, job);
  const free = Math.max(0, freeSeatsOf(job));
  const currency = job.currency;
  const balanceMinor = await businessBalance(db, job.businessId, currency);
  const eachMinor = terms?.holdMinor ?? null;
  const totalMinor = eachMinor === null ? null : eachMinor * free;
  const setAside = await sumFreeSeats(db, jobId);
  return {
    seats: free,
    eachMinor,
    totalMinor,
    balanceMinor,
    currency,
    missingMinor: Math.max(0, (totalMinor ?? 0) - balanceMinor - setAside),
  };
}

export const seatsRoutes = { quote: read(seats.quote, seatQuote) };

/**
 * Funds or refunds seats of an instant-hire job (ADR 75). The job must be locked.
 * @throws payment/balance-short if `all` is required
 */
export async function fundSeats(
  tx: Tx,
  scope: MoneyScope,
  jobId: string,
  { all }: { all: boolean },
): Promise<{ missing: number }> {
  const job = await findJob(tx, jobId);
  const hires = job.instantHire && job.status === 'open';
  return setSeats(tx, scope, {
    jobId,
    businessId: job.businessId,
    wanted: hires ? freeSeatsOf(job) : 0,
    terms: hires ? possibleTerms(scope, job) : null,
    all,
  });
}
