import type { Currency } from '@nearhand/contract/currencies';
import { spots } from '@nearhand/contract/hiring/spots';
import { sumFreeSpots } from '../../money/holds/holds.sql.ts';
import { setSpots } from '../../money/holds/spot-holds.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { seesMoney, spendableMinor } from '../../money/wallet/wallet.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { ClockConfigScope, Scope } from '../../platform/http/scope.ts';
import { findJob, lockJob, updateFilledStatus } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { leaveBlock, takeFreeSpot, updateSpots } from '../jobs/jobs.sql.ts';
import { possibleTerms } from './spot-terms.ts';

/** Spots neither taken nor offered. Negative after the number of spots was lowered. */
export const freeSpotsOf = (job: Pick<JobRow, 'headCount' | 'hiredCount' | 'offeredCount'>): number =>
  job.headCount - job.hiredCount - job.offeredCount;

/**
 * Takes a free spot for an offer.
 * @throws offer/no-spot
 */
export async function offerSpot(tx: Tx, jobId: string): Promise<void> {
  if (!(await takeFreeSpot(tx, jobId))) throw new AppError('offer/no-spot');
}

/** Frees the spot of an offer that ended without a hire. */
export async function dropOfferedSpot(tx: Tx, jobId: string): Promise<void> {
  await lockJob(tx, jobId);
  await updateSpots(tx, jobId, { offered: -1 });
}

/**
 * Turns an offered spot into a hired one; the last one fills the job.
 * @returns whether the job is full now
 */
export async function hireSpot(tx: Tx, scope: ClockConfigScope, jobId: string): Promise<{ filled: boolean }> {
  await lockJob(tx, jobId);
  await updateSpots(tx, jobId, { offered: -1, hired: 1 });
  return { filled: (await updateFilledStatus(tx, scope, jobId)) === 'filled' };
}

/**
 * Frees the spot of a cancelled hire. A full job reopens unless it has ended. It leaves its block in any status, since people
 * have the other dates (ADR 414).
 */
export async function freeHiredSpot(tx: Tx, scope: ClockConfigScope, jobId: string): Promise<void> {
  const { asBlock, hiredCount, headCount } = await lockJob(tx, jobId);
  if (asBlock && hiredCount >= headCount) await leaveBlock(tx, jobId);
  await updateSpots(tx, jobId, { hired: -1 });
  await updateFilledStatus(tx, scope, jobId);
}

/** Frees a hired spot that someone takes in the same transaction, so that the locked job doesn't reopen. */
export const passHiredSpot = (tx: Tx, jobId: string): Promise<void> => updateSpots(tx, jobId, { hired: -1 });

/** Quotes the money for free instant-hire spots; the balance only for those who see it. Minor units. */
async function spotQuote(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{
  spots: number;
  eachMinor: number | null;
  totalMinor: number | null;
  balanceMinor: number | null;
  missingMinor: number | null;
  currency: Currency;
}> {
  await requireJobRecruiter(db, scope.actor.accountId, jobId);
  const job = await findJob(db, jobId);
  const terms = possibleTerms(scope, job);
  const free = Math.max(0, freeSpotsOf(job));
  const currency = job.currency;
  const balanceMinor = await spendableMinor(db, job.businessId, currency);
  const eachMinor = terms?.holdMinor ?? null;
  const totalMinor = eachMinor === null ? null : eachMinor * free;
  const setAside = await sumFreeSpots(db, jobId);
  const missingMinor = Math.max(0, (totalMinor ?? 0) - balanceMinor - setAside);
  const isShown = await seesMoney(db, scope, job.businessId);
  return {
    spots: free,
    eachMinor,
    totalMinor,
    balanceMinor: isShown ? balanceMinor : null,
    currency,
    missingMinor: isShown || missingMinor === 0 ? missingMinor : null,
  };
}

/**
 * Funds or refunds spots of an instant-hire job (ADR 75). The job must be locked.
 * @throws payment/balance-short if `all` is required
 */
export async function fundSpots(
  tx: Tx,
  scope: MoneyScope,
  jobId: string,
  { all }: { all: boolean },
): Promise<{ missing: number }> {
  const job = await findJob(tx, jobId);
  const isInstantHire = job.instantHire && job.status === 'open';
  return setSpots(tx, scope, {
    jobId,
    businessId: job.businessId,
    wanted: isInstantHire ? freeSpotsOf(job) : 0,
    terms: isInstantHire ? possibleTerms(scope, job) : null,
    all,
  });
}

export const spotsRoutes = { quote: read(spots.quote, spotQuote) };
