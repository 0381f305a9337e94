import type { Currency } from '@nearhand/contract/currencies';
import { seats } from '@nearhand/contract/hiring/seats';
import { sumFreeSeats } from '../../money/holds/holds.sql.ts';
import { businessBalance } from '../../money/wallet/wallet.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findJob } from '../jobs/job-states.ts';
import { requireRecruiter } from '../jobs/job-views.ts';
import { possibleTerms } from './seat-terms.ts';
import { freeSeatsOf } from './seats.ts';

/** Quotes the money for free instant-hire seats. For recruiters. Minor units. @throws job/not-found, job/not-allowed */
export async function seatQuote(
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
  await requireRecruiter(db, scope.actor.accountId, jobId);
  const job = await findJob(db, jobId);
  const terms = possibleTerms(scope, job);
  const free = Math.max(0, freeSeatsOf(job));
  const currency = job.currency as Currency;
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
