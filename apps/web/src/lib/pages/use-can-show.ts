import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../api/query.ts';
import { useOnline } from '../device/online.ts';

/** True for a query whose data is on this device, and for every query with a network (ADR 341). */
export function useCanShow(): (query: { queryKey: QueryKey }) => boolean {
  const online = useOnline();
  return ({ queryKey }) => online || queryClient.getQueryData(queryKey) !== undefined;
}
