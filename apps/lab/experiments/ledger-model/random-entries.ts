import { seededFractions } from '@nearhand/contract/arithmetic';
import type { ModelEntry, ModelLine } from './ledger.model.ts';

export const platformNames = [
  'provider_clearing',
  'provider_fees',
  'provider_funds',
  'provider_bank',
  'bank_unmatched',
  'platform_fees',
  'platform_losses',
  'platform_marketing',
  'platform_credit',
];

export function createChance(seed: number) {
  const next = seededFractions(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return {
    below,
    pick,
    uuid: () => {
      const hex = Array.from({ length: 4 }, () =>
        below(2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}

/** The order the database requires. */
export const inOrder = (lines: readonly ModelLine[]): ModelLine[] => {
  const late = ({ account }: ModelLine) => Number(!/^(hold|worker)/.test(account));
  return lines.toSorted(
    (a, b) =>
      late(a) - late(b) ||
      Number(a.account > b.account) - Number(a.account < b.account) ||
      b.amount - a.amount,
  );
};
const kinds = ['fund', 'release', 'tip', 'clear'] as const;

type Chance = ReturnType<typeof createChance>;

/** Sums to zero and may fall short. A run starts with money. */
export function randomEntry(options: {
  chance: Chance;
  names: readonly string[];
  currencies: readonly [string, string];
  begins: boolean;
  key: string;
}): ModelEntry {
  const { chance, names, currencies, begins, key } = options;
  const currency = chance.pick(currencies);
  const account = () =>
    `${chance.below(4) === 0 ? chance.pick(platformNames) : chance.pick(names)}:${currency}`;
  const amount = () => 1 + chance.below(chance.below(3) === 0 ? 20_000 : 200);
  const lines: ModelLine[] = [];
  const shape = begins ? 0 : chance.below(5);
  if (shape === 0)
    lines.push(
      { account: `provider_clearing:${currency}`, amount: -20_000 },
      { account: `${chance.pick(names)}:${currency}`, amount: 20_000 },
    );
  else if (shape === 1) {
    // A release: a hold split between worker, fees and balance.
    const pay = amount();
    lines.push(
      { account: `${names[2]}:${currency}`, amount: -(pay + 12) },
      { account: `${names[4]}:${currency}`, amount: pay },
      { account: `platform_fees:${currency}`, amount: 10 },
      { account: `${names[0]}:${currency}`, amount: 2 },
    );
  } else if (shape === 2 && chance.below(4) === 0) {
    lines.push(
      { account: `platform_fees:${currency}`, amount: -1e12 },
      { account: `platform_losses:${currency}`, amount: 1e12 },
    );
  } else {
    const debit = amount();
    lines.push({ account: account(), amount: -debit });
    if (debit > 1 && chance.below(3) === 0) {
      const part = 1 + chance.below(debit - 1);
      lines.push({ account: account(), amount: part }, { account: account(), amount: debit - part });
    } else lines.push({ account: account(), amount: debit });
  }
  // A run can't spend the platform's fees, so that it does not depend on earlier runs.
  const feesSpent = lines.some(
    (line) => line.account.startsWith('platform_fees') && line.amount < 0 && line.amount > -1e12,
  );
  if (feesSpent) return randomEntry(options);
  const subject = chance.below(2) === 0 ? chance.uuid() : null;
  return { key, kind: chance.pick(kinds), currency, about: subject, reverses: null, lines };
}
