import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { useMutation } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { sendQueuedAttendance } from '../attendance/attendance.api.ts';
import { engagementMove } from '../engagements/engagements.api.ts';

/** Submits hours or a reply to a counter-proposal (`timesheets.submitHours`). For the worker. */
export const useSubmitHours = () =>
  useMutation({
    mutationFn: async (input: Parameters<typeof api.timesheets.submitHours>[0]) =>
      api.timesheets.submitHours({ ...input, version: await sendQueuedAttendance(input) }),
    ...engagementMove,
  });
export const useCounter = () => useMutation(apiQuery.timesheets.counter.mutationOptions(engagementMove));
export const useAcceptCounter = () =>
  useMutation(apiQuery.timesheets.acceptCounter.mutationOptions(engagementMove));
/** Delivers a task, with files uploaded for purpose `work` (`timesheets.deliver`). For the worker. */
export const useDeliver = () => useMutation(apiQuery.timesheets.deliver.mutationOptions(engagementMove));
export const useRequestChanges = () =>
  useMutation(apiQuery.timesheets.requestChanges.mutationOptions(engagementMove));
const approveOnce = sendOnce('timesheets.approve', api.timesheets.approve);
/**
 * Approves the work (`timesheets.approve`). For the business. Idempotent after a lost response, so that a tip
 * can still follow.
 */
export const useApprove = () => useMutation({ mutationFn: approveOnce, ...engagementMove });

/**
 * Approves one after another (`timesheets.approve`): a refusal doesn't stop the others, a lost network does.
 * The business gets the refusals by engagement.
 */
export const useApproveAll = () =>
  useMutation({
    mutationFn: async (work: readonly EngagementCard[]) => {
      const refused = new Map<string, unknown>();
      for (const { id, version } of work)
        await approveOnce({ engagementId: id, version }).catch((error: unknown) => {
          if (isNetworkError(error)) throw error;
          refused.set(id, error);
        });
      return refused;
    },
    onSettled: () => refetchChanged(['engagement', 'wallet']),
  });
