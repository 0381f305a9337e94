import type { Applicant, ApplicantGroup, ApplicantSort, Stage } from '@nearhand/contract/hiring/applicants';
import type { ApplicationAction } from '@nearhand/contract/hiring/applications';
import { groupHas, owedStages } from '@nearhand/contract/hiring/applications.rules';
import type { Board } from '@nearhand/contract/hiring/pipeline';
import type { Page } from '@nearhand/contract/operation';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import type { RejectReason } from '@nearhand/contract/reject-reasons';
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';

export const freshMs = 30_000;

export type ApplicantScope = { jobId: string } | { businessId: string };

export type ApplicantAsk = {
  group?: ApplicantGroup;
  stage?: Stage;
  sort?: ApplicantSort;
  q?: string;
  skill?: SkillId;
  tag?: string;
  withinM?: number;
  rehire?: boolean;
};

const pageSize = 30;

const askInput = ({ rehire, ...ask }: ApplicantAsk, cursor: string | undefined) => ({
  ...ask,
  ...(rehire ? { rehire: 'true' as const } : {}),
  limit: pageSize,
  cursor,
});

export const applicantsOf = (data: InfiniteData<Page<Applicant>> | undefined): Applicant[] =>
  data?.pages.flatMap((page) => page.items) ?? [];

export function applicantLists(scope: ApplicantScope | null, ask: ApplicantAsk) {
  const lane = {
    ...pages,
    ...neverPersist,
    // A changed filter keeps the lane in view until the new one has loaded.
    placeholderData: keepPreviousData,
  };
  const ofJob = apiQuery.applicants.ofJob.infiniteOptions({
    input: (cursor: string | undefined) => ({
      jobId: scope && 'jobId' in scope ? scope.jobId : '',
      ...askInput(ask, cursor),
    }),
    ...lane,
  });
  const ofBusiness = apiQuery.applicants.ofBusiness.infiniteOptions({
    input: (cursor: string | undefined) => ({
      businessId: scope && 'businessId' in scope ? scope.businessId : '',
      ...askInput(ask, cursor),
    }),
    ...lane,
  });
  return (scope && 'businessId' in scope ? ofBusiness : ofJob) as typeof ofJob;
}

export function useApplicants(scope: ApplicantScope | null, ask: ApplicantAsk, enabled = true) {
  const fresh = useFresh(freshMs);
  return useInfiniteQuery({
    ...applicantLists(scope, ask),
    enabled: scope !== null && enabled,
    ...fresh,
  });
}

export const useBusinessApplicants = (businessId: string | undefined, group?: ApplicantGroup) =>
  useApplicants(businessId ? { businessId } : null, { sort: 'newest', ...(group ? { group } : {}) });

export function useApplicant(applicationId: string | null | undefined, preloaded?: Applicant) {
  return useQuery(
    apiQuery.applicants.get.queryOptions({
      input: { applicationId: applicationId ?? '' },
      enabled: Boolean(applicationId),
      ...neverPersist,
      staleTime: 5_000,
      ...(preloaded ? { placeholderData: () => preloaded } : {}),
    }),
  );
}

export function useApplicationsOfWorker(workerId: string | undefined) {
  return useQuery(
    apiQuery.applicants.ofWorker.queryOptions({
      input: { workerId: workerId ?? '' },
      ...neverPersist,
      enabled: Boolean(workerId),
    }),
  );
}

const decisions: readonly ApplicationAction[] = ['offer', 'reject'];

/** The applications for a series that the business still decides on, soonest first. */
export const undecidedOfSeries = (applicants: readonly Applicant[], seriesId: string | null): Applicant[] =>
  applicants
    .filter(
      (applicant) =>
        seriesId !== null &&
        applicant.seriesId === seriesId &&
        applicant.actions.some((action) => decisions.includes(action)),
    )
    .sort((a, b) => Date.parse(a.jobStartsAt ?? '') - Date.parse(b.jobStartsAt ?? ''));

/** The worker's undecided applications for the series of this one, soonest first; empty unless there are several. */
export function useSeriesOf(applicant: Applicant): Applicant[] {
  const { seriesId, worker } = applicant;
  const { data = [] } = useApplicationsOfWorker(seriesId === null ? undefined : worker.workerId);
  const undecided = undecidedOfSeries(data, seriesId);
  return undecided.length > 1 && undecided.some(({ id }) => id === applicant.id) ? undecided : [];
}

/** Stores a move's result in the lanes and the open record, and refetches counts. */
export function cacheApplicant(changed: Applicant): void {
  queryClient.setQueryData(
    apiQuery.applicants.get.queryKey({ input: { applicationId: changed.id } }),
    // An unopened record would lack its `keep: false` and be stored on the device.
    (before) => before && changed,
  );
  moveInLists(changed);
}

function refetchCounts(): void {
  void queryClient.invalidateQueries({ queryKey: apiQuery.pipeline.board.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.pipeline.boardOfBusiness.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.jobs.listed.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.businesses.key() });
}

export function reloadApplicants(): void {
  refetchChanged(['application']);
}

/** A refusal often means that something changed, so visible records are refetched. */
const move = {
  onSuccess: (changed: Applicant) => {
    cacheApplicant(changed);
    void queryClient.invalidateQueries({ queryKey: apiQuery.applicants.ofWorker.key() });
    refetchCounts();
  },
  onError: (error: unknown) => {
    if (isApiError(error, 'application/stale', 'application/wrong-state', 'application/not-found'))
      reloadApplicants();
  },
};

/** Marks an opened application as viewed, if `actions` offers `view`; the worker is notified once. */
export const useViewApplication = () => useMutation(apiQuery.applicants.view.mutationOptions(move));

