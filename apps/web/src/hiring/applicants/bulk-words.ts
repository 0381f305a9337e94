import { plural, t } from '@lingui/core/macro';
import type { Applicant, BulkResult } from '@nearhand/contract/hiring/applicants';
import { joined } from '../../lib/words/format.ts';
import { applicantName, applicantStatusWords } from './applicant.words.ts';

/** Who was not moved with the others: for one, who was faster and the new status; for several, how many and by whom. Null if all were moved. */
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
  const names = joined(...new Set(left.flatMap(({ by }) => (by ? [by] : []))));
  return names ? t`${had} Changed by: ${names}.` : had;
}
