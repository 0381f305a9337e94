import type { Move } from '../moves.ts';
import { nextState } from '../moves.ts';
import type { Side } from '../sides.ts';

/**
 * product.md, States: Review. Each ended engagement has one of each side. `submitted` is hidden from everyone but its author's side, and can be
 * edited; `expired` was never written.
 */
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
  // The removal was reversed: back to what it was.
  ['removed', 'restore', 'O', 'submitted'],
  ['removed', 'republish', 'O', 'published'],
];

/** Where a move of a review leads; null if it is illegal. */
export const nextReviewState = (
  from: ReviewState,
  action: ReviewAction,
  who: 'W' | 'M' | 'O' | 'T',
): ReviewState | null => nextState(reviewMoves, from, action, who);

/** What a worker may say about a business with one tap, and a business about a worker. */
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
  /** Each side has six. */
  tagsMax: 6,
} as const;

/** The orders of published reviews. */
export const reviewSorts = ['newest', 'highest', 'lowest'] as const;
export type ReviewSort = (typeof reviewSorts)[number];
