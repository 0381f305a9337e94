import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { HouseRule, SuspensionScope } from '@nearhand/contract/house-rules';

export const ruleText: Record<HouseRule, MessageDescriptor> = {
  'no-fees': msg`Workers never pay to get or do a job.`,
  'real-jobs': msg`Jobs must be real and open.`,
  'honest-details': msg`Pay, hours, place and duties must be as described.`,
  'pay-as-agreed': msg`Work is paid as agreed, through Nearhand.`,
  'stay-on-nearhand': msg`Agreements and payments stay on Nearhand.`,
  respect: msg`Treat everyone with respect: no insults, threats or harassment.`,
  'no-discrimination': msg`Choose people by what the work needs, never by origin, religion, gender, age, disability or orientation.`,
  safety: msg`Workplaces and behaviour must be safe.`,
  identity: msg`Use your own name, photo and documents, and only one account.`,
  privacy: msg`Don't share other people's personal data.`,
  law: msg`No illegal work or content.`,
};

export const scopeNotes: Record<SuspensionScope, MessageDescriptor> = {
  applying: msg`Your booked work goes on, and your pay is yours to withdraw.`,
  hiring: msg`Booked work goes on and must be paid. Open jobs are hidden until this ends.`,
  chat: msg`You can still read messages, work, and withdraw your pay.`,
  everything: msg`You can finish booked work, withdraw your pay, write to us and appeal.`,
};
