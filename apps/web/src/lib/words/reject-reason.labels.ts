import { t } from '@lingui/core/macro';
import type { RejectReason } from '@nearhand/contract/reject-reasons';
import { rejectReasonTexts } from '@nearhand/contract/talk/topics/application-topics';
import { sayText } from './notice-format.ts';

/** The reject reason as the recruiter picks it, and as the worker reads it here and in the mail. */
export function rejectReasonText(reason: RejectReason): { label: string; reads: string } {
  const labels: Record<RejectReason, string> = {
    experience: t`Experience`,
    availability: t`Availability`,
    distance: t`Distance`,
    answers: t`Answers`,
    others: t`Other applicants were a better fit`,
    other: t`Another reason`,
  };
  const text = rejectReasonTexts[reason];
  return { label: labels[reason], reads: text ? sayText(text) : '' };
}
