import { limits } from '../limits.ts';

/** The reason why this can't be given on top of the pay, in minor units; null if it can. */
export function tipProblem(amountMinor: number): 'nothing' | 'too-much' | null {
  if (amountMinor < 1) return 'nothing';
  return amountMinor > limits.tipMaxMinor ? 'too-much' : null;
}
