import type { Funding } from '@nearhand/contract/money/funding';
import { confirmByFor } from '@nearhand/contract/work/confirm.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { dayEndsAt } from '@nearhand/contract/zoned-time';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { confirmHours } from './engagement-actions.rules.ts';
import {
  findOverlapping,
  findOverlappingJob,
  insertEngagement,
  insertEngagementMove,
} from './engagements.sql.ts';
import { setAutoSubmit, setConfirmWatch } from './engagements.ts';

export type Booking = {
  offerId: string;
  applicationId: string;
  jobId: string;
  businessId: string;
  workerId: string;
  terms: Terms;
  funding: Funding;
};

/**
 * Books the work of a hire in its transaction; an exclusion constraint prevents concurrent double bookings.
 * @returns the engagement's id
 * @throws engagement/overlap (data: startsAt, endsAt, title of the worker's other booking)
 */
export async function bookEngagement(tx: Tx, scope: ClockConfigScope, booking: Booking): Promise<string> {
  const now = scope.clock.now();
  const id = newId(now);
  const { workerId } = booking;
  const terms = termsAt(scope, booking.terms);
  const startsAt = dateOrNull(terms.kind === 'shift' ? terms.startsAt : null);
  const endsAt = dateOrNull(terms.kind === 'shift' ? terms.endsAt : null);
  const lastDay = terms.dueOn === null ? null : new Date(dayEndsAt(terms.timeZone, terms.dueOn));
  const outcome = await insertEngagement(tx, {
    id,
    offerId: booking.offerId,
    applicationId: booking.applicationId,
    jobId: booking.jobId,
    businessId: booking.businessId,
    workerId,
    kind: terms.kind,
    status: 'booked',
    terms: JSON.stringify(terms),
    funding: booking.funding,
    startsAt,
    endsAt,
    workEndsAt: endsAt ?? lastDay,
    amountMinor: terms.payTotalMinor,
    createdAt: now,
    updatedAt: now,
  });
  if (outcome === 'overlap') {
    const [clash] = startsAt && endsAt ? await findBookings(tx, workerId, startsAt, endsAt) : [];
    throw new AppError('engagement/overlap', clash && overlapData(clash));
  }
  await insertEngagementMove(tx, {
    id: newId(now),
    engagementId: id,
    actor: workerId,
    side: 'worker',
    action: 'book',
    fromStatus: null,
    toStatus: 'booked',
    reason: null,
    at: now,
  });
  if (startsAt && endsAt) {
    await setConfirmWatch(tx, scope, { engagementId: id, startsAt, timeZone: terms.timeZone });
    await setAutoSubmit(tx, { engagementId: id, endsAt });
  }
  return id;
}

/**
 * The terms as they are booked now: without the duty to confirm if it is too late to ask the worker twice.
 */
export function termsAt({ clock, config }: ClockConfigScope, terms: Terms): Terms {
  if (!terms.confirmBy || terms.startsAt === null) return terms;
  const startsAt = new Date(terms.startsAt);
  const applies = confirmByFor(startsAt, terms.timeZone, confirmHours(config), clock.now());
  return applies ? terms : { ...terms, confirmBy: null };
}

const dateOrNull = (text: string | null) => (text === null ? null : new Date(text));
const overlapData = ({ startsAt, endsAt, title }: { startsAt: string; endsAt: string; title: string }) => ({
  startsAt,
  endsAt,
  title,
});

type BookedTime = { id: string; title: string; startsAt: string; endsAt: string };

/** A worker's bookings that overlap a time span, soonest first. */
export async function findBookings(
  db: Db,
  workerId: string,
  startsAt: Date,
  endsAt: Date,
): Promise<BookedTime[]> {
  return (await findOverlapping(db, workerId, startsAt, endsAt)).map(toBooking);
}

/** The worker's bookings that overlap a job, by which applying and hiring are refused. */
export async function bookingsDuringJob(db: Db, workerId: string, jobId: string): Promise<BookedTime[]> {
  return (await findOverlappingJob(db, workerId, jobId)).map(toBooking);
}

const toBooking = (row: Awaited<ReturnType<typeof findOverlapping>>[number]): BookedTime => ({
  id: row.id,
  title: row.title,
  startsAt: row.startsAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
});
