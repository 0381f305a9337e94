import { t } from '@lingui/core/macro';
import type { RejectReason } from '@nearhand/contract/applications';

/** In the order they are offered. */
export const rejectReasons = [
  'experience',
  'availability',
  'distance',
  'answers',
  'others',
  'other',
] as const satisfies readonly RejectReason[];

/** Why somebody is turned down: as the recruiter chooses it, and what the worker reads, as the mail to them says it (`application.words.ts` of the server). */
export function rejectReasonWords(reason: RejectReason): { label: string; reads: string } {
  switch (reason) {
    case 'experience':
      return { label: t`Experience`, reads: t`They look for other experience.` };
    case 'availability':
      return { label: t`Availability`, reads: t`The times did not fit.` };
    case 'distance':
      return { label: t`Distance`, reads: t`The distance was too far for this work.` };
    case 'answers':
      return { label: t`Answers`, reads: t`The answers to their questions did not fit.` };
    case 'others':
      return { label: t`Others were closer to it`, reads: t`They went on with other applicants.` };
    case 'other':
      return { label: t`Another reason`, reads: '' };
  }
}
