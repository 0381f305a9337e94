import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useOnline } from '../device/online.ts';

/** Says whether the answer of a query can be shown: it is on this device, or there is a network to ask (ADR 341). */
export function useCanShow(): (query: { queryKey: QueryKey }) => boolean {
  const client = useQueryClient();
  const online = useOnline();
  return ({ queryKey }) => online || client.getQueryData(queryKey) !== undefined;
}
