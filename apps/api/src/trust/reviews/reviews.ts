import { addMs, dayMs } from '@nearhand/contract/durations';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { findContactDetails } from '@nearhand/contract/people/contact-details.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { otherSide, type Side } from '@nearhand/contract/sides';
import type {
  OwnReview,
  PublishedReview,
  ReviewToWrite,
  ReviewWords,
} from '@nearhand/contract/trust/reviews';
import { z } from 'zod';
import { rankWorker } from '../../hiring/matching/ranking.ts';
import { addToBusinessRating } from '../../people/businesses/business-rating.ts';
import { addToWorkerRating } from '../../people/profiles/profiles.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTasks, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import type { WorkEvents } from '../../work/hooks.ts';
import { notifyOfReview } from './review-notices.ts';
import {
  areTagsOf,
  findPublishedReview,
  findReviewsOf,
  type OwnReviewRow,
  toOwnReview,
  toPublishedReview,
  toReviewToWrite,
  wordsToCheck,
} from './review-views.ts';
import {
  findReview,
  findSides,
  insertReviews,
  lockReviews,
  type ReviewRow,
  updateReview,
} from './reviews.sql.ts';

/** Opens the reviews of both sides when work ends. Idempotent. */
export const openReviews: WorkEvents['workEnded'] = async (tx, scope, work) => {
  const endedAt = scope.clock.now();
  const closesAt = addMs(endedAt, scope.config.REVIEW_DAYS * dayMs);
  const shared = {
    engagementId: work.engagementId,
    jobId: work.jobId,
    workerId: work.workerId,
    businessId: work.businessId,
    state: 'open' as const,
    endedAt,
    closesAt,
  };
  const opened = await insertReviews(tx, [
    { ...shared, id: newId(endedAt), authorSide: 'worker' },
    { ...shared, id: newId(endedAt), authorSide: 'business' },
  ]);
  if (!opened) return;
  await setPublication(tx, work.engagementId, closesAt);
  await setReminders(tx, work.engagementId, { endedAt, closesAt });
};

/** Reminds each side that has not written, without telling the other. */
async function remindToReview(scope: TaskScope, engagementId: string, day: number): Promise<void> {
  await scope.db.transaction().execute(async (tx: Tx) => {
    const now = scope.clock.now();
    for (const review of await lockReviews(tx, engagementId))
      if (review.state === 'open' && review.closesAt > now)
        await notifyOfReview(tx, scope, review, {
          topic: 'review-reminder',
          to: [review.authorSide],
          by: review.closesAt,
          event: String(day),
        });
  });
}

/** Days after the end of the work. */
const reviewReminderDays = [2, 12];

const publishReviewsTask = defineTask({
  name: 'reviews.publish',
  payload: z.object({ engagementId: z.uuid() }),
  run: (scope, { engagementId }) => publishReviews(scope, engagementId),
});
const remindToReviewTask = defineTask({
  name: 'reviews.remind',
  payload: z.object({ engagementId: z.uuid(), day: z.number().int() }),
  run: (scope, { engagementId, day }) => remindToReview(scope, engagementId, day),
});

const publicationKey = (engagementId: string): string => `${publishReviewsTask.name}/${engagementId}`;
const reminderKey = (engagementId: string, day: number) =>
  `${remindToReviewTask.name}/${engagementId}/${day}`;
const reminderKeys = (engagementId: string): string[] =>
  reviewReminderDays.map((day) => reminderKey(engagementId, day));

const setPublication = (tx: Tx, engagementId: string, at: Date): Promise<void> =>
  enqueue(tx, publishReviewsTask, { engagementId }, { runAt: at, key: publicationKey(engagementId) });

async function setReminders(
  tx: Tx,
  engagementId: string,
  { endedAt, closesAt }: { endedAt: Date; closesAt: Date },
): Promise<void> {
  for (const day of reviewReminderDays) {
    const runAt = addMs(endedAt, day * dayMs);
    if (runAt < closesAt)
      await enqueue(
        tx,
        remindToReviewTask,
        { engagementId, day },
        { runAt, key: reminderKey(engagementId, day) },
      );
  }
}

/**
 * Reviews the other side of ended work, for the worker or a recruiter. Hidden until both have written or the
 * deadline passes.
 */
