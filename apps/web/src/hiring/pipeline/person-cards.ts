import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { useCallback, useState } from 'react';

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
