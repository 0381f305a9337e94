import type { Currency } from '@nearhand/contract/currencies';

/**
 * Why the provider could not do it. An unknown, used or expired token is a `processing_error`: the person enters the number again. A
 * payout that the platform's money at the provider does not cover is `insufficient_funds`.
 */
export type Failure =
  | 'card_declined'
  | 'insufficient_funds'
  | 'card_expired'
  | 'authentication_failed'
  | 'processing_error'
  | 'account_closed'
  | 'bank_rejected'
  | 'instant_unavailable'
  | 'limit_exceeded';

/** A charge's current state at the provider. Amounts in minor units of `currency`. */
export type ChargeState = {
  ref: string;
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled';
  amountMinor: number;
  currency: Currency;
  failure: Failure | null;
  /** Where the person confirms the card, while the status is `requires_action`; otherwise null. */
  actionUrl: string | null;
  refundedMinor: number;
  /** Oldest first; a charge can be charged back again, for example after the first was won. */
  chargebacks: readonly { ref: string; amountMinor: number; status: 'open' | 'won' | 'lost' }[];
};

/** A payout's current state at the provider. `failed` before it arrived, `returned` after; either way the money is back at the provider. */
export type PayoutState = {
  ref: string;
  status: 'processing' | 'in_transit' | 'paid' | 'failed' | 'returned';
  amountMinor: number;
  currency: Currency;
  failure: Failure | null;
  /** The expected day, `YYYY-MM-DD`; null if unknown. */
  arrivesOn: string | null;
};

/** The provider's view of a person's identity. `reason`: for the person, if it was rejected. */
export type IdentityState = {
  ownerId: string;
  status: 'pending' | 'verified' | 'refused';
  reason: string | null;
};

export type SavedCard = {
  ref: string;
  brand: string;
  last4: string;
  expiresMonth: number;
  expiresYear: number;
  /** The provider's name for the number: the same whoever saves it. */
  fingerprint: string;
};

export type SavedBank = {
  ref: string;
  bankName: string;
  last4: string;
  holderName: string;
  country: string;
  currency: Currency;
  /** True if it can be paid within a minute. */
  instant: boolean;
  /** The provider's name for the account: the same whoever saves it. */
  fingerprint: string;
};

/**
 * Something happened to one of the provider's objects. A hint to fetch the object, whose state alone counts; for identity, `ref` is the
 * owner's id.
 */
export type ProviderEvent = { id: string; type: 'charge' | 'payout' | 'identity'; ref: string; at: string };

/**
 * The only interface to a payment provider (ADR 67). Rules for callers:
 * - No call inside a transaction of ours. Its answer is applied in a later, idempotent one.
 * - Every write has a key of ours, created and stored before the call. A repeat under the key has no further effect and returns the
 * object's current state; the same key with other content throws `ProviderRefused`. After a crash between call and record, `findCharge`
 * and `findPayout` return what happened.
 * - What a person's card or bank declines is in the result (`failure`). Mistakes in our call throw `ProviderRefused`; any other error
 * means that we don't know whether it was done: query by key, or repeat the call under it.
 * - Statuses only move forward, each with an event; events may arrive twice, late, in any order or never.
 */
export type PaymentProvider = {
  name: string;
  /** Where a browser sends card and bank numbers, so that they never reach our API; a path is on our own origin. */
  tokenUrl: string;
  saveCard(o: { key: string; token: string; ownerId: string }): Promise<SavedCard | { failure: Failure }>;
  saveBank(o: { key: string; token: string; ownerId: string }): Promise<SavedBank | { failure: Failure }>;
  /**
   * Verifies a person's identity. Once verified it stays so; after a rejection they may try again under another key. `bornOn` is a day,
   * `country` ISO 3166-1 alpha-2.
   */
  checkIdentity(o: {
    key: string;
    ownerId: string;
    legalName: string;
    bornOn: string;
    country: string;
    address: string;
  }): Promise<IdentityState>;
  getIdentity(ownerId: string): Promise<IdentityState | null>;
  /** Charges a card. `returnUrl`: where the person returns after confirming; an address of ours. */
  charge(o: {
    key: string;
    cardRef: string;
    amountMinor: number;
    currency: Currency;
    description: string;
    returnUrl: string;
  }): Promise<ChargeState>;
  getCharge(ref: string): Promise<ChargeState | null>;
  /** The charge made under our key, if any. */
  findCharge(key: string): Promise<ChargeState | null>;
  /** Cancels a charge that has not succeeded; for a settled one it returns the actual state and changes nothing. */
  cancelCharge(o: { key: string; ref: string }): Promise<ChargeState>;
  /** Refunds all or part of a charge. Throws `ProviderRefused` (`refund_refused`) beyond what is left, and while it is charged back. */
  refund(o: { key: string; chargeRef: string; amountMinor: number }): Promise<ChargeState>;
  payOut(o: {
    key: string;
    bankRef: string;
    amountMinor: number;
    currency: Currency;
    speed: 'standard' | 'instant';
  }): Promise<PayoutState>;
  getPayout(ref: string): Promise<PayoutState | null>;
  /** The payout made under our key, if any. */
  findPayout(key: string): Promise<PayoutState | null>;
  /**
   * Events after a cursor (null: from the beginning), oldest first, in pages. No event ever appears before a cursor already returned. Pass
   * `cursor` to the next call; it is unchanged when there was nothing new.
   */
  listEvents(after: string | null): Promise<{ events: ProviderEvent[]; cursor: string | null }>;
  /** Parses a webhook with a valid signature and age. @throws WebhookRefused */
  readWebhook(headers: Record<string, string | string[] | undefined>, body: string, now: Date): ProviderEvent;
};

/** A webhook that is not the provider's, or too old. `reason` is for the log; the sender gets no details. */
export class WebhookRefused extends Error {
  readonly reason:
    | 'signature_missing'
    | 'signature_wrong'
    | 'stale'
    | 'from_the_future'
    | 'unreadable'
    | 'too_large';

  constructor(reason: WebhookRefused['reason']) {
    super(`webhook refused: ${reason}`);
    this.name = 'WebhookRefused';
    this.reason = reason;
  }
}

/** A call the provider rejected: a bug in the caller, or an object that is gone. Nothing was done. */
export class ProviderRefused extends Error {
  readonly problem: 'key_reused' | 'not_found' | 'invalid' | 'refund_refused';

  constructor(problem: ProviderRefused['problem'], detail: string) {
    super(`the payment provider refused: ${problem} (${detail})`);
    this.name = 'ProviderRefused';
    this.problem = problem;
  }
}