export async function writeReview(
  tx: Tx,
  scope: Scope,
  { engagementId, ...words }: ReviewWords & { engagementId: string },
): Promise<OwnReview> {
  const now = scope.clock.now();
  const side = await requireSide(tx, scope, engagementId);
  const reviews = await lockReviews(tx, engagementId);
  const ownReview = reviews.find((review) => review.authorSide === side);
  if (!ownReview) throw new AppError('review/not-open');
  if (ownReview.stars !== null) throw new AppError('review/already-written', { reviewId: ownReview.id });
  if (ownReview.state !== 'open' || ownReview.closesAt <= now)
    throw new AppError('review/closed', { until: ownReview.closesAt.toISOString() });
  requireWords(ownReview, words);
  await updateReview(
    tx,
    ownReview,
    { action: 'write', mover: side, actor: scope.actor.accountId, at: now },
    { ...columnsOf(words, scope), writtenAt: now },
  );
  await publishWhenComplete(tx, scope, engagementId);
  return ownView(tx, ownReview);
}

/** Edits a hidden review. For its author's side. */
export async function editReview(
  tx: Tx,
  scope: Scope,
  { reviewId, version, ...words }: ReviewWords & { reviewId: string; version: number },
): Promise<OwnReview> {
  const now = scope.clock.now();
  const { row, side } = await openReview(tx, scope, reviewId);
  if (row.authorSide !== side || row.stars === null) throw new AppError('review/not-found');
  if (row.state === 'removed') throw new AppError('review/removed');
  if (row.state !== 'submitted' || row.closesAt <= now) throw new AppError('review/published');
  if (row.version !== version) throw new AppError('review/stale', { version: row.version });
  requireWords(row, words);
  const move = { action: 'edit', mover: side, actor: scope.actor.accountId, at: now } as const;
  await updateReview(tx, row, move, columnsOf(words, scope));
  return ownView(tx, row);
}

/** Replies in public to a published review, once. For its subject. */
export async function replyToReview(
  tx: Tx,
  scope: Scope,
  input: { reviewId: string; body: string },
): Promise<PublishedReview> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const { row, side } = await openReview(tx, scope, input.reviewId);
  if (row.state !== 'published' || otherSide(row.authorSide) !== side) throw new AppError('review/not-found');
  if (row.reply !== null) throw new AppError('review/already-replied');
  requireNoContact(input.body);
  await updateReview(
    tx,
    row,
    { action: 'reply', mover: side, actor: accountId, at: now },
    {
      reply: input.body,
      repliedBy: accountId,
      repliedAt: now,
      ...flagOf(wordsToCheck(row.body, input.body), now),
    },
  );
  await notifyOfReview(tx, scope, row, {
    topic: 'review-replied',
    to: [row.authorSide],
    reason: input.body,
  });
  const replied = await findPublishedReview(tx, row.id);
  if (!replied) throw new Error(`review ${row.id} vanished`);
  return toPublishedReview(replied, false);
}

/** Returns the caller's review of some work, and the other side's once published. */
export async function reviewsOfEngagement(
  db: Db,
  scope: Scope,
  input: { engagementId: string },
): Promise<{ toWrite: ReviewToWrite | null; own: OwnReview | null; other: PublishedReview | null }> {
  const relation = await relationTo(db, scope, input.engagementId);
  if (!mayKnowWork(relation)) throw new AppError('engagement/not-found');
  const side = reviewSide(relation);
  const rows = await findReviewsOf(db, input.engagementId);
  const ownReview = rows.find((row) => row.authorSide === side);
  const otherReview = rows.find(
    (row) => row.authorSide === otherSide(side ?? 'business') && row.state === 'published',
  );
  const published = otherReview && (await findPublishedReview(db, otherReview.id));
  return {
    toWrite: ownReview && isOpen(ownReview, scope) ? toReviewToWrite(ownReview) : null,
    own: ownReview?.stars == null ? null : toOwnReview(ownReview),
    other: published ? toPublishedReview(published, side !== null) : null,
  };
}

const isOpen = (row: OwnReviewRow, { clock }: ClockScope) =>
  row.state === 'open' && row.closesAt > clock.now();

async function relationTo(db: Db, { actor }: Scope, engagementId: string): Promise<ReviewRelation> {
  const sides = await findSides(db, engagementId, actor.accountId);
  return { isWorker: sides?.workerId === actor.accountId, role: sides?.role ?? null };
}

async function requireSide(tx: Tx, scope: Scope, engagementId: string) {
  const relation = await relationTo(tx, scope, engagementId);
  if (!mayKnowWork(relation)) throw new AppError('engagement/not-found');
  const side = reviewSide(relation);
  if (side === null) throw new AppError('engagement/not-allowed');
  return side;
}

/**
 * Locks a pair of reviews.
 * @throws review/not-found for everyone on neither side
 */
async function openReview(tx: Tx, { actor }: Scope, reviewId: string) {
  const review = await findReview(tx, reviewId, actor.accountId);
  const side = review && reviewSide({ isWorker: review.workerId === actor.accountId, role: review.role });
  if (!review || !side) throw new AppError('review/not-found');
  const row = (await lockReviews(tx, review.engagementId)).find(({ id }) => id === reviewId);
  if (!row) throw new AppError('review/not-found');
  return { row, side };
}

