import { type Currency, currencies } from '@nearhand/contract/currencies';

const entryKinds = [
  'top_up',
  'bank_unmatched',
  'fund',
  'hold_returned',
  'release',
  'tip',
  'bonus',
  'compensation',
  'clear',
  'reserve',
  'unreserve',
  'paid_out',
  'payout_returned',
  'refund',
  'chargeback',
  'chargeback_won',
  'referral',
  'promo_ended',
  'goodwill',
  'credit_limit',
  'credit_drawn',
  'credit_repaid',
  'provider_fee',
  'provider_funds',
  'reversal',
] as const;
export type EntryKind = (typeof entryKinds)[number];

const platformKinds = [
  'provider_clearing',
  'provider_fees',
  'provider_funds',
  'provider_bank',
  'bank_unmatched',
  'platform_fees',
  'platform_losses',
  'platform_marketing',
  'platform_credit',
] as const;
const ownedKinds = [
  'business_balance',
  'business_promo',
  'business_credit',
  'hold',
  'hold_promo',
  'worker_pending',
  'worker_available',
  'worker_reserved',
] as const;

export type LedgerAccount =
  | { kind: (typeof platformKinds)[number] }
  | { kind: (typeof ownedKinds)[number]; ownerId: string };

/** One entry line in minor units; a credit to the account is positive. */
export type EntryLine = { account: LedgerAccount; amountMinor: number };

/** An account without its currency: `kind` or `kind:ownerId`. `readAccountId` reads the whole id back. */
export const accountName = (account: LedgerAccount): string =>
  'ownerId' in account ? `${account.kind}:${account.ownerId}` : account.kind;

/** The account's id with its currency: `hold:0190…:EUR`. */
export const accountId = (account: LedgerAccount, currency: Currency): string =>
  `${accountName(account)}:${currency}`;

/**
 * Reads `kind[:ownerId]:currency`.
 * @throws Error if it is none
 */
export function readAccountId(id: string): { account: LedgerAccount; currency: Currency } {
  const parts = id.split(':');
  const currency = currencies.find((code) => code === parts.at(-1));
  const platform = platformKinds.find((kind) => kind === parts[0]);
  const owned = ownedKinds.find((kind) => kind === parts[0]);
  const ownerId = parts[1];
  if (currency && platform && parts.length === 2) return { account: { kind: platform }, currency };
  if (currency && owned && ownerId && parts.length === 3)
    return { account: { kind: owned, ownerId }, currency };
  throw new Error(`${id} is no account of the ledger`);
}

/**
 * Money at the provider and at our bank (negated), the provider's fees, and the platform's losses, marketing
 * expenses and limits that it gave may go below zero.
 */
export const mayOverdraw = (kind: LedgerAccount['kind']): boolean =>
  kind.startsWith('provider_') || ['platform_losses', 'platform_marketing', 'platform_credit'].includes(kind);

/** Describes why lines can't be an entry; null if they can. The database checks the same (ADR 64). */
export function linesFault(lines: readonly EntryLine[]): string | null {
  if (lines.length < 2) return 'an entry has at least two lines';
  if (lines.some(({ amountMinor }) => !Number.isSafeInteger(amountMinor) || amountMinor === 0))
    return 'an amount is a whole number of minor units and not zero';
  // BigInt, because a sum may exceed the safe integers.
  if (lines.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n) !== 0n)
    return 'the lines of an entry sum to zero';
  return null;
}

/** Accounts that many transactions credit at once. A credit must not wait for their row lock. */
const isShared = (id: string): boolean => !/^(hold|worker)/.test(id);

type WrittenLine = { accountId: string; amountMinor: number };

/** The lock order of accounts, which the database enforces to avoid deadlocks. */
export function inLockOrder(a: WrittenLine, b: WrittenLine): number {
  return (
    Number(isShared(a.accountId)) - Number(isShared(b.accountId)) ||
    (a.accountId < b.accountId ? -1 : Number(a.accountId > b.accountId)) ||
    b.amountMinor - a.amountMinor
  );
}

export type EntryContent = {
  id: string;
  key: string;
  kind: string;
  currency: Currency;
  about: string | null;
  reverses: string | null;
  at: Date;
  lines: readonly WrittenLine[];
};

/** The signed text of an entry. */
export const entryText = ({ id, key, kind, currency, about, reverses, at, lines }: EntryContent): string =>
  JSON.stringify([
    id,
    key,
    kind,
    currency,
    about,
    reverses,
    at.toISOString(),
    lines.map((line) => [line.accountId, line.amountMinor]),
  ]);

export type SealContent = {
  no: number;
  previous: string;
  upto: string;
  at: Date;
  entries: readonly string[];
};

/** The signed text of a seal, with the previous digest. */
export const sealText = ({ no, previous, upto, at, entries }: SealContent): string =>
  JSON.stringify([no, previous, upto, at.toISOString(), entries]);

/** The signed text of the number of seals. */
export const sealHeadText = (no: number, digest: string): string => JSON.stringify([no, digest]);

/** The lowest id an entry of this instant can have; ids start with their milliseconds. */
export function firstIdOf(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
