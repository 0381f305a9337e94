import type { CaseKind } from '@nearhand/contract/case-kinds';
import { minuteMs } from '@nearhand/contract/durations';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { apiQuery } from '../console-api.ts';

export type QueueFilters = { kind?: CaseKind; show?: 'mine' | 'unclaimed' | 'overdue' | 'waiting' };

export type CaseRef = { kind: CaseKind; subjectId: string };

const fresh = { refetchInterval: minuteMs, refetchOnWindowFocus: 'always' } as const;

export const useQueue = ({ kind, show }: QueueFilters) =>
  useInfiniteQuery({
    ...apiQuery.cases.list.infiniteOptions({
      ...pages,
      input: (cursor) => ({ cursor, kind, ...(show ? { [show]: true } : {}) }),
      placeholderData: keepPreviousData,
    }),
    ...fresh,
  });

export const useClosedCases = ({ kind, text }: { kind?: CaseKind; text: string }) =>
  useInfiniteQuery(
    apiQuery.cases.closed.infiniteOptions({
      ...pages,
      input: (cursor) => ({ cursor, kind, ...(text ? { text } : {}) }),
      placeholderData: keepPreviousData,
    }),
  );

export const useClosedFile = (input: CaseRef, reason: string | null) =>
  useQuery({
    ...apiQuery.cases.decided.queryOptions({
      input,
      context: reason === null ? {} : { operator: { reason } },
    }),
    queryKey: [...apiQuery.cases.decided.queryKey({ input }), reason],
  });

export const useQueueCounts = () => useQuery({ ...apiQuery.cases.counts.queryOptions(), ...fresh });

export const useColleagues = () => useQuery(apiQuery.cases.colleagues.queryOptions());

export const useCaseFile = (input: CaseRef, reason: string | null) =>
  useQuery({
    ...apiQuery.cases.get.queryOptions({
      input,
      context: reason === null ? {} : { operator: { reason } },
    }),
    queryKey: [...apiQuery.cases.get.queryKey({ input }), reason],
    refetchOnWindowFocus: 'always',
  });

export const refetchCases = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: apiQuery.cases.key() });
