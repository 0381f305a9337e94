import { limits } from '../limits.ts';

/** The longest password, and the digits of a mailed code. */
export const deletionLimits = { password: limits.passwordMax, codeDigits: 6 } as const;

/** A mailed code as typed: six digits. */
export const deletionCodeShape = /^\d{6}$/;

/** Returns whether withdrawing is all that is left to do before an account can be deleted: then no withdrawal is too small. */
export const isOnlyMoney = (obstacles: readonly { kind: string }[]): boolean =>
  obstacles.every(({ kind }) => kind === 'balance' || kind === 'withdrawal');

/** Shown instead of the name of someone who deleted their account. */
export const formerMemberName = 'Former member';
