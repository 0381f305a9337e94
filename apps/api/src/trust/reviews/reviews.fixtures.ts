import { addMs, hourMs } from '@nearhand/contract/durations';
import type { OwnReview, ReviewWords } from '@nearhand/contract/trust/reviews';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BothSides, makeEngagement, workThrough } from '../../work/engagements/engagements.fixtures.ts';
import { writeReview } from './reviews.ts';

export const makeReview = (
  db: Db,
  scope: Scope,
  engagementId: string,
  words: Partial<ReviewWords> = {},
): Promise<OwnReview> =>
  db
    .transaction()
    .execute((tx) =>
      writeReview(tx, scope, { engagementId, stars: 5, tags: [], body: '', again: null, ...words }),
    );

/** A shift worked and paid as planned, approved and open to reviews 20 hours after its end. */
export async function makeEndedWork(
  db: Db,
  sides: BothSides,
  businessId: string,
  startsAt: Date,
): Promise<{ id: string; jobId: string; endedAt: Date }> {
  const endsAt = addMs(startsAt, 4 * hourMs);
  const work = await makeEngagement(db, sides, businessId, {
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    breakMinutes: 0,
  });
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...sides[side],
    clock: { now: () => moment },
  });
  await workThrough(db, at, work, 'completed');
  return { id: work.id, jobId: work.jobId, endedAt: addMs(endsAt, 20 * hourMs) };
}
