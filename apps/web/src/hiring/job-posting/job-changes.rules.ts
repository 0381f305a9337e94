import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import { type JobTerms, materialChanges } from '@nearhand/contract/hiring/jobs.rules';

/** The changed parts of a form, so that an edit touches nothing else. */
export function changesOf(before: JobDraft, after: JobDraft): Partial<Omit<JobDraft, 'kind'>> {
  const { kind: _kept, ...fields } = after;
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof JobDraft]),
    ),
  );
}

/** Changes that the server notifies applicants about. */
export const isMaterial = (before: JobDraft, changes: Partial<JobDraft>): boolean =>
  materialChanges(termsOf(before), { ...termsOf(before), ...termsOf(changes) }).length > 0;

const termsOf = ({ place, ...draft }: Partial<JobDraft>): JobTerms => ({ ...draft, ...place });
