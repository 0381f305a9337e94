import { textFor } from '@nearhand/contract/texts-by-language';
import type { TimelineEvent } from '@nearhand/contract/trust/staff-search';
import type { CustomerKind, TimelineGroup, TimelineKind } from '@nearhand/contract/trust/staff-search.rules';
import { formatMoney, joined } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import type { Tone } from '../../ui/badge.tsx';
import { decisionLabel } from '../case/decisions.ts';
import {
  businessMoveText,
  caseKindText,
  caseTagText,
  codeText,
  type StatusOwner,
  statusText,
} from '../queue/case.labels.ts';

const groupText: Record<TimelineGroup, string> = {
  cases: 'Cases',
  decisions: 'Decisions',
  work: 'Work',
  money: 'Money',
  'sign-ins': 'Sign-ins',
  checks: 'Checks',
  businesses: 'Businesses',
};
export const timelineGroupText: Record<CustomerKind, Record<TimelineGroup, string>> = {
  person: groupText,
  business: { ...groupText, checks: 'Documents', businesses: 'Verification' },
};

const icons: Record<TimelineKind, IconName> = {
  ticket: 'ticket',
  'case-decided': 'check-circle',
  'report-made': 'flag',
  'report-about': 'flag',
  'chat-report-made': 'flag',
  'chat-report-about': 'flag',
  appeal: 'shield-check',
  sanction: 'warning',
  'sanction-ended': 'shield-check',
  work: 'briefcase',
  payment: 'hand-coins',
  withdrawal: 'bank',
  charge: 'credit-card',
  'bank-transfer': 'bank',
  'sign-in': 'sign-in',
  'account-created': 'user-plus',
  'phone-checked': 'phone',
  'identity-sent': 'identification-card',
  'identity-decided': 'identification-card',
  'certificate-sent': 'graduation-cap',
  'certificate-decided': 'graduation-cap',
  'payee-sent': 'bank',
  'payee-decided': 'bank',
  'document-added': 'file',
  'business-move': 'storefront',
};

const payments: Record<string, string> = {
  release: 'Paid',
  compensation: 'Paid for a late cancellation',
  tip: 'Tip',
  bonus: 'Bonus',
  referral: 'Reward for an invitation',
  goodwill: 'Goodwill',
  reversal: 'Payment reversed',
};

const charges: Record<string, string> = {
  hold: 'Card charged for a job',
  top_up: 'Card charged to add money',
  cover: 'Card charged for overtime or owed pay',
  tip: 'Card charged for a tip',
};

const signIns: Record<string, string> = {
  'signed-in': 'Signed in',
  failed: 'Wrong password or code',
  'password-changed': 'Changed the password',
  'password-reset': 'Reset the password',
  'email-changed': 'Changed the email',
  'email-change-undone': 'Undid an email change',
  'second-step-on': 'Turned the second step on',
  'second-step-off': 'Turned the second step off',
  'recovery-codes-made': 'Made new recovery codes',
  'recovery-code-used': 'Used a recovery code',
  'passkey-added': 'Added a passkey',
  'passkey-removed': 'Removed a passkey',
};

const code = (event: TimelineEvent): string => (event.code === null ? '' : caseTagText(event.code));

/** A timeline event as a sentence. */
function titleOf(event: TimelineEvent): string {
  const { title } = event;
  const at = event.business?.name ?? 'a business';
  const name = event.code ?? '';
  switch (event.kind) {
    case 'ticket':
      return `${name === 'asked' ? 'We asked them in a case' : 'Wrote to us'}: “${title}”`;
    case 'case-decided':
      return event.case
        ? `${caseKindText[event.case.kind].one}: ${decisionLabel(event.case.kind, name).toLowerCase()}`
        : codeText(name);
    case 'report-made':
      return `Reported ${title ?? 'a review'}: ${code(event).toLowerCase()}`;
    case 'report-about':
      return event.business
        ? `${title ?? at} was reported: ${code(event).toLowerCase()}`
        : `Was reported: ${code(event).toLowerCase()}`;
    case 'chat-report-made':
      return `Reported a chat with ${event.business?.name ?? title}: ${code(event).toLowerCase()}`;
    case 'chat-report-about':
      // The other side of the chat is the reporter, whom the page of a business does not name.
      return `Was reported in a chat${event.business ? ` with ${at}` : ''}: ${code(event).toLowerCase()}`;
    case 'appeal':
      return `Appealed against a decision: ${code(event).toLowerCase()}`;
    case 'sanction':
      return `${event.business?.name ?? 'This person'} got a decision: ${code(event).toLowerCase()}`;
    case 'sanction-ended':
      return `A decision ended: ${code(event).toLowerCase()}`;
    case 'work':
      return `${title} at ${at}`;
    case 'payment':
      return payments[name] ?? codeText(name);
    case 'withdrawal':
      return event.status === 'paid' ? `Withdrew to ${title}` : `Asked to withdraw to ${title}`;
    case 'charge':
      return charges[name] ?? codeText(name);
    case 'bank-transfer':
      return 'Bank transfer added to the balance';
    case 'sign-in':
      return signIns[name] ?? codeText(name);
    case 'account-created':
      return 'Created the account';
    case 'phone-checked':
      return 'Proved the phone number';
    case 'identity-sent':
      return `Sent an identity document: ${code(event).toLowerCase()}`;
    case 'identity-decided':
      return `Identity document ${decided(event.status)}: ${code(event).toLowerCase()}`;
    case 'certificate-sent':
      return `Sent a certificate: ${code(event).toLowerCase()}`;
    case 'certificate-decided':
      return `Certificate ${decided(event.status)}: ${code(event).toLowerCase()}`;
    case 'payee-sent':
      return 'Sent the payout details to be verified';
    case 'payee-decided':
      return `Payout details ${decided(event.status)}`;
    case 'document-added':
      return `Added a document: ${code(event).toLowerCase()}`;
    case 'business-move':
      return `${at}: ${businessMoveText(name)}`;
  }
}

