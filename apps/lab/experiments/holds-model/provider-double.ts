import {
  type ChargeState,
  type PaymentProvider,
  type PayoutState,
  ProviderRefusedError,
} from '@nearhand/api/src/platform/payment-provider.ts';
import type { CardKind, PayoutStatus } from './world.model.ts';

type Calls = Pick<
  PaymentProvider,
  | 'charge'
  | 'chargeMin'
  | 'findCharge'
  | 'getCharge'
  | 'cancelCharge'
  | 'refund'
  | 'payOut'
  | 'syncPayout'
  | 'syncPayoutByKey'
>;

/** A provider of a run: a ref decides what a card or bank does (`late/…`), and the run triggers later changes. */
export type ProviderDouble = Calls & {
  settle(chargeId: string, becomes: 'succeeded' | 'failed'): void;
  chargeBack(chargeId: string, amountMinor: number): void;
  decide(chargeId: string, won: boolean): void;
  becomes(withdrawalId: string, status: PayoutStatus): void;
  close(): Promise<void>;
};

const atFirst: Record<Exclude<CardKind, 'refused'>, ChargeState['status']> = {
  good: 'succeeded',
  declined: 'failed',
  confirms: 'requires_action',
  late: 'processing',
};

export function createProviderDouble(): ProviderDouble {
  const charges = new Map<string, ChargeState>();
  const payouts = new Map<string, PayoutState>();
  const refunds = new Set<string>();
  const chargeOf = (ref: string): ChargeState => {
    const state = [...charges.values()].find((charge) => charge.ref === ref);
    if (!state) throw new ProviderRefusedError('not_found', ref);
    return state;
  };
  return {
    settle: (chargeId, becomes) => {
      const state = charges.get(chargeId);
      const failure = becomes === 'failed' ? ('card_declined' as const) : null;
      if (state) Object.assign(state, { status: becomes, failure });
    },
    chargeBack: (chargeId, amountMinor) => {
      const state = charges.get(chargeId);
      if (!state) return;
      const ref = `dispute/${chargeId}/${state.chargebacks.length}`;
      state.chargebacks = [...state.chargebacks, { ref, amountMinor, status: 'open' }];
    },
    decide: (chargeId, won) => {
      const state = charges.get(chargeId);
      if (!state) return;
      state.chargebacks = state.chargebacks.map((chargeback) =>
        chargeback.status === 'open' ? { ...chargeback, status: won ? 'won' : 'lost' } : chargeback,
      );
    },
    close: async () => {},
    chargeMin: () => 1,
    charge: async ({ key, cardRef, amountMinor, currency }) => {
      const kind = cardRef.split('/')[0] as CardKind;
      if (kind === 'refused') throw new ProviderRefusedError('not_found', cardRef);
      const status = atFirst[kind];
      const state = charges.get(key) ?? {
        ref: `charge/${key}`,
        status,
        amountMinor,
        currency,
        refundedMinor: 0,
        failedRefunds: [],
        chargebacks: [],
        failure: status === 'failed' ? ('card_declined' as const) : null,
        actionUrl: status === 'requires_action' ? 'https://bank.example/confirm' : null,
      };
      charges.set(key, state);
      return { ...state };
    },
    findCharge: async (key) => charges.get(key) ?? null,
    getCharge: async (ref) => ({ ...chargeOf(ref) }),
    cancelCharge: async ({ ref }) => {
      const state = chargeOf(ref);
      if (state.status === 'processing' || state.status === 'requires_action') state.status = 'cancelled';
      return { ...state };
    },
    refund: async ({ key, chargeRef, amountMinor }) => {
      const state = chargeOf(chargeRef);
      if (refunds.has(key)) return { ...state };
      const disputed = state.chargebacks.some(({ status }) => status !== 'won');
      if (disputed || state.refundedMinor + amountMinor > state.amountMinor)
        throw new ProviderRefusedError('refund_refused', chargeRef);
      refunds.add(key);
      state.refundedMinor += amountMinor;
      return { ...state };
    },
    payOut: async ({ key, bankRef, amountMinor, currency }) => {
      const status = bankRef.startsWith('fails/') ? 'failed' : 'in_transit';
      const failure = status === 'failed' ? ('account_closed' as const) : null;
      const state = payouts.get(key) ?? {
        ref: `payout/${key}`,
        status,
        amountMinor,
        currency,
        failure,
        arrivesOn: null,
      };
      payouts.set(key, state as PayoutState);
      return { ...state } as PayoutState;
    },
    syncPayout: async (ref) => [...payouts.values()].find((payout) => payout.ref === ref) ?? null,
    syncPayoutByKey: async (key) => payouts.get(key) ?? null,
    becomes: (withdrawalId, status) => {
      const state = payouts.get(withdrawalId);
      if (state) Object.assign(state, { status, failure: status === 'paid' ? null : 'bank_rejected' });
    },
  };
}
