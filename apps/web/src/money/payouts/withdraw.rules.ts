import { isAboveMaximum, minorFromTyped } from '../../lib/forms/typed-amount.ts';

export type AmountProblem = 'missing' | 'not-an-amount' | 'too-fine' | 'below-minimum' | 'too-much';

/**
 * Parses the typed amount in minor units, and finds why it can't be withdrawn: with nothing available, that
 * no amount can.
 */
export function judgeAmount(
  typed: string,
  digits: number,
  { minMinor, availableMinor }: { minMinor: number; availableMinor: number },
): { minor: number | null; problem: AmountProblem | null } {
  if (availableMinor === 0) return { minor: null, problem: 'too-much' };
  if (typed.trim() === '') return { minor: null, problem: 'missing' };
  const minor = minorFromTyped(typed, digits);
  if (minor === null) {
    if (isAboveMaximum(typed, digits)) return { minor, problem: 'too-much' };
    const units = typed.replace(/[.,]\d+\s*$/, '');
    const isTooFine = units !== typed && minorFromTyped(units, digits) !== null;
    return { minor, problem: isTooFine ? 'too-fine' : 'not-an-amount' };
  }
  if (minor > availableMinor) return { minor, problem: 'too-much' };
  if (minor < minMinor) return { minor, problem: 'below-minimum' };
  return { minor, problem: null };
}

/** Returns whether to show it while typing: a problem that further typing may fix is shown at the end. */
export const isShownAtOnce = (problem: AmountProblem): boolean =>
  problem === 'too-much' || problem === 'too-fine' || problem === 'not-an-amount';

type Method = { id: string; currency: string; isDefault: boolean; usableFrom: string };

/** New accounts can be added but not used for some days. */
export const isHeld = ({ usableFrom }: Pick<Method, 'usableFrom'>, now = new Date()): boolean =>
  new Date(usableFrom) > now;

/**
 * Returns whether an account that was just added is selected: a held one doesn't replace one that can be used
 * now.
 */
export const takesSelection = (
  added: Omit<Method, 'id' | 'isDefault'>,
  methods: readonly Method[],
  currency: string,
  now: Date,
): boolean =>
  !isHeld(added, now) || !methods.some((method) => method.currency === currency && !isHeld(method, now));

/** The initial account: the chosen one, otherwise the default, otherwise a usable one. */
export function methodToUse<One extends Method>(
  methods: readonly One[],
  currency: string,
  chosenId: string | null,
  now: Date,
): One | undefined {
  const fitting = methods.filter((method) => method.currency === currency);
  return (
    fitting.find(({ id }) => id === chosenId) ??
    fitting.find(({ isDefault, usableFrom }) => isDefault && new Date(usableFrom) <= now) ??
    fitting.find(({ usableFrom }) => new Date(usableFrom) <= now) ??
    fitting.find(({ isDefault }) => isDefault) ??
    fitting[0]
  );
}
