import { limits } from '../limits.ts';

export const deletionLimits = { password: limits.passwordMax, codeDigits: 6 } as const;

export const deletionCodeShape = /^\d{6}$/;

/** If only money is left before an account can be deleted, no withdrawal is too small. */
export const isOnlyMoney = (obstacles: readonly { kind: string }[]): boolean =>
  obstacles.every(({ kind }) => kind === 'balance' || kind === 'withdrawal');

export const formerMemberName = 'Former member';
