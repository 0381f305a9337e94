import { type Move, nextState } from '../moves.ts';
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

/** The moves of a review. W and M stand for the author's side here, or the other one for a reply. */
export const reviewMoves: readonly Move<ReviewState, ReviewAction>[] = [
  ['open', 'write', 'W', 'submitted'],
  ['open', 'write', 'M', 'submitted'],
  ['submitted', 'edit', 'W', 'submitted'],
  ['submitted', 'edit', 'M', 'submitted'],
  ['submitted', 'publish', 'T', 'published'],
  ['open', 'expire', 'T', 'expired'],
  ['published', 'reply', 'W', 'published'],
  ['published', 'reply', 'M', 'published'],
  ['submitted', 'remove', 'O', 'removed'],
  ['published', 'remove', 'O', 'removed'],
  // The removal was reversed: it returns to its previous state.
  ['removed', 'restore', 'O', 'submitted'],
  ['removed', 'republish', 'O', 'published'],
];

export const nextReviewState = (
  from: ReviewState,
  action: ReviewAction,
  who: 'W' | 'M' | 'O' | 'T',
): ReviewState | null => nextState(reviewMoves, from, action, who);

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
