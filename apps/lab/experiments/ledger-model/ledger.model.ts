import { sumOf } from '@nearhand/contract/arithmetic';
/** The ledger's rules as plain objects, from product.md and ADR 64; it imports nothing from the server. */

export type ModelLine = { account: string; amount: number };
export type ModelEntry = {
  key: string;
  kind: string;
  currency: string;
  about: string | null;
  reverses: string | null;
  lines: readonly ModelLine[];
};
/** `refused`: a bug in the caller, of any kind. */
export type Answer =
  | { is: 'posted' }
  | { is: 'again' }
  | { is: 'short'; account: string }
  | { is: 'refused' };

const unlimited = (account: string) =>
  /^(provider_clearing|provider_fees|provider_funds|provider_bank|platform_losses|platform_marketing|platform_credit):/.test(
    account,
  );
const shared = (account: string) =>
  /^(business_balance|platform_fees|provider_clearing|provider_fees|provider_funds|provider_bank|business_credit|bank_unmatched|platform_losses|platform_marketing|platform_credit):/.test(
    account,
  );

const sameContent = (a: ModelEntry, b: ModelEntry): boolean => {
  const text = ({ kind, currency, about, reverses, lines }: ModelEntry) =>
    JSON.stringify([
      kind,
      currency,
      about,
      reverses,
      lines.map((line) => `${line.account} ${line.amount}`).sort(),
    ]);
  return text(a) === text(b);
};

export class LedgerModel {
  readonly balances = new Map<string, number>();
  readonly entries = new Map<string, ModelEntry>();
  posted = 0;
  readonly #reversed = new Set<string>();
  /** A deliberate mistake, for the negative control. */
  readonly mistake: string | undefined;

  constructor(mistake?: string) {
    this.mistake = mistake;
  }

  balance(account: string): number {
    return this.balances.get(account) ?? 0;
  }

  judge(entry: ModelEntry): Answer {
    const before = this.entries.get(entry.key);
    if (before) return sameContent(before, entry) ? { is: 'again' } : { is: 'refused' };
    if (entry.reverses !== null && this.#reversed.has(entry.reverses)) return { is: 'refused' };
    const sum = sumOf(entry.lines, (line) => line.amount);
    if (entry.lines.length < 2 || sum !== 0) return { is: 'refused' };
    if (entry.lines.some((line) => line.amount === 0 || !line.account.endsWith(`:${entry.currency}`)))
      return { is: 'refused' };
    const short = [...this.#nets(entry)]
      .filter(([account, net]) => !unlimited(account) && this.balance(account) + net < 0)
      .map(([account]) => account)
      .sort((a, b) => Number(shared(a)) - Number(shared(b)) || (a < b ? -1 : 1));
    return short[0] === undefined || this.mistake === 'overdraft'
      ? { is: 'posted' }
      : { is: 'short', account: short[0] };
  }

  post(entry: ModelEntry): Answer {
    const answer = this.judge(entry);
    if (answer.is !== 'posted') return answer;
    this.entries.set(entry.key, entry);
    this.posted += 1;
    if (entry.reverses !== null) this.#reversed.add(entry.reverses);
    for (const [account, net] of this.#nets(entry)) {
      const lost = this.mistake === 'fee' && account.startsWith('platform_fees');
      if (!lost) this.balances.set(account, this.balance(account) + net);
    }
    return answer;
  }

  undo(entry: ModelEntry): void {
    this.entries.delete(entry.key);
    this.posted -= 1;
    if (entry.reverses !== null) this.#reversed.delete(entry.reverses);
    for (const [account, net] of this.#nets(entry)) this.balances.set(account, this.balance(account) - net);
  }

  forget(keys: readonly string[], accounts: readonly string[]): void {
    for (const key of keys) {
      this.entries.delete(key);
      this.#reversed.delete(key);
    }
    for (const account of accounts) this.balances.delete(account);
  }

  #nets(entry: ModelEntry): Map<string, number> {
    const nets = new Map<string, number>();
    for (const { account, amount } of entry.lines) nets.set(account, (nets.get(account) ?? 0) + amount);
    return nets;
  }
}
