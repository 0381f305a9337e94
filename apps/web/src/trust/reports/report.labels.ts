import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Report } from '@nearhand/contract/trust/reports';
import type { ReportKind, ReportOutcome } from '@nearhand/contract/trust/reports.rules';
import type { Tone } from '../../ui/badge.tsx';

export const reasonText: Record<Report['reason'], MessageDescriptor> = {
  scam: msg`Asks for money, bank details or passwords`,
  fake: msg`Not real, or pretends to be someone else`,
  misleading: msg`Pay, hours, place or duties aren't true`,
  unpaid: msg`Doesn't pay as agreed`,
  discrimination: msg`Discrimination`,
  harassment: msg`Insults, threats or harassment`,
  unsafe: msg`Unsafe place or behaviour`,
  illegal: msg`Something illegal`,
  offensive: msg`Offensive text or picture`,
  private: msg`Names someone or shares private details`,
  'off-platform': msg`Wants to pay or agree outside Nearhand`,
  spam: msg`Advertising or spam`,
  other: msg`Something else`,
};

export const kindTitles: Record<ReportKind, MessageDescriptor> = {
  job: msg`Report this job`,
  business: msg`Report this business`,
  worker: msg`Report this worker`,
  review: msg`Report this review`,
};

export const subjectText: Record<Report['subject']['kind'], MessageDescriptor> = {
  job: msg`Job`,
  business: msg`Business`,
  worker: msg`Worker`,
  review: msg`Review`,
  message: msg`Message`,
  conversation: msg`Conversation`,
};

export const reportOutcomeText: Record<ReportOutcome, { text: MessageDescriptor; tone: Tone }> = {
  actioned: { text: msg`We took action`, tone: 'good' },
  dismissed: { text: msg`No breach found`, tone: 'here' },
};
