import type { Currency } from '@nearhand/contract/currencies';
import type { Tx } from '../../platform/db.ts';
import { createHooks } from '../../platform/hooks.ts';
import type { Landed, OutcomeScope, PaidCharge } from './charges.ts';

/** What becomes of a charge, for the slices whose holds and tips it pays; in the transaction that settles it. */
export type ChargeHooks = {
  /** The money for a hold arrived; the handler keeps it or answers `balance`. */
  holdPaid(tx: Tx, scope: OutcomeScope, holdId: string, charge: PaidCharge): Promise<Landed>;
  /** The money that a hold lacked arrived. */
  coverPaid(tx: Tx, scope: OutcomeScope, holdId: string, charge: PaidCharge): Promise<Landed>;
  /** The money for a tip arrived. */
  tipPaid(tx: Tx, scope: OutcomeScope, tipId: string, charge: PaidCharge): Promise<Landed>;
  /** The charge for a tip failed or was cancelled. */
  tipFailed(tx: Tx, tipId: string): Promise<void>;
  /** A chargeback opened or closed: what remains of the hold is frozen or free again. */
  holdFrozen(tx: Tx, scope: OutcomeScope, holdId: string, frozen: boolean): Promise<void>;
  /** A chargeback was lost: takes up to an amount of the hold for the platform. @returns minor units taken */
  holdChargedBack(
    tx: Tx,
    scope: OutcomeScope,
    holdId: string,
    wanted: { ref: string; chargeId: string; amountMinor: number; currency: Currency },
  ): Promise<number>;
};

export const chargeHooks = createHooks<ChargeHooks>('charges');
