import type { Applicant, ApplicantSort, Stage } from '@nearhand/contract/hiring/applicants';
import { limits } from '@nearhand/contract/limits';
import { type SkillId, taxonomy } from '@nearhand/contract/people/taxonomy';
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { type ApplicantAsk, type ApplicantScope, applicantLists } from '../applicants/applicants.api.ts';
import { allStages } from '../applicants/stage.labels.ts';

export type PipelineFilters = Required<Pick<ApplicantAsk, 'sort'>> &
  Omit<ApplicantAsk, 'sort' | 'stage' | 'group'>;

type Change = { [Key in keyof PipelineFilters]?: PipelineFilters[Key] | undefined };

/** The choices of the distance to the job, in metres. */
export const distances = [2_000, 5_000, 10_000, 25_000, 50_000];

const plain: PipelineFilters = { sort: 'match' };

const isFiltered = ({ q, skill, tag, withinM, rehire }: PipelineFilters): boolean =>
  Boolean(q || skill || tag || withinM || rehire);

const lists: readonly Pick<ApplicantAsk, 'group' | 'stage'>[] = [
  { group: 'waiting' },
  { group: 'live' },
  ...allStages.map((stage) => ({ stage })),
];

const withChange = (before: PipelineFilters, part: Change): PipelineFilters =>
  Object.fromEntries(
    Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined && value !== ''),
  ) as PipelineFilters;

export type PhoneStage = Stage | 'waiting' | 'all';
type PipelineView = 'lanes' | 'list' | 'past';

const views: readonly string[] = ['lanes', 'list', 'past'] satisfies PipelineView[];
const sorts: readonly string[] = ['match', 'newest', 'deadline'] satisfies ApplicantSort[];
const phoneStages: readonly string[] = ['waiting', 'all', ...allStages];
const skills: readonly string[] = Object.values(taxonomy).flat();
const addressParts = ['view', 'stage', 'sort', 'skill', 'tag', 'within', 'rehire'] as const;

type Address = { view: PipelineView; stage: PhoneStage; filters: PipelineFilters };

/**
 * Reads view, stage and filters from an address. A searched name is not part of it, as addresses are stored
 * and shared.
 */
function readAddress(search: string): Address {
  const params = new URLSearchParams(search);
  const pick = <Value extends string>(name: string, values: readonly string[], fallback: Value): Value =>
    values.includes(params.get(name) ?? '') ? (params.get(name) as Value) : fallback;
  const skill = params.get('skill') ?? '';
  const withinM = Number(params.get('within'));
  return {
    view: pick('view', views, 'lanes'),
    stage: pick('stage', phoneStages, 'waiting'),
    filters: withChange(plain, {
      sort: pick('sort', sorts, 'match'),
      skill: skills.includes(skill) ? (skill as SkillId) : undefined,
      tag: params.get('tag')?.slice(0, limits.tagMax) || undefined,
      withinM: distances.includes(withinM) ? withinM : undefined,
      rehire: params.get('rehire') === 'yes' || undefined,
    }),
  };
}

/** Writes view, stage and filters to an address and keeps its other parts. */
function writeAddress(search: string, { view, stage, filters }: Address): string {
  const params = new URLSearchParams(search);
  for (const part of addressParts) params.delete(part);
  if (view !== 'lanes') params.set('view', view);
  if (stage !== 'waiting') params.set('stage', stage);
  if (filters.sort !== 'match') params.set('sort', filters.sort);
  if (filters.skill) params.set('skill', filters.skill);
  if (filters.tag) params.set('tag', filters.tag);
  if (filters.withinM) params.set('within', String(filters.withinM));
  if (filters.rehire) params.set('rehire', 'yes');
  return params.toString();
}

