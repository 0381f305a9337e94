import type { Currency } from '@nearhand/contract/currencies';

/**
 * Why the provider could not do what was asked. A token that is unknown, used up or out of time is a `processing_error`: whoever typed the number types it again.
 * A payout that the platform's own money at the provider does not cover is `insufficient_funds`.
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

/** A charge as the provider sees it now. Amounts in minor units of `currency`. */
export type ChargeState = {
  ref: string;
  status: 'processing' | 'requires_action' | 'succeeded' | 'failed' | 'cancelled';
  amountMinor: number;
  currency: Currency;
  failure: Failure | null;
  /** Where the person confirms the card, while the status is `requires_action`; null otherwise. */
  actionUrl: string | null;
  refundedMinor: number;
  chargeback: null | { ref: string; amountMinor: number; status: 'open' | 'won' | 'lost' };
};

/** A payout as the provider sees it now. `failed` before it arrived, `returned` after; either way the money is back at the provider. */
export type PayoutState = {
  ref: string;
  status: 'processing' | 'in_transit' | 'paid' | 'failed' | 'returned';
  amountMinor: number;
  currency: Currency;
  failure: Failure | null;
  /** The day it is expected, `YYYY-MM-DD`; null where that cannot be said. */
  arrivesOn: string | null;
};

/** What the provider says of who somebody is. `reason`: in words for the person, where it was refused. */
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
};

export type SavedBank = {
  ref: string;
  bankName: string;
  last4: string;
  holderName: string;
  country: string;
  currency: Currency;
  /** Whether it can be paid within a minute. */
  instant: boolean;
};

/** Something happened to an object of the provider. It is a hint to fetch the object, whose state alone counts; for identity, `ref` is the owner's id. */
export type ProviderEvent = { id: string; type: 'charge' | 'payout' | 'identity'; ref: string; at: string };

/**
 * The one way to a payment provider (ADR 0067). Rules for whoever calls it:
 * - No call is made inside a transaction of ours. What it answers is applied in a later one that is safe to run any number of times.
 * - Every write carries a key of ours, made before the call and kept. A repeat under the key does nothing twice and answers the object as it stands now; the same
 *   key with another content throws `ProviderRefused`. After a crash between call and record `findCharge` and `findPayout` tell what became of it.
 * - What a person's card or bank refuses is in the answer (`failure`). What our own call got wrong is thrown as `ProviderRefused`; any other error means that we do not
 *   know whether it was done: ask by key, or repeat the call under it.
 * - Statuses only move on, and each move has an event; events may come twice, late, in any order or never.
 */
export type PaymentProvider = {
  name: string;
  /** Where a browser sends card and bank numbers, so that they never reach our API; a path is one of our own origin. */
  tokenUrl: string;
  saveCard(o: { key: string; token: string; ownerId: string }): Promise<SavedCard | { failure: Failure }>;
  saveBank(o: { key: string; token: string; ownerId: string }): Promise<SavedBank | { failure: Failure }>;
  /** Asks who somebody is. Once verified it stays so; who was refused may ask again under another key. `bornOn` is a day, `country` ISO 3166-1 alpha-2. */
  checkIdentity(o: {
    key: string;
    ownerId: string;
    legalName: string;
    bornOn: string;
    country: string;
    address: string;
  }): Promise<IdentityState>;
  getIdentity(ownerId: string): Promise<IdentityState | null>;
  /** Takes money from a card. `returnUrl`: where the person goes after confirming; an address of ours. */
  charge(o: {
    key: string;
    cardRef: string;
    amountMinor: number;
    currency: Currency;
    description: string;
    returnUrl: string;
  }): Promise<ChargeState>;
  getCharge(ref: string): Promise<ChargeState | null>;
  /** The charge that was made under our key, if any. */
  findCharge(key: string): Promise<ChargeState | null>;
  /** Stops a charge that has not succeeded yet; of one that is over it says the truth and changes nothing. */
  cancelCharge(o: { key: string; ref: string }): Promise<ChargeState>;
  /** Gives back a part or all of a charge. Throws `ProviderRefused` (`refund_refused`) beyond what is left of it, and while it is charged back. */
  refund(o: { key: string; chargeRef: string; amountMinor: number }): Promise<ChargeState>;
  payOut(o: {
    key: string;
    bankRef: string;
    amountMinor: number;
    currency: Currency;
    speed: 'standard' | 'instant';
  }): Promise<PayoutState>;
  getPayout(ref: string): Promise<PayoutState | null>;
  /** The payout that was made under our key, if any. */
  findPayout(key: string): Promise<PayoutState | null>;
  /**
   * What happened after a cursor (null: from the beginning), oldest first, a page at a time. No event ever appears behind a cursor that was handed out. `cursor` goes
   * into the next call; it is the one given when there was nothing new.
   */
  listEvents(after: string | null): Promise<{ events: ProviderEvent[]; cursor: string | null }>;
  /** Reads a webhook whose signature and age are right. @throws WebhookRefused */
  readWebhook(headers: Record<string, string | string[] | undefined>, body: string, now: Date): ProviderEvent;
};

/** A webhook that is not the provider's, or not of now. `reason` is for the log; the sender is told nothing. */
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

/** A call that the provider would not take: a defect of the caller, or a thing that is gone. Nothing was done. */
export class ProviderRefused extends Error {
  readonly problem: 'key_reused' | 'not_found' | 'invalid' | 'refund_refused';

  constructor(problem: ProviderRefused['problem'], detail: string) {
    super(`the payment provider refused: ${problem} (${detail})`);
    this.name = 'ProviderRefused';
    this.problem = problem;
  }
}