export const useShortlistApplication = () => useMutation(apiQuery.applicants.shortlist.mutationOptions(move));

export const useUnshortlistApplication = () =>
  useMutation(apiQuery.applicants.unshortlist.mutationOptions(move));

export const useRejectApplication = () => useMutation(apiQuery.applicants.reject.mutationOptions(move));

export type BulkMove =
  | { action: 'shortlist' | 'unshortlist' }
  | { action: 'reject'; reason: RejectReason; note: string };

/** Moves up to 100 at once at the versions seen, with a result for each. */
export function useBulkApplications(businessId: string | undefined) {
  return useMutation({
    mutationFn: ({ move, applicants }: { move: BulkMove; applicants: readonly Applicant[] }) => {
      const items = applicants.map(({ id, version }) => ({ applicationId: id, version }));
      return api.applicants.bulk({ businessId: businessId ?? '', items, ...move });
    },
    onSettled: () => reloadApplicants(),
  });
}

export type ApplicantPages = InfiniteData<Page<Applicant>>;
type ListAsk = { stage?: Stage; group?: ApplicantGroup; sort?: ApplicantSort };

const isListed = (ask: ListAsk, applicant: Applicant): boolean =>
  (ask.stage === undefined || ask.stage === applicant.stage) && groupHas(ask.group, applicant.stage);

const isOwedAnswer = ({ stage }: Applicant): boolean => owedStages.includes(stage);

function sortsBefore(sort: ListAsk['sort'], a: Applicant, b: Applicant): boolean {
  if (sort === 'deadline')
    return isOwedAnswer(a) === isOwedAnswer(b)
      ? Date.parse(a.decideBy) < Date.parse(b.decideBy)
      : isOwedAnswer(a);
  return sort !== 'newest' && a.matchScore !== b.matchScore
    ? a.matchScore > b.matchScore
    : Date.parse(a.submittedAt) > Date.parse(b.submittedAt);
}

/** Updates an applicant in a list. Only the server knows whether a filter matches, so `mayEnter` allows inserting. */
export function withApplicant(
  list: ApplicantPages,
  ask: ListAsk,
  changed: Applicant,
  mayEnter: boolean,
): ApplicantPages {
  const belongsToList = isListed(ask, changed);
  const was = list.pages.some(({ items }) => items.some(({ id }) => id === changed.id));
  if (was && belongsToList) {
    return eachPage(list, (items) => items.map((item) => (item.id === changed.id ? changed : item)));
  }
  if (was) return eachPage(list, (items) => items.filter(({ id }) => id !== changed.id));
  if (!belongsToList || !mayEnter) return list;
  const target = list.pages.findIndex(
    ({ items, nextCursor }) =>
      items.some((item) => sortsBefore(ask.sort, changed, item)) || nextCursor === null,
  );
  // The applicant belongs to a page that has not been loaded.
  if (target < 0) return list;
  return {
    ...list,
    pages: list.pages.map((page, index) => {
      if (index !== target) return page;
      const at = page.items.findIndex((item) => sortsBefore(ask.sort, changed, item));
      return { ...page, items: page.items.toSpliced(at < 0 ? page.items.length : at, 0, changed) };
    }),
  };
}

function eachPage(list: ApplicantPages, change: (items: Applicant[]) => Applicant[]): ApplicantPages {
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: change(page.items) })) };
}

type Asked = ListAsk & {
  jobId?: string;
  q?: string;
  skill?: string;
  tag?: string;
  withinM?: number;
  rehire?: unknown;
};

function moveInLists(changed: Applicant): void {
  let stageBefore: Stage | undefined;
  for (const root of [apiQuery.applicants.ofJob.key(), apiQuery.applicants.ofBusiness.key()]) {
    for (const [key, list] of queryClient.getQueriesData<ApplicantPages>({ queryKey: root })) {
      if (!list) continue;
      const ask = (key[1] as { input?: Asked } | undefined)?.input ?? {};
      if (ask.jobId !== undefined && ask.jobId !== changed.jobId) continue;
      stageBefore ??= applicantsOf(list).find(({ id }) => id === changed.id)?.stage;
      // A text-filtered list accepts only applicants of a list with the same filter; refetching settles the
      // rest.
      const narrowed = ask.q || ask.skill || ask.tag || ask.withinM || ask.rehire;
      queryClient.setQueryData(key, withApplicant(list, ask, changed, !narrowed));
      if (narrowed) void queryClient.invalidateQueries({ queryKey: key });
    }
  }
  queryClient.setQueriesData<Applicant[]>({ queryKey: apiQuery.applicants.ofWorker.key() }, (list) =>
    list?.map((applicant) => (applicant.id === changed.id ? changed : applicant)),
  );
  if (stageBefore && stageBefore !== changed.stage) moveCount(changed, stageBefore);
}

/** Empty lanes are folded by their count, so it changes with the lists. */
function moveCount({ jobId, stage }: Applicant, stageBefore: Stage): void {
  for (const root of [apiQuery.pipeline.board.key(), apiQuery.pipeline.boardOfBusiness.key()])
    queryClient.setQueriesData<Board>(
      {
        queryKey: root,
        predicate: ({ queryKey }) =>
          ((queryKey[1] as { input?: Asked } | undefined)?.input?.jobId ?? jobId) === jobId,
      },
      (board) =>
        board && {
          ...board,
          stages: {
            ...board.stages,
            [stageBefore]: Math.max(0, board.stages[stageBefore] - 1),
            [stage]: board.stages[stage] + 1,
          },
        },
    );
}
