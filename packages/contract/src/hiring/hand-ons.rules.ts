import type { Move } from '../moves.ts';

/** `waiting`: someone took it, and a manager has to agree. Without that rule, taking it is `done`. */
export const handOnStatuses = ['open', 'waiting', 'done', 'refused', 'expired', 'withdrawn'] as const;
export type HandOnStatus = (typeof handOnStatuses)[number];

/** People who may take the shift: colleagues with its skills, or applicants on the job's waitlist. */
export const handOnAudiences = ['colleagues', 'waitlist'] as const;
export type HandOnAudience = (typeof handOnAudiences)[number];

/** A shift is offered this often; then there is nobody left to ask, and nobody is notified again and again. */
export const handOnsPerShift = 3;

export const handOnActions = ['take', 'step-back', 'withdraw', 'approve', 'refuse'] as const;
export type HandOnAction = (typeof handOnActions)[number];

export type HandOnMoveName = HandOnAction | 'take-over' | 'expire' | 'end';

/** The states of a shift that its worker hands on (product.md, States: Hand-on). W: giver or taker, M: recruiter, T: timer. */
export const handOnMoves: readonly Move<HandOnStatus, HandOnMoveName>[] = [
  ['open', 'take', 'W', 'waiting'],
  ['open', 'take-over', 'W', 'done'],
  ['waiting', 'step-back', 'W', 'open'],
  ['waiting', 'approve', 'M', 'done'],
  ['waiting', 'refuse', 'M', 'refused'],
  ['open', 'withdraw', 'W', 'withdrawn'],
  ['waiting', 'withdraw', 'W', 'withdrawn'],
  // The shift was cancelled, or its worker checked in.
  ['open', 'end', 'T', 'withdrawn'],
  ['waiting', 'end', 'T', 'withdrawn'],
  // The shift starts.
  ['open', 'expire', 'T', 'expired'],
  ['waiting', 'expire', 'T', 'expired'],
];

export const isLiveHandOn = (status: HandOnStatus): boolean => status === 'open' || status === 'waiting';
