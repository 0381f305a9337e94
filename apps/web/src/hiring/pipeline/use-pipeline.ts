import type { Applicant, Stage } from '@nearhand/contract/hiring/applicants';
import { useCallback, useDeferredValue, useState } from 'react';
import type { ApplicantAsk } from '../applicants/applicants.api.ts';

/** How the merchant views applicants; kept while the page exists. */
export type PipelineFilters = Required<Pick<ApplicantAsk, 'sort'>> &
  Omit<ApplicantAsk, 'sort' | 'stage' | 'group'>;

const plain: PipelineFilters = { sort: 'match' };

const isFiltered = ({ q, skill, tag, withinM, rehire }: PipelineFilters): boolean =>
  Boolean(q || skill || tag || withinM || rehire);

export function usePipeline() {
  const [filters, change] = useState<PipelineFilters>(plain);
  const [checked, setChecked] = useState<ReadonlyMap<string, Applicant>>(new Map());
  const [said, say] = useState('');
  // Input is shown at once and queried when typing rests.
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
    setFilters: (part: { [Key in keyof PipelineFilters]?: PipelineFilters[Key] | undefined }) =>
      change((before) => {
        const merged = { ...before, ...part };
        return Object.fromEntries(
          Object.entries(merged).filter(([, value]) => value !== undefined && value !== ''),
        ) as PipelineFilters;
      }),
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