function requireWords({ authorSide: side }: ReviewRow, { tags, body }: ReviewWords): void {
  if (!areTagsOf(side, tags)) throw new AppError('review/wrong-tag');
  requireNoContact(body);
}

function requireNoContact(text: string): void {
  // Everyone reads a review, so it may contain no contact details.
  const contactDetails = findContactDetails(text);
  if (contactDetails.length > 0) throw new AppError('review/contact-details', { found: contactDetails });
}

const columnsOf = ({ stars, tags, body, again }: ReviewWords, { actor, clock }: Scope) => ({
  stars,
  tags,
  body,
  again,
  authorId: actor.accountId,
  ...flagOf(wordsToCheck(body), clock.now()),
});

const flagOf = (words: string[], now: Date) => ({
  flaggedWords: words,
  flaggedAt: words.length > 0 ? now : null,
});

async function ownView(db: Db, { id, engagementId }: ReviewRow): Promise<OwnReview> {
  const row = (await findReviewsOf(db, engagementId)).find((review) => review.id === id);
  if (!row) throw new Error(`review ${id} vanished`);
  return toOwnReview(row);
}

type ReviewRelation = { isWorker: boolean; role: MemberRole | null };

function reviewSide({ isWorker, role }: ReviewRelation): Side | null {
  if (isWorker) return 'worker';
  return role !== null && roleMay(role, 'work') ? 'business' : null;
}

const mayKnowWork = ({ isWorker, role }: ReviewRelation): boolean => isWorker || role !== null;

/** Operators never decide about reviews of their work or business. */
export const mayDecideReview = (viewer: { isWorker: boolean; isMember: boolean }): boolean =>
  !viewer.isWorker && !viewer.isMember;

type PublishScope = ClockScope & Partial<Pick<Scope, 'unmailed' | 'config'>>;

/** Publishes both reviews once both are written; the caller has locked them. */
async function publishWhenComplete(tx: Tx, scope: PublishScope, engagementId: string): Promise<void> {
  const reviews = await lockReviews(tx, engagementId);
  if (reviews.length === 0 || reviews.some(({ state }) => state !== 'submitted')) return;
  for (const review of reviews) await publishReview(tx, scope, review);
  await cancelTasks(tx, [publicationKey(engagementId), ...reminderKeys(engagementId)]);
}

/** Publishes written reviews after the deadline. Idempotent; reschedules itself if it runs early. */
export async function publishReviews(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const now = scope.clock.now();
    const reviews = await lockReviews(tx, engagementId);
    const early = reviews.find((review) => review.closesAt > now);
    if (early) return setPublication(tx, engagementId, early.closesAt);
    for (const review of reviews) {
      if (review.state === 'submitted') await publishReview(tx, scope, review);
      if (review.state === 'open')
        await updateReview(tx, review, { action: 'expire', mover: 'timer', actor: 'timer', at: now });
    }
  });
}

/**
 * Publishes a restored review if both have written or the deadline has passed. The caller has locked both.
 */
export async function publishRestored(
  tx: Tx,
  scope: PublishScope,
  review: Pick<ReviewRow, 'id' | 'engagementId'>,
): Promise<void> {
  const reviews = await lockReviews(tx, review.engagementId);
  const row = reviews.find(({ id, state }) => id === review.id && state === 'submitted');
  if (row && row.closesAt <= scope.clock.now()) return publishReview(tx, scope, row);
  await publishWhenComplete(tx, scope, review.engagementId);
}

async function publishReview(tx: Tx, scope: PublishScope, review: ReviewRow): Promise<void> {
  const now = scope.clock.now();
  await updateReview(
    tx,
    review,
    { action: 'publish', mover: 'timer', actor: 'timer', at: now },
    { publishedAt: now },
  );
  await countReview(tx, review, { by: 1, at: now });
  await notifyOfReview(tx, scope, review, {
    topic: 'review-published',
    to: [otherSide(review.authorSide)],
    count: review.stars ?? 0,
  });
}

/** Counts a review in the rating of its subject, or uncounts it; re-ranks a worker. */
export async function countReview(
  tx: Tx,
  review: Pick<ReviewRow, 'authorSide' | 'workerId' | 'businessId' | 'stars'>,
  change: { by: 1 | -1; at: Date },
): Promise<void> {
  const { stars } = review;
  if (stars === null) throw new Error('a review without stars');
  if (review.authorSide === 'worker')
    return addToBusinessRating(tx, review.businessId, { stars, by: change.by });
  await addToWorkerRating(tx, review.workerId, { stars, ...change });
  await rankWorker(tx, review.workerId);
}

export const reviewsTasks = [publishReviewsTask, remindToReviewTask];
