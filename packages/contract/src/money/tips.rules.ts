import { limits } from '../limits.ts';

/** The reason why an amount in minor units can't be a tip; null if it can. */
export function tipProblem(amountMinor: number): 'nothing' | 'too-much' | null {
  if (amountMinor < 1) return 'nothing';
  return amountMinor > limits.tipMaxMinor ? 'too-much' : null;
}
