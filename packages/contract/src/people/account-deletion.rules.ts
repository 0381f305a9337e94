import { peopleLimits } from './limits.ts';

export const deletionLimits = { password: peopleLimits.passwordMax, codeDigits: 6 } as const;

export const deletionCodeShape = /^\d{6}$/;

/** True if only money is left before an account can be deleted: then no withdrawal is too small. */
export const isOnlyMoney = (obstacles: readonly { kind: string }[]): boolean =>
  obstacles.every(({ kind }) => kind === 'balance' || kind === 'withdrawal');

export const formerMemberName = 'Former member';
