import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { engagementMoves } from '../engagements/engagements.api.ts';

export const useSayLate = () =>
  useMutation(apiQuery.attendance.sayLate.mutationOptions(engagementMoves(useQueryClient())));
/** `attendance.checkInFor`: someone without a phone. Merchant. */
export const useCheckInFor = () =>
  useMutation(apiQuery.attendance.checkInFor.mutationOptions(engagementMoves(useQueryClient())));
export const useCheckOutFor = () =>
  useMutation(apiQuery.attendance.checkOutFor.mutationOptions(engagementMoves(useQueryClient())));
/** `attendance.contestRecord`: a time that the business recorded. Worker. */
export const useContestRecord = () =>
  useMutation(apiQuery.attendance.contestRecord.mutationOptions(engagementMoves(useQueryClient())));
