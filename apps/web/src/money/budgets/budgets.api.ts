import { useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';

export const useBudgets = (businessId: string, month: string | undefined) =>
  useQuery(
    apiQuery.budgets.list.queryOptions({
      input: { businessId, ...(month ? { month } : {}) },
      ...neverPersist,
    }),
  );

/** A job whose money is set aside, the day of its copy if that is offered, and the offer that the new one replaces. */
export type BudgetedJob = { jobId: string; day?: string | undefined; replaces?: string | undefined };

export const useJobBudgets = (job: BudgetedJob) =>
  useQuery(
    apiQuery.budgets.forJob.queryOptions({
      input: job,
      staleTime: 0,
      ...neverPersist,
    }),
  );

/** Runs after a refusal too, because another owner may have decided. */
const refetch = () => refetchChanged(['business']);

export const useSetBudget = () =>
  useMutation({ mutationFn: sendOnce('budgets.set', api.budgets.set), onSettled: refetch });

export const useAskForBudget = () =>
  useMutation({ mutationFn: sendOnce('budgets.ask', api.budgets.ask), onSettled: refetch });

export const useDecideBudget = () =>
  useMutation({ mutationFn: sendOnce('budgets.decide', api.budgets.decide), onSettled: refetch });
