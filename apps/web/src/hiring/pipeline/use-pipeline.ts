import type { Applicant, ApplicantSort, Stage } from '@nearhand/contract/hiring/applicants';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { type SkillId, taxonomy } from '@nearhand/contract/people/taxonomy';
import { useCallback, useDeferredValue, useState } from 'react';
import { useAddressState } from '../../lib/pages/use-address-state.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { type ApplicantAsk, type ApplicantScope, applicantLists } from '../applicants/applicants.api.ts';
import { allStages } from '../applicants/stage.labels.ts';

export type PipelineFilters = Required<Pick<ApplicantAsk, 'sort'>> &
  Omit<ApplicantAsk, 'sort' | 'stage' | 'group'>;

type Change = { [Key in keyof PipelineFilters]?: PipelineFilters[Key] | undefined };

/** The choices of the distance to the job, in metres. */
export const distances = [2_000, 5_000, 10_000, 25_000, 50_000];

const noFilters: PipelineFilters = { sort: 'match' };

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

type Address = { view: PipelineView; stage: PhoneStage; filters: PipelineFilters };

/**
 * Reads view, stage and filters from an address. A searched name is not part of it, as addresses are stored
 * and shared: it stays that of `before`.
 */
function readAddress(search: string, before?: Address): Address {
  const params = new URLSearchParams(search);
  const pick = <Value extends string>(name: string, values: readonly string[], fallback: Value): Value =>
    values.includes(params.get(name) ?? '') ? (params.get(name) as Value) : fallback;
  const skill = params.get('skill') ?? '';
  const withinM = Number(params.get('within'));
  return {
    view: pick('view', views, 'lanes'),
    stage: pick('stage', phoneStages, 'waiting'),
    filters: withChange(noFilters, {
      sort: pick('sort', sorts, 'match'),
      skill: skills.includes(skill) ? (skill as SkillId) : undefined,
      tag: params.get('tag')?.slice(0, hiringLimits.tagMax) || undefined,
      withinM: distances.includes(withinM) ? withinM : undefined,
      rehire: params.get('rehire') === 'yes' || undefined,
      q: before?.filters.q,
    }),
  };
}

/** The inverse: only what differs from the default, and the open applicant of the current address. */
function writeAddress({ view, stage, filters }: Address, current: string): string {
  const params = new URLSearchParams();
  const applicantId = new URLSearchParams(current).get('applicant');
  if (view !== 'lanes') params.set('view', view);
  if (stage !== 'waiting') params.set('stage', stage);
  if (filters.sort !== 'match') params.set('sort', filters.sort);
  if (filters.skill) params.set('skill', filters.skill);
  if (filters.tag) params.set('tag', filters.tag);
  if (filters.withinM) params.set('within', String(filters.withinM));
  if (filters.rehire) params.set('rehire', 'yes');
  if (applicantId !== null) params.set('applicant', applicantId);
  return params.size > 0 ? `?${params}` : '';
}

/** View, stage and filters of the applicants of a job or of all jobs, and the applicants that are ticked. */
export function usePipeline(scope: ApplicantScope, path: string) {
  const canShow = useCanShow();
  const [{ view, stage, filters }, setAddress] = useAddressState<Address>({
    path,
    read: readAddress,
    write: writeAddress,
  });
  const [announcement, announce] = useState('');
  const deferredFilters = useDeferredValue(filters);
  const q = deferredFilters.q?.trim();
  const { q: _, ...withoutName } = deferredFilters;
  const ask: PipelineFilters = q ? { ...withoutName, q } : withoutName;
  const setFilters = (part: Change) =>
    setAddress((before) => ({ ...before, filters: withChange(before.filters, part) }));
  return {
    view,
    setView: (next: PipelineView) => setAddress((before) => ({ ...before, view: next })),
    stage,
    setStage: (next: PhoneStage) => setAddress((before) => ({ ...before, stage: next })),
    filters,
    ask,
    isFiltered: isFiltered(filters),
    setFilters,
    /** Returns whether only the server knows whom these filters find. */
    needsNetwork: (part: Change) =>
      !lists.some((list) => canShow(applicantLists(scope, { ...withChange(filters, part), ...list }))),
    clear: () => setAddress((before) => ({ ...before, filters: { sort: before.filters.sort } })),
    ...useTicked(),
    announcement,
    announce,
  };
}
export type Pipeline = ReturnType<typeof usePipeline>;

function useTicked() {
  const [checked, setChecked] = useState<ReadonlyMap<string, Applicant>>(new Map());
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
  return { checked, toggle, toggleAll, uncheck: () => setChecked(new Map()) };
}
