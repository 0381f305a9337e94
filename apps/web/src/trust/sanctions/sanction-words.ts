import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import type {
  HouseRule,
  SanctionMeasure,
  SanctionSource,
  SuspensionScope,
} from '@nearhand/contract/trust/sanctions.rules';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import type { Tone } from '../../ui/badge.tsx';

export const ruleWords: Record<HouseRule, MessageDescriptor> = {
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

export const sourceWords: Record<SanctionSource, MessageDescriptor> = {
  report: msg`Someone reported it to us. A person on our team decided.`,
  screening: msg`Our automatic check pointed it out. A person on our team decided.`,
  staff: msg`Our team noticed it. A person decided.`,
};

const scopeTitles: Record<SuspensionScope, MessageDescriptor> = {
  applying: msg`You can't apply for jobs`,
  hiring: msg`You can't hire`,
  chat: msg`You can't send messages`,
  everything: msg`Your account is suspended`,
};

export const scopeNotes: Record<SuspensionScope, MessageDescriptor> = {
  applying: msg`Your booked work goes on, and your pay is yours to withdraw.`,
  hiring: msg`Booked work goes on and must be paid. Open jobs are hidden until this ends.`,
  chat: msg`You can still read messages, work, and withdraw your pay.`,
  everything: msg`You can finish booked work, withdraw your pay, write to us and appeal.`,
};

const measureTitles: Record<Exclude<SanctionMeasure, 'suspension'>, MessageDescriptor> = {
  warning: msg`A warning`,
  hidden: msg`Your job is hidden`,
  removed: msg`Your review was removed`,
  redacted: msg`Your message was removed`,
  frozen: msg`Your conversation is frozen`,
  refused: msg`Your job wasn't published`,
  payout_refused: msg`Your withdrawal wasn't paid out`,
};

export const measureNotes: Partial<Record<SanctionMeasure, MessageDescriptor>> = {
  hidden: msg`Only your team and the people who applied can see the job. It hires nobody while it's hidden.`,
  removed: msg`Nobody else sees the review, and it doesn't count in the rating. You can't write it again.`,
  redacted: msg`Nobody can read the message. You can still write in the conversation.`,
  frozen: msg`Both sides can read the conversation, but nobody can write in it.`,
  refused: msg`Only your team can see the job. To fix what's wrong, copy it, change the copy and publish that.`,
  payout_refused: msg`All of the money is back in your balance. You can withdraw it to a bank account in your own name.`,
};

export function sanctionTitle(sanction: Sanction): MessageDescriptor {
  if (sanction.measure !== 'suspension') return measureTitles[sanction.measure];
  if (sanction.business) return msg`Your business can't hire`;
  return scopeTitles[sanction.scope ?? 'everything'];
}

export function sanctionState(sanction: Sanction): { text: string; tone: Tone } {
  if (sanction.ending === 'overturned') return { text: t`Reversed`, tone: 'good' };
  if (sanction.ending) return { text: t`Ended`, tone: 'here' };
  if (sanction.measure === 'warning') return { text: t`For your information`, tone: 'here' };
  if (sanction.endsAt === null) return { text: t`In force`, tone: 'wait' };
  return { text: t`Until ${formatDate(sanction.endsAt, ownTimeZone())}`, tone: 'wait' };
}
