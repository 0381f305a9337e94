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

export type PhoneStage = Stage | 'all';
