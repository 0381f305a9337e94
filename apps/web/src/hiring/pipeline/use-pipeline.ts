import type { Applicant, Stage } from '@nearhand/contract/hiring/applicants';
import { useCallback, useDeferredValue, useState } from 'react';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { type ApplicantAsk, type ApplicantScope, applicantLists } from '../applicants/applicants.api.ts';
import { allStages } from '../applicants/stage.labels.ts';

export type PipelineFilters = Required<Pick<ApplicantAsk, 'sort'>> &
  Omit<ApplicantAsk, 'sort' | 'stage' | 'group'>;

type Change = { [Key in keyof PipelineFilters]?: PipelineFilters[Key] | undefined };

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

export function usePipeline(scope: ApplicantScope) {
  const canShow = useCanShow();
  const [filters, change] = useState<PipelineFilters>(plain);
  const [checked, setChecked] = useState<ReadonlyMap<string, Applicant>>(new Map());
  const [said, say] = useState('');
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
  return {
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
    uncheck: () => setChecked(new Map()),
    said,
    say,
  };
}
export type Pipeline = ReturnType<typeof usePipeline>;

export type PhoneStage = Stage | 'waiting' | 'all';

/** A card of a list: `jobs` is the number of the person's applications that this card stands for or opens. */
export type PersonCard = { applicant: Applicant; jobs: number; unfolded: boolean };

/**
 * Shows one card per person in a list over several jobs: the first in the list's order. The person's other
 * applications follow it once it is unfolded, or while one of them must be visible.
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
  const people = new Map<string, Applicant[]>();
  for (const applicant of applicants) {
    const key = perPerson ? applicant.worker.workerId : applicant.id;
    people.set(key, [...(people.get(key) ?? []), applicant]);
  }
  const cards = [...people].flatMap(([key, applications]): PersonCard[] => {
    const isUnfolded = unfolded.has(key) || applications.slice(1).some(mustShow);
    return applications.slice(0, isUnfolded ? undefined : 1).map((applicant, index) => ({
      applicant,
      jobs: index === 0 ? applications.length : 0,
      unfolded: isUnfolded,
    }));
  });
  return { cards, onUnfold };
}
