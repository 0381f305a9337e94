import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { TicketCategory, TicketRefKind, TicketStatus } from '@nearhand/contract/trust/tickets.rules';
import type { Tone } from '../../ui/badge.tsx';

export const ticketCategoryText: Record<TicketCategory, MessageDescriptor> = {
  account: msg`My account or login`,
  finding_work: msg`Finding work and applying`,
  on_the_job: msg`Shifts, check-in and hours`,
  hiring: msg`Hiring and applicants`,
  payments: msg`Pay, fees and withdrawals`,
  safety: msg`Safety, or someone's behaviour`,
  problem: msg`Something doesn't work`,
  other: msg`Something else`,
};

export const ticketStatusText: Record<TicketStatus, { text: MessageDescriptor; tone: Tone }> = {
  unconfirmed: { text: msg`Not confirmed yet`, tone: 'wait' },
  open: { text: msg`With Nearhand`, tone: 'here' },
  waiting: { text: msg`Waiting for you`, tone: 'wait' },
  solved: { text: msg`Solved`, tone: 'good' },
};

export const refText: Record<TicketRefKind, MessageDescriptor> = {
  job: msg`The job you looked at`,
  application: msg`The application you looked at`,
  engagement: msg`The booked work you looked at`,
  interview: msg`The interview you looked at`,
  conversation: msg`The conversation you looked at`,
  worker: msg`The worker you looked at`,
  business: msg`The business you looked at`,
  withdrawal: msg`The withdrawal you looked at`,
  payment: msg`The payment you looked at`,
};
