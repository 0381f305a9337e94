import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useOnline } from '../device/online.ts';

/** True for a query whose data is on this device, and for every query with a network (ADR 341). */
export function useCanShow(): (query: { queryKey: QueryKey }) => boolean {
  const client = useQueryClient();
  const online = useOnline();
  return ({ queryKey }) => online || client.getQueryData(queryKey) !== undefined;
}
