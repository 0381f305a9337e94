import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useOnline } from '../device/online.ts';

/** Returns whether a query can show data: it is on this device, or there is a network (ADR 341). */
export function useCanShow(): (query: { queryKey: QueryKey }) => boolean {
  const client = useQueryClient();
  const online = useOnline();
  return ({ queryKey }) => online || client.getQueryData(queryKey) !== undefined;
}
