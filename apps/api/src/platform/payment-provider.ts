import type { Currency } from '@nearhand/contract/currencies';
import type { BankMethod } from '@nearhand/contract/money/cards.rules';
import type { PayoutNeed } from '@nearhand/contract/money/payouts';

/** `processing_error`: an unknown, used or expired token. `insufficient_funds`: includes our own balance. */
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
  /** The page that confirms the card if the status is `requires_action`; otherwise null. */
  actionUrl: string | null;
  refundedMinor: number;
  /** Keys of refunds that failed after they were accepted: their money is the platform's again. */
  failedRefunds: readonly string[];
  /** Oldest first; a charge can be charged back again after the first was won. */
  chargebacks: readonly { ref: string; amountMinor: number; status: 'open' | 'won' | 'lost' }[];
};

/** `failed`: before it arrived; `returned`: after it. Either way the money is back at the provider. */
export type PayoutState = {
  ref: string;
  status: 'processing' | 'in_transit' | 'paid' | 'failed' | 'returned';
  amountMinor: number;
  currency: Currency;
  failure: Failure | null;
  /** The expected day, `YYYY-MM-DD`; null if unknown. */
  arrivesOn: string | null;
};

/** The capabilities of a worker's account at the provider, and its requirements. */
export type PayeeAccount = {
  isClosed: boolean;
  /** True while payouts go out. */
  isPaid: boolean;
  needs: readonly PayoutNeed[];
  /** The instant from which payouts stop unless the worker submits what is needed; null if nothing is. */
  dueBy: string | null;
};

/** `reason` is shown to the person after a rejection. */
export type IdentityState = {
  ownerId: string;
  status: 'pending' | 'verified' | 'refused';
  reason: string | null;
  /** Null if the provider keeps no account for each worker. */
  account: PayeeAccount | null;
};

export type SavedCard = {
  ref: string;
  brand: string;
  last4: string;
  expiresMonth: number;
  expiresYear: number;
  /** The provider's identifier of the number, the same for everyone who saves it. */
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
  /** The provider's identifier of the account, the same for everyone who saves it. */
  fingerprint: string;
};

/** A hint to fetch the object, whose state alone counts; for identity, `ref` is the owner's id. */
export type ProviderEvent = { id: string; type: 'charge' | 'payout' | 'identity'; ref: string; at: string };

/**
 * Pages of the provider; each address opens once. `language` is one of `languages`; `returnUrl` is ours and
 * may have a query.
 */
export type ProviderPages = {
  /**
   * Methods without a number, each saved by the token `method/{name}`; their owner approves each charge at
   * the bank.
   */
  bankMethods: readonly BankMethod[];
  /** Saves a card. It leads to `returnUrl`, after a success with `saved`, the token of `saveCard`. */
  openCardPage(request: {
    ownerId: string;
    ownerName: string;
    returnUrl: string;
    language: string;
  }): Promise<string>;
  /** Asks a worker whose identity is being checked for what is missing, and for a bank account. */
  openPayeePage(request: { ownerId: string; returnUrl: string; language: string }): Promise<string>;
  /** The bank accounts that a worker has entered there. */
  listBanks(ownerId: string): Promise<SavedBank[]>;
};

/** One change of the platform's balance at the provider. Minor units of `currency`, signed as for the platform. */
export type ProviderBooking = {
  ref: string;
  /** `own`: the company's own money, such as a payout to its bank. */
  kind: 'charge' | 'refund' | 'chargeback' | 'payout' | 'fee' | 'own';
  /** The ref of the charge, or our key of the payout; null for anything else. */
  about: string | null;
  amountMinor: number;
  feeMinor: number;
  currency: Currency;
  at: string;
};

/** The provider's own books of the platform's balance. */
type ProviderBooks = {
  /** Oldest first, in pages; null starts over. The cursor stays the same if there is nothing new. */
  list(after: string | null): Promise<{ bookings: ProviderBooking[]; cursor: string | null }>;
  /** The platform's balances, with pending money. */
  balances(): Promise<{ currency: Currency; amountMinor: number }[]>;
};

/** Chargebacks that we can answer. */
type ProviderDisputes = {
  /** `answerBy`: the last moment for an answer, null if the bank accepts none. Returns null for an unknown ref. */
  get(ref: string): Promise<{ answerBy: string | null; isAnswered: boolean } | null>;
  /**
   * Sends our evidence, which a bank takes once; a repeat is a no-op.
   * @throws ProviderRefusedError after the deadline
   */
  answer(request: { ref: string; text: string; pdf: Uint8Array }): Promise<void>;
};

/**
 * The only interface to a payment provider (ADR 67). Rules for callers:
 * - Never call inside a transaction; apply the result in a later, idempotent one.
 * - Store a key before every write. A repeat under it is a no-op that returns the current state, even after a
 *   crash (`findCharge`, `syncPayoutByKey`); the same key with other content throws `ProviderRefusedError`.
 * - A declined card or bank is in the result (`failure`). After an error other than `ProviderRefusedError`
 *   the outcome is unknown: query by key, or repeat the call.
 * - Statuses only move forward. Events may arrive twice, late, in any order or never.
 */
