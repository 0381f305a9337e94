import type { Currency } from '@nearhand/contract/currencies';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Release } from '@nearhand/contract/money/releases';
import type { Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';
import type { Actor, Scope } from '../platform/http/scope.ts';

export type MoneyScope = Pick<Scope, 'clock' | 'config' | 'provider' | 'sign' | 'unmailed'> & {
  actor?: Actor | null;
};

/** The owner of a hold: an offer, its engagement, or both; neither for an unassigned spot. */
export type HoldOwner = { offerId: string | null; engagementId: string | null };

export type OfferToPay = {
  status: 'unpaid' | 'sent' | 'over';
  canBeSent: boolean;
  description: string;
  /** The path where it is paid. */
  page: string;
};

/** The payee of an engagement and the planned pay. Minor units. */
export type Payee = { engagementId: string; workerId: string; plannedMinor: number; funding: Funding };

export type WorkToPay = Payee & {
  /** True once no more pay can be agreed. A no-show counts once it can't be contested. */
  isOver: boolean;
};

/**
 * A planned hold whose money could not be set aside (ADR 399): `failed` on the first attempt, `soon` before the
 * deadline, `over` at it. Minor units, fee included.
 */
export type LateFunding = {
  stage: 'failed' | 'soon' | 'over';
  offerId: string;
  engagementId: string | null;
  holdId: string;
  amountMinor: number;
  currency: Currency;
  fundBy: Date;
};

/** Events that later domains handle in the transaction that moves the money. */
export type MoneyEvents = {
  /** Shows the changed funding on its owner, which is locked. */
  fundingChanged(tx: Tx, owner: HoldOwner, funding: Funding): Promise<void>;
  /** Sends an offer whose money arrived. Job, offer and hold are locked. */
  offerPaid(tx: Tx, scope: MoneyScope, offerId: string): Promise<void>;
  /** Ends an offer whose money arrived too late or not at all. Job, offer and hold are locked. */
  offerUnpaid(tx: Tx, scope: MoneyScope, offerId: string): Promise<void>;
  /** Notifies of a planned hold without its money, and ends its offer or booking at the deadline. All are locked. */
  fundingLate(tx: Tx, scope: MoneyScope, late: LateFunding): Promise<void>;
  /** Reports agreed pay that the hold does not cover. `amountMinor` includes fees. */
  payMissing(tx: Tx, scope: MoneyScope, pay: { releaseId: string } & PaidAmount): Promise<void>;
  /** Reports pay released to the worker; `amountMinor` is net. `owed` was agreed earlier and is paid now. */
  payReleased(
    tx: Tx,
    scope: MoneyScope,
    pay: { releaseId: string; variant: Release['kind'] | 'owed'; clearsAt: Date | null } & PaidAmount,
  ): Promise<void>;
  tipPaid(
    tx: Tx,
    scope: MoneyScope,
    tip: { tipId: string; kind: 'tip' | 'bonus'; note: string } & PaidAmount,
  ): Promise<void>;
  /** Reports pay that an operator's correction took back; `amountMinor` is what the worker lost. */
  payReversed(
    tx: Tx,
    scope: MoneyScope,
    pay: { entryId: string; reason: string } & PaidAmount,
  ): Promise<void>;
  rewardReversed(
    tx: Tx,
    scope: MoneyScope,
    reward: {
      rewardId: string;
      accountId: string;
      reason: string;
      amountMinor: number;
      currency: Currency;
      toBusiness: boolean;
    },
  ): Promise<void>;
};

/** Requests to later domains, in the transaction that moves the money. */
export type MoneyNeeds = {
  /** Locks the job of an offer, then the offer, before its hold (ADR 38). */
  lockOffer(tx: Tx, scope: MoneyScope, offerId: string): Promise<OfferToPay | null>;
  /** Locks an engagement before its hold (ADR 38). */
  lockWork(tx: Tx, scope: MoneyScope, engagementId: string): Promise<WorkToPay | null>;
};

type PaidAmount = { engagementId: string; amountMinor: number; currency: Currency };

export const moneyHooks = createHooks<MoneyEvents, MoneyNeeds>('money');
