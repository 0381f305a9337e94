import { type Move, type Mover, stateAfter } from '../moves.ts';
import type { Side } from '../sides.ts';

/** The states of a review (product.md). `submitted` is hidden from the other side; `expired` was never written. */
export const reviewStates = ['open', 'submitted', 'published', 'expired', 'removed'] as const;
export type ReviewState = (typeof reviewStates)[number];

export const reviewActions = [
  'write',
  'edit',
  'publish',
  'expire',
  'reply',
  'remove',
  'restore',
  'republish',
] as const;
export type ReviewAction = (typeof reviewActions)[number];

/** The moves of a review. Worker and business are the author's side, or the other one for a reply. */
const reviewMoves: readonly Move<ReviewState, ReviewAction>[] = [
  ['open', 'write', 'worker', 'submitted'],
  ['open', 'write', 'business', 'submitted'],
  ['submitted', 'edit', 'worker', 'submitted'],
  ['submitted', 'edit', 'business', 'submitted'],
  ['submitted', 'publish', 'timer', 'published'],
  ['open', 'expire', 'timer', 'expired'],
  ['published', 'reply', 'worker', 'published'],
  ['published', 'reply', 'business', 'published'],
  ['submitted', 'remove', 'operator', 'removed'],
  ['published', 'remove', 'operator', 'removed'],
  // The removal was reversed: it returns to its previous state.
  ['removed', 'restore', 'operator', 'submitted'],
  ['removed', 'republish', 'operator', 'published'],
];

/** The next state of a review; null if illegal. A repeat is illegal, because services answer it before. */
export const nextReviewState = (from: ReviewState, action: ReviewAction, mover: Mover): ReviewState | null =>
  stateAfter(reviewMoves, from, action, mover);

export const businessTags = [
  'paid_as_agreed',
  'safe_place',
  'clear_instructions',
  'respectful',
  'well_organized',
  'good_breaks',
] as const;
export const workerTags = [
  'punctual',
  'skilled',
  'friendly',
  'hard_working',
  'careful',
  'communicates_well',
] as const;
export const reviewTags = [...businessTags, ...workerTags] as const;
export type ReviewTag = (typeof reviewTags)[number];

/** The tags that this side can give to the other. */
export const tagsFor = (author: Side): readonly ReviewTag[] =>
  author === 'worker' ? businessTags : workerTags;

export const reviewLimits = {
  bodyMax: 1_000,
  replyMax: 1_000,
  tagsMax: 6,
} as const;

export const reviewSorts = ['newest', 'highest', 'lowest'] as const;
export type ReviewSort = (typeof reviewSorts)[number];