export type PaymentProvider = {
  name: string;
  /**
   * Receives card and bank numbers, which never reach our API; a path is on our own origin. Null where
   * `pages` do.
   */
  tokenUrl: string | null;
  /** The provider's own pages, where people enter numbers instead; null with a `tokenUrl` (ADR 371). */
  pages: ProviderPages | null;
  /** Null if the provider charges no fees, so there is nothing to compare. */
  books: ProviderBooks | null;
  /** Null where chargebacks can't be answered. */
  disputes: ProviderDisputes | null;
  /** `ownerName` is needed for a bank method. */
  saveCard(request: {
    key: string;
    token: string;
    ownerId: string;
    ownerName?: string;
  }): Promise<SavedCard | { failure: Failure }>;
  saveBank(request: {
    key: string;
    token: string;
    ownerId: string;
  }): Promise<SavedBank | { failure: Failure }>;
  /** Once verified it stays so; after a rejection, retry under another key. `bornOn` is a day. */
  checkIdentity(request: {
    key: string;
    ownerId: string;
    legalName: string;
    bornOn: string;
    country: string;
    address: string;
  }): Promise<IdentityState>;
  getIdentity(ownerId: string): Promise<IdentityState | null>;
  /** The minimum charge, in minor units. */
  chargeMin(currency: Currency): number;
  /**
   * Charges a card, or debits a bank account, which stays `processing` for days. The person returns to our
   * `returnUrl` after confirming.
   */
  charge(request: {
    key: string;
    cardRef: string;
    amountMinor: number;
    currency: Currency;
    description: string;
    returnUrl: string;
  }): Promise<ChargeState>;
  getCharge(ref: string): Promise<ChargeState | null>;
  findCharge(key: string): Promise<ChargeState | null>;
  /** Cancels an unfinished charge; a finished one is returned unchanged. */
  cancelCharge(request: { key: string; ref: string }): Promise<ChargeState>;
  /** Throws `ProviderRefusedError` (`refund_refused`) beyond the rest, and while charged back. */
  refund(request: { key: string; chargeRef: string; amountMinor: number }): Promise<ChargeState>;
  /** @throws PayeeNotReadyError while the provider wants more from the worker */
  payOut(request: {
    key: string;
    bankRef: string;
    amountMinor: number;
    currency: Currency;
    speed: 'standard' | 'instant';
  }): Promise<PayoutState>;
  /**
   * Returns the state of a payout, after the provider's part of ending it: the money of a failed one is ours again.
   * A repeat is safe.
   */
  syncPayout(ref: string): Promise<PayoutState | null>;
  /** As `syncPayout`, by the key of `payOut`. */
  syncPayoutByKey(key: string): Promise<PayoutState | null>;
  /** Oldest first, in pages; null starts over. No event ever appears before a returned cursor. */
  listEvents(after: string | null): Promise<{ events: ProviderEvent[]; cursor: string | null }>;
  /**
   * Parses a webhook with a valid signature and age; null for an event that doesn't concern us.
   * @throws WebhookRefusedError
   */
  readWebhook(
    headers: Record<string, string | string[] | undefined>,
    body: string,
    now: Date,
  ): Promise<ProviderEvent | null>;
};

const keyMax = 255;

/** Returns whether the database can store a key or ref. One that it can't store does not exist. */
export const isPlain = (text: string): boolean =>
  text.length > 0 && text.length <= keyMax && text.isWellFormed() && !text.includes('\u0000');

/** @throws ProviderRefusedError unless it is a positive whole number of minor units */
export function requireAmount(amountMinor: number): void {
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0 || amountMinor > 1_000_000_000_000)
    throw new ProviderRefusedError('invalid', 'amountMinor must be a whole number of minor units above zero');
}

/** A webhook that is not the provider's, or too old. `reason` is only logged. */
export class WebhookRefusedError extends Error {
  readonly reason:
    | 'signature_missing'
    | 'signature_wrong'
    | 'stale'
    | 'from_the_future'
    | 'unreadable'
    | 'other_mode'
    | 'too_large';

  constructor(reason: WebhookRefusedError['reason']) {
    super(`webhook refused: ${reason}`);
    this.name = 'WebhookRefusedError';
    this.reason = reason;
  }
}

/**
 * The provider pays this worker only after they submit what it requires. Nothing was paid; the same key may
 * be repeated.
 */
export class PayeeNotReadyError extends Error {}

/** The call had no effect: a bug in the caller, or a deleted object. */
export class ProviderRefusedError extends Error {
  readonly problem: 'key_reused' | 'not_found' | 'invalid' | 'refund_refused';

  constructor(problem: ProviderRefusedError['problem'], detail: string) {
    super(`the payment provider refused: ${problem} (${detail})`);
    this.name = 'ProviderRefusedError';
    this.problem = problem;
  }
}
