import type { Currency } from '@nearhand/contract/currencies';
import type { Tx } from '../../platform/db.ts';
import { createHooks } from '../../platform/hooks.ts';
import type { Landed, OutcomeScope, PaidCharge } from './charges.ts';

/** Handlers of the slices whose holds and tips a charge pays; they run in the transaction that settles it. */
export type ChargeHooks = {
  holdPaid(tx: Tx, scope: OutcomeScope, holdId: string, charge: PaidCharge): Promise<Landed>;
  coverPaid(tx: Tx, scope: OutcomeScope, holdId: string, charge: PaidCharge): Promise<Landed>;
  tipPaid(tx: Tx, scope: OutcomeScope, tipId: string, charge: PaidCharge): Promise<Landed>;
  tipFailed(tx: Tx, tipId: string): Promise<void>;
  holdFrozen(tx: Tx, scope: OutcomeScope, holdId: string, frozen: boolean): Promise<void>;
  holdChargedBack(
    tx: Tx,
    scope: OutcomeScope,
    holdId: string,
    chargeback: { ref: string; chargeId: string; amountMinor: number; currency: Currency },
  ): Promise<number>;
};

export const chargeHooks = createHooks<ChargeHooks>('charges');
