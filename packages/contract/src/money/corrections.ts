import { z } from 'zod';
import { currency } from '../money.ts';
import { id, idAndName, instant } from '../operation.ts';
import { correctionProblems } from './corrections.rules.ts';

const minor = z.number().int();

/** A ledger entry for operators, in minor units of `currency`; positive amounts add to the account. */
export const ledgerEntry = z.object({
  id,
  kind: z.string(),
  currency,
  at: instant,
  about: id.nullable(),
  reverses: id.nullable(),
  reversedBy: id.nullable(),
  lines: z.array(
    z.object({
      account: z.string(),
      /** The owner: a hold is named by its job. Null for accounts of the platform. */
      owner: z.object({ kind: z.enum(['worker', 'business', 'hold']), id, name: z.string() }).nullable(),
      amountMinor: minor,
    }),
  ),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The effect of reversing a payment, calculated by the functions that do it. Minor units of `currency`. */
export const correctionEffect = z.object({
  kind: z.enum(['pay', 'tip', 'reward']),
  engagementId: id.nullable(),
  jobTitle: z.string(),
  /**
   * The person paid; for a reward, the person who earned it, even if it was paid to their business's balance.
   */
  worker: idAndName,
  business: idAndName.nullable(),
  workerLosesMinor: minor,
  /** A reward that went to its balance. */
  businessLosesMinor: minor,
  /** Refunded to its balance, including our fee and the part paid by card. */
  businessGetsMinor: minor,
  currency,
  /** The reason why it is impossible now; null if it is possible. */
  problem: z.enum(correctionProblems).nullable(),
});
export type CorrectionEffect = z.infer<typeof correctionEffect>;

export type GoodwillRecipient = { kind: 'person' | 'business'; id: string };

/** The most that a recipient may still get, in minor units of their currency: from one operator alone, and in one payment. */
export const goodwillQuote = z.object({ currency, aloneMinor: minor, maxMinor: minor });
export type GoodwillQuote = z.infer<typeof goodwillQuote>;

/** Goodwill that someone got, for operators. Minor units of `currency`. */
export const goodwillPayment = z.object({
  id,
  amountMinor: minor,
  currency,
  reason: z.string(),
  paidBy: z.string(),
  approvedBy: z.string().nullable(),
  at: instant,
});
export type GoodwillPayment = z.infer<typeof goodwillPayment>;
