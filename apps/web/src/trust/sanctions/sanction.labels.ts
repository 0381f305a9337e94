import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { SuspensionScope } from '@nearhand/contract/house-rules';
import { certificateKinds } from '@nearhand/contract/people/certificates.rules';
import { identityDocuments } from '@nearhand/contract/people/identity-checks.rules';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import type { SanctionMeasure, SanctionSource } from '@nearhand/contract/trust/sanctions.rules';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { certificateText } from '../../people/certificates/certificate.labels.ts';
import { documentText } from '../../people/identity-checks/identity-check.labels.ts';
import type { Tone } from '../../ui/badge.tsx';

export const sourceText: Record<SanctionSource, MessageDescriptor> = {
  report: msg`Someone reported it to us. A person on our team decided.`,
  screening: msg`Our automatic check pointed it out. A person on our team decided.`,
  staff: msg`Our team looked into it. A person decided.`,
};

const scopeTitles: Record<SuspensionScope, MessageDescriptor> = {
  applying: msg`You can't apply for jobs`,
  hiring: msg`You can't hire`,
  chat: msg`You can't send messages`,
  everything: msg`Your account is suspended`,
};

const measureTitles: Record<Exclude<SanctionMeasure, 'suspension'>, MessageDescriptor> = {
  warning: msg`A warning`,
  hidden: msg`Your job is hidden`,
  removed: msg`Your review was removed`,
  redacted: msg`Your message was removed`,
  frozen: msg`Your conversation is frozen`,
  refused: msg`Your job wasn't published`,
  payout_refused: msg`Your withdrawal wasn't paid out`,
  verification_refused: msg`We couldn't verify your business`,
  certificate_refused: msg`We couldn't confirm your certificate`,
  identity_refused: msg`We couldn't accept your identity document`,
};

export const measureNotes: Partial<Record<SanctionMeasure, MessageDescriptor>> = {
  hidden: msg`Only your team and the people who applied can see the job. It hires nobody while it's hidden.`,
  removed: msg`Nobody else sees the review, and it doesn't count in the rating. You can't write it again.`,
  redacted: msg`Nobody can read the message. You can still write in the conversation.`,
  frozen: msg`Both sides can read the conversation, but nobody can write in it.`,
  refused: msg`Only your team can see the job. To fix what's wrong, copy it, change the copy and publish that.`,
  verification_refused: msg`Your business is hidden and can't hire. Booked work goes on and must be paid. You can correct the details and ask us to check again.`,
  certificate_refused: msg`Businesses don't see the certificate. You can send it again.`,
  identity_refused: msg`Businesses don't see that your identity document was checked. You can keep using Nearhand, and send another document.`,
  payout_refused: msg`All of the money is back in your balance. You can withdraw it to a bank account in your own name.`,
};

/** "Barista", or "Driving licence" for a document, whose name is its kind. */
export function targetName({ target: { kind, name } }: Sanction): string {
  const certificate = certificateKinds.find((value) => kind === 'certificate' && value === name);
  if (certificate) return certificateText(certificate);
  const document = identityDocuments.find((value) => kind === 'identity_check' && value === name);
  return document ? documentText(document) : name;
}

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
