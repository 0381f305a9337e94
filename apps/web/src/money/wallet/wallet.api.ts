import type { Currency } from '@nearhand/contract/currencies';
import type { Card } from '@nearhand/contract/money/cards';
import type { BankMethod } from '@nearhand/contract/money/cards.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useRoleIn } from '../../people/businesses/businesses.api.ts';
import { moneyMoved } from '../charges/charges.api.ts';

export type BusinessBalance = {
  currency: Currency;
  availableMinor: number;
  promoMinor: number;
  heldMinor: number;
  holds: number;
  plannedMinor: number;
  plannedHolds: number;
  plannedFrom: string | null;
  waitingMinor: number;
  paidThisMonthMinor: number;
  owedMinor: number;
};
export type Wallet = {
  balances: BusinessBalance[];
  cards: Card[];
  tokenUrl: string | null;
  bankMethods: BankMethod[];
  test: boolean;
  canManage: boolean;
};

const freshMs = 15_000;

/** False once it is known that the role of the user may not see the balance of a business. */
export function useSeesBalance(businessId: string | undefined): boolean {
  const role = useRoleIn(businessId);
  return role === null || roleMay(role, 'view-money');
}

/** The balance and cards of a business. Nothing is read for a role that may not see them. */
export function useWallet(businessId: string | undefined) {
  const fresh = useFresh(freshMs);
  const seesBalance = useSeesBalance(businessId);
  return useQuery(
    apiQuery.wallet.get.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId) && seesBalance,
      staleTime: 0,
      ...fresh,
      ...neverPersist,
    }),
  );
}

/** Spendable minor units in one currency. Promotional credit pays for work but no tip (ADR 155). */
export function balanceIn(
  wallet: Pick<Wallet, 'balances'> | undefined,
  currency: Currency,
  forTip = false,
): number {
  const balance = wallet?.balances.find((balance) => balance.currency === currency);
  if (!balance) return 0;
  return forTip ? balance.availableMinor - balance.promoMinor : balance.availableMinor;
}

/** Tops up the balance (`wallet.topUp`) and returns the charge, which ends automatically. */
export const useTopUp = () =>
  useMutation({
    mutationFn: sendOnce('wallet.topUp', api.wallet.topUp),
    onSuccess: moneyMoved,
  });
