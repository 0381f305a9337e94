import { plural, t } from '@lingui/core/macro';
import type { Applicant, BulkResult } from '@nearhand/contract/hiring/applicants';
import { applicantName, applicantStatusWords } from './applicant.words.ts';

/**
 * What became of those who were not moved with the others: of one, who was faster and what they are now; of several, how many and by whom. Null where all were
 * moved.
 */
export function leftWords(results: readonly BulkResult[], applicants: readonly Applicant[]): string | null {
  const left = results.filter(({ ok }) => !ok);
  const [one] = left;
  if (!one) return null;
  if (left.length === 1 && one.status) {
    const applicant = applicants.find(({ id }) => id === one.applicationId);
    const name = applicant ? applicantName(applicant) : '';
    const now = applicantStatusWords(one.status)?.label;
    if (name && now)
      return one.by ? t`${one.by} already moved ${name} to "${now}".` : t`${name} is now "${now}".`;
  }
  const had = t`${plural(left.length, { one: '# was already moved', other: '# were already moved' })}.`;
  const names = [...new Set(left.flatMap(({ by }) => (by ? [by] : [])))].join(', ');
  return names ? t`${had} Changed by: ${names}.` : had;
}
