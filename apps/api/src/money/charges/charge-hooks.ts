import type { Currency } from '@nearhand/contract/currencies';
import type { Tx } from '../../platform/db.ts';
import { createHooks } from '../../platform/hooks.ts';
import type { Landed, OutcomeScope, PaidCharge } from './charges.ts';

/** Events that the slices a charge pays handle in the transaction that ends it. */
export type ChargeEvents = {
  tipFailed(tx: Tx, tipId: string): Promise<void>;
  holdFrozen(tx: Tx, scope: OutcomeScope, holdId: string, frozen: boolean): Promise<void>;
};

/** Requests to the slices whose holds and tips a charge pays, in the transaction that ends it. */
export type ChargeNeeds = {
  applyHoldCharge(tx: Tx, scope: OutcomeScope, holdId: string, charge: PaidCharge): Promise<Landed>;
  applyCoverCharge(tx: Tx, scope: OutcomeScope, holdId: string, charge: PaidCharge): Promise<Landed>;
  applyTipCharge(tx: Tx, scope: OutcomeScope, tipId: string, charge: PaidCharge): Promise<Landed>;
  chargeBackHold(
    tx: Tx,
    scope: OutcomeScope,
    holdId: string,
    chargeback: { ref: string; chargeId: string; amountMinor: number; currency: Currency },
  ): Promise<number>;
};

export const chargeHooks = createHooks<ChargeEvents, ChargeNeeds>('charges');
