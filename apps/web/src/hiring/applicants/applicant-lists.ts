import type { Applicant, ApplicantSort, Stage } from '@nearhand/contract/hiring/applicants';
import { owedStages } from '@nearhand/contract/hiring/applicants.rules';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { pastStages } from './stage.words.ts';

type Page = { items: Applicant[]; nextCursor: string | null };
export type ApplicantPages = InfiniteData<Page>;
/** A list's filters that decide whether an applicant belongs in it. */
export type ListAsk = { stage?: Stage; group?: 'live' | 'ended'; sort?: ApplicantSort };

const belongs = (ask: ListAsk, one: Applicant): boolean =>
  (ask.stage === undefined || ask.stage === one.stage) &&
  (ask.group === undefined || (ask.group === 'ended') === pastStages.includes(one.stage));

const owed = ({ stage }: Applicant): boolean => owedStages.includes(stage);

function before(sort: ListAsk['sort'], a: Applicant, b: Applicant): boolean {
  if (sort === 'deadline')
    return owed(a) === owed(b) ? Date.parse(a.decideBy) < Date.parse(b.decideBy) : owed(a);
  return sort !== 'newest' && a.matchScore !== b.matchScore
    ? a.matchScore > b.matchScore
    : Date.parse(a.submittedAt) > Date.parse(b.submittedAt);
}

/**
 * A list after one applicant changed: updated in place, removed if they no longer belong, or inserted by rank. Only the server knows
 * whether they match a text filter, so `mayEnter` says whether to insert a new one.
 */
export function withApplicant(
  list: ApplicantPages,
  ask: ListAsk,
  changed: Applicant,
  mayEnter: boolean,
): ApplicantPages {
  const stays = belongs(ask, changed);
  const was = list.pages.some(({ items }) => items.some(({ id }) => id === changed.id));
  if (was && stays) {
    return eachPage(list, (items) => items.map((one) => (one.id === changed.id ? changed : one)));
  }
  if (was) return eachPage(list, (items) => items.filter(({ id }) => id !== changed.id));
  if (!stays || !mayEnter) return list;
  const target = list.pages.findIndex(
    ({ items, nextCursor }) => items.some((one) => before(ask.sort, changed, one)) || nextCursor === null,
  );
  // Beyond the loaded part: its page will bring it.
  if (target < 0) return list;
  return {
    ...list,
    pages: list.pages.map((page, index) => {
      if (index !== target) return page;
      const at = page.items.findIndex((one) => before(ask.sort, changed, one));
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

/** Updates one applicant in every list on screen. */
export function moveInLists(client: QueryClient, changed: Applicant): void {
  for (const root of [apiQuery.applicants.ofJob.key(), apiQuery.applicants.ofBusiness.key()]) {
    for (const [key, list] of client.getQueriesData<ApplicantPages>({ queryKey: root })) {
      if (!list) continue;
      const ask = (key[1] as { input?: Asked } | undefined)?.input ?? {};
      if (ask.jobId !== undefined && ask.jobId !== changed.jobId) continue;
      // A text-filtered list accepts only those who were just in a list with the same filter; refetching settles it.
      const narrowed = ask.q || ask.skill || ask.tag || ask.withinM || ask.rehire;
      client.setQueryData(key, withApplicant(list, ask, changed, !narrowed));
      if (narrowed) void client.invalidateQueries({ queryKey: key });
    }
  }
  client.setQueriesData<Applicant[]>({ queryKey: apiQuery.applicants.ofWorker.key() }, (list) =>
    list?.map((one) => (one.id === changed.id ? changed : one)),
  );
}
