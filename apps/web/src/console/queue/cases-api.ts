import type { CaseKind } from '@nearhand/contract/case-kinds';
import { minuteMs } from '@nearhand/contract/durations';
import type { CaseFilters } from '@nearhand/contract/trust/cases';
import { caseLimits } from '@nearhand/contract/trust/cases.rules';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import { apiQuery } from '../console-api.ts';

export type QueueFilters = CaseFilters;

export type CaseRef = { kind: CaseKind; subjectId: string };

const fresh = { refetchInterval: minuteMs, refetchOnWindowFocus: 'always' } as const;

const flag = (on: boolean) => (on ? ('true' as const) : undefined);

export const useQueue = ({ show, kind, claimedBy, language, overdue }: QueueFilters, text: string) =>
  useInfiniteQuery({
    ...apiQuery.cases.list.infiniteOptions({
      ...pages,
      input: (cursor) => ({
        cursor,
        kind,
        language,
        mine: flag(show === 'mine'),
        waiting: flag(show === 'waiting'),
        all: flag(show === 'all'),
        overdue: flag(overdue === true),
        unclaimed: flag(claimedBy === 'nobody'),
        claimedBy: claimedBy === 'nobody' ? undefined : claimedBy,
        text: text || undefined,
      }),
      placeholderData: keepPreviousData,
    }),
    ...fresh,
  });

export const useClosedCases = ({
  kind,
  text,
  decidedBy,
  waiting,
}: {
  kind?: CaseKind;
  text?: string;
  decidedBy?: string;
  waiting?: boolean;
}) =>
  useInfiniteQuery(
    apiQuery.cases.closed.infiniteOptions({
      ...pages,
      input: (cursor) => ({
        cursor,
        kind,
        decidedBy,
        waiting: flag(waiting === true),
        text: text || undefined,
      }),
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

export const useCaseFigures = () =>
  useQuery({ ...apiQuery.cases.figures.queryOptions({ input: { timeZone: ownTimeZone() } }), ...fresh });

export const useViews = () => useQuery(apiQuery.cases.views.queryOptions());

export const useAssignments = () => useQuery(apiQuery.cases.assignments.queryOptions());

export type Colleague = NonNullable<ReturnType<typeof useColleagues>['data']>[number];

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

/** The colleagues who look at an open case now. A refusal shows nothing here, since the case itself shows it. */
export const useCaseViewers = ({ kind, subjectId }: CaseRef) =>
  useQuery({
    ...apiQuery.cases.viewers.queryOptions({ input: { kind, subjectId } }),
    refetchInterval: caseLimits.viewedSeconds * 1_000,
    retry: false,
  });

export const refetchCases = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: apiQuery.cases.key() });

/** Marks the lists as changed. The case that was just closed is not read again: each look at it is in the log. */
export async function refetchLists(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: apiQuery.cases.key(), refetchType: 'none' });
  await queryClient.invalidateQueries({ queryKey: apiQuery.cases.counts.key() });
}