export function usePipeline(scope: ApplicantScope) {
  const canShow = useCanShow();
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [start] = useState(() => readAddress(search));
  const [filters, change] = useState(start.filters);
  const [view, setView] = useState(start.view);
  const [stage, setStage] = useState(start.stage);
  const newSearch = writeAddress(search, { view, stage, filters });
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change made here is written, not one of the address.
  useEffect(() => {
    if (!isFirst.current) navigate(newSearch ? `${pathname}?${newSearch}` : pathname, { replace: true });
    isFirst.current = false;
  }, [view, stage, filters.sort, filters.skill, filters.tag, filters.withinM, filters.rehire]);
  const [checked, setChecked] = useState<ReadonlyMap<string, Applicant>>(new Map());
  const [announcement, announce] = useState('');
  const settled = useDeferredValue(filters);
  const q = settled.q?.trim();
  const { q: _, ...rest } = settled;
  const ask: PipelineFilters = q ? { ...rest, q } : rest;
  const toggle = useCallback(
    (applicant: Applicant) =>
      setChecked((before) => {
        const next = new Map(before);
        if (!next.delete(applicant.id)) next.set(applicant.id, applicant);
        return next;
      }),
    [],
  );
  const toggleAll = (applicants: readonly Applicant[]) =>
    setChecked((before) => {
      const next = new Map(before);
      const isAdding = applicants.some(({ id }) => !before.has(id));
      for (const applicant of applicants)
        if (isAdding) next.set(applicant.id, applicant);
        else next.delete(applicant.id);
      return next;
    });
  return {
    view,
    setView,
    stage,
    setStage,
    filters,
    ask,
    filtered: isFiltered(filters),
    setFilters: (part: Change) => change((before) => withChange(before, part)),
    /** Returns whether only the server knows whom these filters find. */
    needsNetwork: (part: Change) =>
      !lists.some((list) => canShow(applicantLists(scope, { ...withChange(filters, part), ...list }))),
    clear: () => change((before) => ({ sort: before.sort })),
    checked,
    toggle,
    toggleAll,
    uncheck: () => setChecked(new Map()),
    announcement,
    say: announce,
  };
}
export type Pipeline = ReturnType<typeof usePipeline>;

/** A card of a list: `jobs` is the number of the person's applications that this card represents or opens. */
export type PersonCard = { applicant: Applicant; jobs: number; unfolded: boolean };

/** Puts the shifts of each series in the order of their start, in the places that the list gives them. */
function withSeriesInOrder(applications: readonly Applicant[]): Applicant[] {
  const shiftsOf = Map.groupBy(applications, ({ seriesId }) => seriesId ?? '');
  for (const shifts of shiftsOf.values())
    shifts.sort((a, b) => (a.jobStartsAt ?? '').localeCompare(b.jobStartsAt ?? ''));
  return applications.map((application) =>
    application.seriesId === null
      ? application
      : (shiftsOf.get(application.seriesId)?.shift() ?? application),
  );
}

/**
 * Shows one card per person in a list over several jobs: the first in the list's order, and the soonest shift of a
 * series. The person's other applications follow it once it is unfolded, or while one of them must be visible.
 */
export function usePersonCards(
  applicants: readonly Applicant[],
  perPerson: boolean,
  mustShow: (applicant: Applicant) => boolean = () => false,
) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const onUnfold = useCallback(
    (workerId: string) =>
      setUnfolded((before) => {
        const next = new Set(before);
        if (!next.delete(workerId)) next.add(workerId);
        return next;
      }),
    [],
  );
  const people = Map.groupBy(applicants, ({ id, worker }) => (perPerson ? worker.workerId : id));
  const cards = [...people].flatMap(([key, listed]): PersonCard[] => {
    const applications = withSeriesInOrder(listed);
    const isUnfolded = unfolded.has(key) || applications.slice(1).some(mustShow);
    return applications.slice(0, isUnfolded ? undefined : 1).map((applicant, index) => ({
      applicant,
      jobs: index === 0 ? applications.length : 0,
      unfolded: isUnfolded,
    }));
  });
  return { cards, onUnfold };
}