const decided = (status: string | null): string =>
  status === 'checked' || status === 'replaced' || status === 'expired'
    ? 'confirmed'
    : status === 'needs_info'
      ? 'sent back'
      : statusText('document', status ?? 'refused').toLowerCase();

/** Kinds whose note is what the person wrote. */
const quotes: readonly TimelineKind[] = ['report-made', 'chat-report-made', 'appeal'];

const noteOf = (event: TimelineEvent): string => {
  const money =
    event.amountMinor !== null && event.currency !== null
      ? formatMoney(event.amountMinor, event.currency)
      : null;
  const subjectKinds = [
    'payment',
    'charge',
    'bank-transfer',
    'document-added',
    'sign-in',
    'account-created',
    'phone-checked',
    'identity-decided',
  ];
  const isTitled = subjectKinds.includes(event.kind) || event.kind === 'case-decided';
  const isQuote = quotes.includes(event.kind);
  // Its note is the id of the other request.
  const isMerge = event.kind === 'case-decided' && event.code === 'merge';
  return joined(
    money,
    isTitled ? event.title : null,
    event.kind === 'payment' || event.kind === 'charge' ? event.business?.name : null,
    isQuote ? event.note && `“${event.note}”` : null,
    event.by ? `${isQuote ? 'decided by' : 'by'} ${event.by}` : null,
    isQuote || isMerge || event.note === null
      ? null
      : event.kind === 'withdrawal'
        ? codeText(event.note)
        : textFor(event.note, 'en'),
  );
};

const tones: Record<string, Tone> = {
  open: 'wait',
  waiting: 'wait',
  submitted: 'wait',
  in_review: 'wait',
  'in-force': 'bad',
  failed: 'bad',
  returned: 'bad',
  refused: 'bad',
  'new-device': 'wait',
  'chargeback-open': 'bad',
  'chargeback-lost': 'bad',
  no_show_reported: 'bad',
  contested: 'wait',
  disputed: 'wait',
  paid: 'good',
  completed: 'good',
  actioned: 'good',
};

/** The records whose status an event shows. */
const statusOwners: Partial<Record<TimelineKind, StatusOwner>> = {
  ticket: 'ticket',
  work: 'engagement',
  withdrawal: 'withdrawal',
  'account-created': 'person',
  'identity-sent': 'document',
  'identity-decided': 'document',
  'certificate-sent': 'document',
  'certificate-decided': 'document',
  'payee-sent': 'document',
  'payee-decided': 'document',
};

/** Kinds whose title already includes how it ended. */
const saysStatus: readonly TimelineKind[] = [
  'identity-sent',
  'identity-decided',
  'certificate-sent',
  'certificate-decided',
  'payee-sent',
  'payee-decided',
];
const pending = ['submitted', 'pending'];

function badgeOf({ kind, status }: TimelineEvent): { text: string; tone?: Tone } | null {
  if (kind === 'chat-report-made' || kind === 'chat-report-about' || kind === 'appeal')
    if (status === null) return { text: 'Open', tone: 'wait' };
  if (status === null || kind === 'business-move' || (saysStatus.includes(kind) && !pending.includes(status)))
    return null;
  if (kind === 'chat-report-made' || kind === 'chat-report-about')
    return { text: decisionLabel('chat_report', status) };
  const times = /^(\d+)-times$/.exec(status)?.[1];
  const tone = pending.includes(status) ? 'wait' : tones[status];
  const owner = statusOwners[kind];
  const text = times ? `${times} times` : owner ? statusText(owner, status) : codeText(status);
  return { text, ...(tone ? { tone } : {}) };
}

export const eventText = (event: TimelineEvent) => ({
  icon: icons[event.kind],
  title: titleOf(event),
  note: noteOf(event),
  badge: badgeOf(event),
});
