import type { Currency } from '@nearhand/contract/currencies';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Release } from '@nearhand/contract/money/releases';
import type { Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';
import type { Actor, Scope } from '../platform/http/scope.ts';

/** What moving money needs; requests and tasks both have it. */
export type MoneyScope = Pick<Scope, 'clock' | 'config' | 'sign' | 'unmailed'> & { actor?: Actor | null };

/** What a hold is for: an offer, the engagement that came of it, or both; neither while it is a spot that nobody has. */
export type HoldOwner = { offerId: string | null; engagementId: string | null };

/** An offer as its hold sees it. */
export type OfferToPay = {
  status: 'unpaid' | 'sent' | 'over';
  /** Unpaid, and its applicant can still be offered the job. */
  canBeSent: boolean;
  /** What the owner of the card reads at the bank, and where the app continues after they confirm. */
  description: string;
  returnPath: string;
};

/** Who is paid for an engagement, and what was planned. Minor units. */
export type Payee = { engagementId: string; workerId: string; plannedMinor: number; funding: Funding };

/** An engagement as its hold sees it. */
export type WorkToPay = Payee & {
  /** Nothing more will be agreed, so what the hold has left is the business's. A no-show counts once it can't be contested. */
  isOver: boolean;
};

/** What happens to money that later domains act on, in the same transaction. */
export type MoneyHooks = {
  /** Locks the job of an offer, then the offer; called before its hold is locked (ADR 38). Null if there is no such offer. */
  lockOffer(tx: Tx, scope: MoneyScope, offerId: string): Promise<OfferToPay | null>;
  /** Locks an engagement; called before its hold is locked (ADR 38). Null if there is no such engagement. */
  lockWork(tx: Tx, scope: MoneyScope, engagementId: string): Promise<WorkToPay | null>;
  /** What is set aside for an owner changed; the handler shows it there. Owners are locked. */
  fundingChanged(tx: Tx, owner: HoldOwner, funding: Funding): Promise<void>;
  /** The money of an unpaid offer arrived: it can go out. Job, offer and hold are locked. */
  offerPaid(tx: Tx, scope: MoneyScope, offerId: string): Promise<void>;
  /** The money of an unpaid offer did not arrive in time, or too late to send it. Job, offer and hold are locked. */
  offerUnpaid(tx: Tx, scope: MoneyScope, offerId: string): Promise<void>;
  /** Pay was agreed that the hold does not cover. `amountMinor` includes fees. */
  payMissing(tx: Tx, scope: MoneyScope, pay: { releaseId: string } & PaidAmount): Promise<void>;
  /** Pay was released to the worker; `amountMinor` is what they get. `owed` was agreed earlier and is paid now. */
  payReleased(
    tx: Tx,
    scope: MoneyScope,
    pay: { releaseId: string; what: Release['kind'] | 'owed'; clearsAt: Date | null } & PaidAmount,
  ): Promise<void>;
  /** The worker was paid a tip or a bonus. */
  tipPaid(
    tx: Tx,
    scope: MoneyScope,
    tip: { tipId: string; kind: 'tip' | 'bonus'; note: string } & PaidAmount,
  ): Promise<void>;
  /** An operator's correction took pay back from the worker; `amountMinor` is what they lost. */
  payReversed(
    tx: Tx,
    scope: MoneyScope,
    pay: { entryId: string; reason: string } & PaidAmount,
  ): Promise<void>;
  /** An operator's correction took a reward for an invitation back, from the account or from the balance of its business. */
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

type PaidAmount = { engagementId: string; amountMinor: number; currency: Currency };

export const moneyHooks = createHooks<MoneyHooks>('money');
