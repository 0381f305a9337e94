import { useMutation } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { engagementMove } from '../engagements/engagements.api.ts';

export const useSayLate = () => useMutation(apiQuery.attendance.sayLate.mutationOptions(engagementMove));
/** Checks in someone without a phone (`attendance.checkInFor`). For the business. */
export const useCheckInFor = () =>
  useMutation(apiQuery.attendance.checkInFor.mutationOptions(engagementMove));
export const useCheckOutFor = () =>
  useMutation(apiQuery.attendance.checkOutFor.mutationOptions(engagementMove));
/** Contests a time that the business recorded (`attendance.contestRecord`). For the worker. */
export const useContestRecord = () =>
  useMutation(apiQuery.attendance.contestRecord.mutationOptions(engagementMove));
