import type {
  PayoutAccount,
  PayoutIdentity,
  PayoutMethod,
  PayoutSpeed,
  WorkerBalance,
} from '@nearhand/contract/money/payouts';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useUser } from '../../lib/session.ts';

export type Balance = {
  balances: WorkerBalance[];
  identity: PayoutIdentity;
  account: PayoutAccount | null;
  homeCountry: string | null;
  methods: PayoutMethod[];
  rules: {
    perDay: number;
    leftToday: number;
    freeFrom: string | null;
    methodHoldDays: number;
    clearingDays: number;
  };
  tokenUrl: string | null;
  test: boolean;
};

/** `closing` closes the account, which has no minimum. */
export type WithdrawalRequest = {
  methodId: string;
  amountMinor: number;
  speed: PayoutSpeed;
  closing?: boolean;
};

const freshMs = 10_000;

export const myBalance = () => apiQuery.payouts.balance.queryOptions({ input: {}, staleTime: 0 });

/** The worker's balances, identity, bank accounts and rules. Stored on the device, to read earnings offline. */
export function useBalance() {
  const user = useUser();
  const fresh = useFresh(freshMs);
  return useQuery({ ...myBalance(), enabled: user?.emailVerified === true, ...fresh });
}

export function useWithdrawals() {
  const user = useUser();
  const fresh = useFresh(freshMs);
  return useInfiniteQuery(
    apiQuery.payouts.withdrawals.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      ...pages,
      enabled: user?.emailVerified === true,
      ...fresh,
    }),
  );
}

export function useWithdrawal(withdrawalId: string | undefined) {
  const fresh = useFresh(freshMs);
  return useQuery(
    apiQuery.payouts.withdrawal.queryOptions({
      input: { withdrawalId: withdrawalId ?? '' },
      enabled: Boolean(withdrawalId),
      ...fresh,
    }),
  );
}

/** The cost and arrival of a withdrawal made now. Null disables it. */
export function useWithdrawalQuote(request: WithdrawalRequest | null) {
  const { closing, ...quoteInput } = request ?? { methodId: '', amountMinor: 1, speed: 'standard' };
  return useQuery(
    apiQuery.payouts.quote.queryOptions({
      input: { ...quoteInput, ...(closing ? { closing: 'true' } : {}) },
      enabled: request !== null,
      staleTime: 0,
      gcTime: 60_000,
      retry: false,
      ...neverPersist,
    }),
  );
}

function moneyMoved(): void {
  refetchChanged(['balance']);
}

/** Withdraws money (`payouts.withdraw`), which reserves it at once. */
export function useWithdraw() {
  const change = useMutation({
    mutationFn: withRecentProof(sendOnce('payouts.withdraw', api.payouts.withdraw)),
    onSettled: moneyMoved,
  });
  return {
    ...change,
    withdraw: async (input: WithdrawalRequest) => await change.mutateAsync(input),
  };
}

/** Cancels a withdrawal before it is sent (`payouts.cancel`). */
export const useCancelWithdrawal = () =>
  useMutation(apiQuery.payouts.cancel.mutationOptions({ onSettled: moneyMoved }));

/** Adds a bank account (`payouts.addMethod`), with the provider's token (`lib/api/provider-token.ts`). */
export function useAddMethod() {
  const change = useMutation({
    ...apiQuery.payouts.addMethod.mutationOptions({ onSuccess: moneyMoved }),
    mutationFn: withRecentProof(api.payouts.addMethod),
  });
  return {
    ...change,
    add: async (token: string) => await change.mutateAsync({ token }),
  };
}

/** Opens the provider's page for identity and bank accounts (`payouts.openPage`). */
export const useOpenPayeePage = () =>
  useMutation({
    ...apiQuery.payouts.openPage.mutationOptions(),
    mutationFn: withRecentProof(api.payouts.openPage),
  });

/** Reads what was entered there (`payouts.refresh`). */
export const useRefreshPayee = () =>
  useMutation(apiQuery.payouts.refresh.mutationOptions({ onSettled: moneyMoved }));

export const useRemoveMethod = () =>
  useMutation({
    ...apiQuery.payouts.removeMethod.mutationOptions({ onSettled: moneyMoved }),
    mutationFn: withRecentProof(api.payouts.removeMethod),
  });

export const useMakeMethodDefault = () =>
  useMutation({
    ...apiQuery.payouts.makeMethodDefault.mutationOptions({ onSettled: moneyMoved }),
    mutationFn: withRecentProof(api.payouts.makeMethodDefault),
  });

export const useVerifyIdentity = () =>
  useMutation(apiQuery.payouts.verifyIdentity.mutationOptions({ onSettled: moneyMoved }));
