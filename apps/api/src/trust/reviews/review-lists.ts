import type { Page, PageInput } from '@nearhand/contract/operation';
import { ratingLimits, ratingOf, type StarCounts } from '@nearhand/contract/people/rating.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { OwnReview, ReviewPage, ReviewToWrite } from '@nearhand/contract/trust/reviews';
import type { ReviewSort } from '@nearhand/contract/trust/reviews.rules';
import { z } from 'zod';
import { businessStarCounts } from '../../people/businesses/business-rating.ts';
import { branchLimitOf, businessProfile, requireMay } from '../../people/businesses/businesses.ts';
import { findRole } from '../../people/businesses/members.sql.ts';
import { workerProfile, workerStarCounts } from '../../people/profiles/profiles.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import {
  type Author,
  findGiven,
  findPublished,
  findToWrite,
  type ReviewSubject,
  toOwnReview,
  toPublishedReview,
  toReviewToWrite,
} from './review-views.ts';

type ForSide = { businessId?: string } & PageInput;
type Listed = { sort: ReviewSort; stars?: number } & PageInput;

/** Lists ended work to review. */
export async function reviewsToWrite(
  db: Db,
  scope: Scope,
  input: ForSide & { jobId?: string },
): Promise<Page<ReviewToWrite>> {
  const author = await requireAuthor(db, scope, input.businessId);
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findToWrite(db, author, {
    now: scope.clock.now(),
    jobId: input.jobId ?? null,
    after,
    limit: input.limit + 1,
  });
  const page = cutPage(rows, input.limit, (row) => [row.closesAt.toISOString(), row.id]);
  return { items: page.items.map(toReviewToWrite), nextCursor: page.nextCursor };
}

/** Lists reviews that a worker or a business wrote. */
export async function givenReviews(db: Db, scope: Scope, input: ForSide): Promise<Page<OwnReview>> {
  const author = await requireAuthor(db, scope, input.businessId);
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findGiven(db, author, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [(row.writtenAt as Date).toISOString(), row.id]);
  return { items: page.items.map(toOwnReview), nextCursor: page.nextCursor };
}

async function requireAuthor(db: Db, { actor }: Scope, businessId: string | undefined): Promise<Author> {
  if (businessId === undefined) return { workerId: actor.accountId };
  await requireMay(db, businessId, actor.accountId, 'work');
  return { businessId, branches: await branchLimitOf(db, businessId, actor.accountId) };
}

/** Lists reviews about a business. Public, unless the business is hidden. */
export async function reviewsOfBusiness(
  db: Db,
  scope: Scope<Actor | null>,
  input: Listed & { businessId: string },
): Promise<ReviewPage> {
  const { businessId } = input;
  const role = scope.actor && (await findRole(db, businessId, scope.actor.accountId));
  if (role === null) await businessProfile(db, scope, { businessId });
  const counts = await businessStarCounts(db, businessId);
  const isWhole =
    scope.actor !== null && (await branchLimitOf(db, businessId, scope.actor.accountId)) === null;
  return reviewPage(db, { businessId }, input, counts, isWhole && roleMay(role, 'work'));
}

/** Lists reviews about the caller, or about a worker who applied to them. */
export async function reviewsOfWorker(
  db: Db,
  scope: Scope,
  input: Listed & { workerId: string },
): Promise<ReviewPage> {
  const { workerId } = input;
  const isOwn = workerId === scope.actor.accountId;
  if (!isOwn) await workerProfile(db, scope, { workerId });
  return reviewPage(db, { workerId }, input, await workerStarCounts(db, workerId), isOwn);
}

const starsCursor = z.tuple([z.number().int(), ...newestCursor.def.items]);

async function reviewPage(
  db: Db,
  subject: ReviewSubject,
  input: Listed,
  counts: StarCounts,
  mayReply: boolean,
): Promise<ReviewPage> {
  const after = decodeCursor(input.cursor, starsCursor);
  const { sort, stars, limit } = input;
  const rows = await findPublished(db, subject, { sort, stars: stars ?? null, after, limit: limit + 1 });
  const page = cutPage(rows, limit, (row) => [row.stars, row.publishedAt.toISOString(), row.id]);
  const rating = ratingOf(counts);
  return {
    items: page.items.map((row) => toPublishedReview(row, mayReply)),
    nextCursor: page.nextCursor,
    rating,
    counts: rating.count < ratingLimits.averageRatingsMin ? null : [...counts],
  };
}
