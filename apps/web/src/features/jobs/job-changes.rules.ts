import type { JobDraft } from '@nearhand/contract/jobs';

/** What of a form has to be sent, so that an edit touches nothing else. */
export function changesOf(before: JobDraft, after: JobDraft): Partial<Omit<JobDraft, 'kind'>> {
  const { kind: _kept, ...fields } = after;
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof JobDraft]),
    ),
  );
}

/** Whether applicants are told of these changes (product.md: Job, material edits; the server's `materialChanges`). */
export function isMaterial(before: JobDraft, changes: Partial<JobDraft>): boolean {
  const told = ['payMinor', 'startsAt', 'endsAt', 'breakMinutes', 'breakPaid', 'dueOn', 'place'] as const;
  if (told.some((key) => key in changes)) return true;
  return changes.headCount !== undefined && changes.headCount < (before.headCount ?? 1);
}
