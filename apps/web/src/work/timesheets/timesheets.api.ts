import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { engagementMoves } from '../engagements/engagements.api.ts';

/** Submits hours or a reply to a counter-proposal (`timesheets.submitHours`). For the worker. */
export const useSubmitHours = () =>
  useMutation(apiQuery.timesheets.submitHours.mutationOptions(engagementMoves(useQueryClient())));
export const useCounter = () =>
  useMutation(apiQuery.timesheets.counter.mutationOptions(engagementMoves(useQueryClient())));
export const useAcceptCounter = () =>
  useMutation(apiQuery.timesheets.acceptCounter.mutationOptions(engagementMoves(useQueryClient())));
/** Delivers a task, with files uploaded for purpose `work` (`timesheets.deliver`). For the worker. */
export const useDeliver = () =>
  useMutation(apiQuery.timesheets.deliver.mutationOptions(engagementMoves(useQueryClient())));
export const useRequestChanges = () =>
  useMutation(apiQuery.timesheets.requestChanges.mutationOptions(engagementMoves(useQueryClient())));
const approveOnce = sendOnce('timesheets.approve', api.timesheets.approve);
/**
 * Approves the work (`timesheets.approve`). For the merchant. Idempotent after a lost response, so that a tip can still
 * follow.
 */
export const useApprove = () =>
  useMutation({ mutationFn: approveOnce, ...engagementMoves(useQueryClient()) });

/**
 * Approves one after another (`timesheets.approve`): a refusal holds up no other, a lost network the rest. For the
 * merchant. Returns the refusals by engagement.
 */
export function useApproveAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (work: readonly EngagementCard[]) => {
      const refused = new Map<string, unknown>();
      for (const { id, version } of work)
        await approveOnce({ engagementId: id, version }).catch((error: unknown) => {
          if (isNetworkError(error)) throw error;
          refused.set(id, error);
        });
      return refused;
    },
    onSettled: () => refetchChanged(client, ['engagement', 'wallet']),
  });
}
