import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
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
/**
 * Approves the work (`timesheets.approve`). For the merchant. Idempotent after a lost response, so that a tip can still
 * follow.
 */
export const useApprove = () =>
  useMutation({
    mutationFn: sendOnce('timesheets.approve', api.timesheets.approve),
    ...engagementMoves(useQueryClient()),
  });
