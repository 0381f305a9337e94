import type { CaseKind, CasePriority } from '@nearhand/contract/case-kinds';
import { hourMs } from '@nearhand/contract/durations';
import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import type { HouseRule } from '@nearhand/contract/house-rules';
import type { Language } from '@nearhand/contract/languages';
import type { WithdrawalStatus } from '@nearhand/contract/money/payouts';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import type { CertificateStatus } from '@nearhand/contract/people/certificates';
import type { IdentityCheckStatus } from '@nearhand/contract/people/identity-checks';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import type { ReviewState } from '@nearhand/contract/trust/reviews.rules';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import type { SanctionMeasure, SanctionSource } from '@nearhand/contract/trust/sanctions.rules';
import type { TicketStatus } from '@nearhand/contract/trust/tickets.rules';
import { formatSpanShort } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import type { Tone } from '../../ui/badge.tsx';

export const caseKindText: Record<CaseKind, { one: string; many: string; icon: IconName }> = {
  dispute: { one: 'Pay dispute', many: 'Pay disputes', icon: 'hand-coins' },
  no_show: { one: 'Contested no-show', many: 'No-shows', icon: 'calendar-x' },
  chat_report: { one: 'Reported conversation', many: 'Reported conversations', icon: 'flag' },
  frozen_chat: { one: 'Frozen conversation', many: 'Frozen conversations', icon: 'lock-key' },
  report: { one: 'Report', many: 'Reports', icon: 'flag' },
  appeal: { one: 'Appeal', many: 'Appeals', icon: 'shield-check' },
  flagged_review: { one: 'Flagged review', many: 'Flagged reviews', icon: 'star' },
  job_review: { one: 'Job in review', many: 'Jobs in review', icon: 'magnifying-glass' },
  ticket: { one: 'Request', many: 'Requests', icon: 'ticket' },
  referral: { one: 'Referral', many: 'Referrals', icon: 'user-plus' },
  business_verification: { one: 'Business to verify', many: 'Businesses to verify', icon: 'seal-check' },
  identity: { one: 'Identity document', many: 'Identity documents', icon: 'identification-card' },
  certificate: { one: 'Certificate', many: 'Certificates', icon: 'graduation-cap' },
  second_approval: { one: 'Decision to approve', many: 'Decisions to approve', icon: 'users' },
  authority_report: { one: 'Report to an authority', many: 'Reports to authorities', icon: 'bank' },
  correction: { one: 'Payment to reverse', many: 'Payments to reverse', icon: 'arrows-clockwise' },
  payout_held: { one: 'Withdrawal held', many: 'Withdrawals held', icon: 'wallet' },
  unclaimed: { one: 'Unclaimed money', many: 'Unclaimed money', icon: 'wallet' },
  bank_payment: { one: 'Bank transfer', many: 'Bank transfers', icon: 'bank' },
  chargeback: { one: 'Chargeback', many: 'Chargebacks', icon: 'credit-card' },
};

export const priorityText: Record<CasePriority, { text: string; tone?: Tone }> = {
  urgent: { text: 'Urgent', tone: 'bad' },
  high: { text: 'High', tone: 'wait' },
  normal: { text: 'Normal' },
  low: { text: 'Low' },
};

/** Codes whose words alone would mislead or read badly. */
const codeTexts: Record<string, string> = {
  id_card: 'Identity card',
  'stay-on-nearhand': 'Stay on Nearhand',
  'off-platform': 'Asks to leave Nearhand',
  not_funded: 'Not paid for yet',
  planned: 'Paid a week before the shift',
  removed: 'Review removed',
  redacted: 'Message removed',
  frozen: 'Conversation frozen',
  hidden: 'Job hidden',
  payout_refused: 'Withdrawal refused',
  verification_refused: 'Verification refused',
  certificate_refused: 'Certificate refused',
  identity_refused: 'Identity document refused',
  actioned: 'Acted on',
  filed: 'One side filed it',
  rounds: 'No agreement after three proposals',
  'no-check-in': 'Hours without a check-in',
  'beyond-plan': 'More hours than planned',
  counter: 'Fewer hours proposed',
  device: 'Same device',
  network: 'Same network',
  card: 'Same card',
  payout: 'Same bank account',
  address: 'Same home address',
  'payer-device': 'Same device as the payer',
  'payer-network': 'Same network as the payer',
  'payer-card': 'Same card as the payer',
  'payer-payout': 'Same bank account as the payer',
  loop: 'They invited each other',
  'day-cap': 'Over the daily limit',
  hold: 'Reserved pay',
  top_up: 'Added money',
  cover: 'Overtime or owed pay',
  requires_action: 'Needs a confirmation at the bank',
  person: 'Of a person',
  business: 'Of a business',
};

/** The words of a code, for operators. */
export const codeText = (code: string): string => {
  const label = codeTexts[code];
  if (label !== undefined) return label;
  const words = code.replaceAll(/[_-]/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const findings: Record<string, string> = {
  'asks-fee': 'Seems to ask workers for money',
  'asks-details': 'Seems to ask for bank details, passwords or documents',
  'off-platform': 'Sends workers outside Nearhand',
  'pay-too-good': 'Pay far above what is usual nearby',
  'copied-text': 'Text of another business',
};
/** The automatic check's finding as a sentence. */
export const findingText = (rule: string): string => findings[rule] ?? codeText(rule);

/** The words of a finding in the sentence that has them; the words alone if the text has changed. */
export function sentenceAround(text: string, words: string): string {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (words === '' || at < 0) return words;
  const before = text.slice(0, at).search(/[^.!?\n]*$/);
  const after = /[.!?\n]/.exec(text.slice(at + words.length));
  const end = after ? at + words.length + after.index + 1 : text.length;
  return text.slice(before, end).trim();
}

/** The statuses of what an operator reads about. `document`: an identity document, a certificate or payout details. */
type Statuses = {
  person: 'verified' | 'unverified' | 'disabled';
  business: BusinessStatus;
  job: JobStatus;
  engagement: EngagementStatus;
  review: ReviewState;
  ticket: TicketStatus;
  withdrawal: WithdrawalStatus;
  document: IdentityCheckStatus | CertificateStatus | 'pending';
};

/** The words of each status. Every page of the console takes them from here, so that one fact has one word. */
const statusTexts: { readonly [K in keyof Statuses]: Readonly<Record<Statuses[K], string>> } = {
  // The status of an account is about its email only; the documents of a person are among the checks.
  person: { verified: 'Email confirmed', unverified: 'Email not confirmed', disabled: 'Disabled' },
  business: {
    draft: 'Not verified',
    submitted: 'Waiting for verification',
    needs_info: 'Asked for more',
    verified: 'Verified',
    rejected: 'Refused',
    resubmitted: 'Waiting for verification again',
    suspended: 'Suspended',
    closed: 'Closed',
  },
  job: {
    draft: 'Draft',
    in_review: 'In review',
    open: 'Open',
    paused: 'Paused',
    filled: 'Filled',
    expired: 'Expired',
    closed: 'Closed',
    archived: 'Archived',
    suspended: 'Hidden',
    rejected: 'Refused',
  },
  engagement: {
    booked: 'Booked',
    confirmed: 'Confirmed',
    checked_in: 'Checked in',
    checked_out: 'Checked out',
    in_progress: 'Started',
    submitted: 'Hours submitted',
    counter_proposed: 'Other hours proposed',
    delivered: 'Delivered',
    changes_requested: 'Changes requested',
    approved: 'Approved',
    completed: 'Completed',
    disputed: 'In dispute',
    cancelled_by_worker: 'Cancelled by the worker',
    cancelled_by_merchant: 'Cancelled by the business',
    no_show_reported: 'No-show reported',
    contested: 'No-show contested',
    given_away: 'Given to a colleague',
  },
  review: {
    open: 'Not written',
    submitted: 'Hidden: the other side does not know of it',
    published: 'Published',
    expired: 'Expired',
    removed: 'Removed',
  },
  ticket: {
    unconfirmed: 'Not confirmed by mail',
    open: 'Waiting for our answer',
    waiting: 'Waiting for their reply',
    solved: 'Solved',
  },
  withdrawal: {
    requested: 'Requested',
    in_review: 'Held',
    processing: 'Being sent',
    in_transit: 'On its way',
    paid: 'Paid',
    cancelled: 'Cancelled',
    failed: 'Failed',
    refused: 'Refused',
    returned: 'Returned',
  },
  document: {
    submitted: 'Waiting for our check',
    pending: 'Waiting for our check',
    needs_info: 'Asked for more',
    verified: 'Verified',
    checked: 'Confirmed',
    refused: 'Refused',
    needs_copy: 'Copy needed',
    expired: 'Expired',
    replaced: 'Replaced by a newer one',
  },
};

export type StatusOwner = keyof Statuses;

/** The status of a record in words. A status that its table lacks reads like any other code. */
export function statusText(owner: StatusOwner, status: string): string {
  const words: Readonly<Partial<Record<string, string>>> = statusTexts[owner];
  return words[status] ?? codeText(status);
}

/** The house rules by name; the people concerned read the sentence of each. */
export const ruleName: Record<HouseRule, string> = {
  'no-fees': 'Workers never pay',
  'real-jobs': 'Jobs must be real',
  'honest-details': 'Details as described',
  'pay-as-agreed': 'Pay as agreed',
  'stay-on-nearhand': 'Stay on Nearhand',
  respect: 'Respect',
  'no-discrimination': 'No discrimination',
  safety: 'Safety',
  identity: 'Own name, photo and documents',
  privacy: 'Privacy of others',
  law: 'No illegal work or content',
};

/** The source of a decision in words. */
export const sourceName: Record<SanctionSource, string> = {
  report: 'A report',
  screening: 'The automatic check',
  staff: 'Our own check',
};

/** The name of a measure, which says what it is about. */
export const measureText = (measure: SanctionMeasure): string =>
  measure === 'refused' ? 'Job refused' : codeText(measure);

/** The name of what a decision is about; the kind of a document. */
export const sanctionTargetText = ({ target: { kind, name } }: Sanction): string =>
  name !== '' && (kind === 'certificate' || kind === 'identity_check') ? codeText(name) : name;

const businessMoves: Record<string, string> = {
  submit: 'The business asked to be verified',
  verify: 'We verified it',
  'request-info': 'We asked for more',
  reject: 'We refused it',
  suspend: 'We suspended it',
  rename: 'The business changed its legal name',
  'change-owner': 'The business changed its owner',
  close: 'The business closed',
};
/** A move of a business, as a sentence. */
export const businessMoveText = (action: string): string =>
  businessMoves[action] ?? (action.startsWith('restore') ? 'We lifted the measure' : codeText(action));

const countries = new Intl.DisplayNames('en', { type: 'region' });
/** "Netherlands" for NL. */
export const countryName = (code: string): string => countries.of(code) ?? code;

/** The tag of a case in words. A business to verify has its country. */
export const caseTagText = (tag: string): string =>
  /^[A-Z]{2}$/.test(tag) ? countryName(tag) : findingText(tag);

/** The tag of a line of the queue; an appeal has the measure that it is against. */
export function itemTagText({ kind, tag }: Pick<CaseFile['item'], 'kind' | 'tag'>): string | null {
  if (tag === null) return null;
  return kind === 'appeal' && tag === 'refused' ? measureText(tag) : caseTagText(tag);
}

/** The kind, tag and business of a case in a list, without what its title says. */
export const aboutCase = (item: Pick<CaseFile['item'], 'kind' | 'tag' | 'title' | 'business'>): string[] =>
  [caseKindText[item.kind].one, itemTagText(item), item.business?.name]
    .filter((words) => words !== null && words !== undefined)
    .filter((words) => words !== item.title);

export function ageText({ openedAt, deadline }: { openedAt: string; deadline: string }, now: Date) {
  const timeLeft = Date.parse(deadline) - now.getTime();
  const whole = Math.max(1, Date.parse(deadline) - Date.parse(openedAt));
  const tone: Tone | undefined =
    timeLeft <= 0 ? 'bad' : timeLeft < Math.min(whole / 4, 12 * hourMs) ? 'wait' : undefined;
  return {
    open: formatSpanShort(now.getTime() - Date.parse(openedAt)),
    due: timeLeft <= 0 ? `${formatSpanShort(-timeLeft)} overdue` : `${formatSpanShort(timeLeft)} left`,
    tone,
  };
}

const inEnglish = new Intl.DisplayNames('en', { type: 'language' });
/** "Dutch": the console is in English (ADR 176). */
export const englishLanguageName = (language: Language): string => inEnglish.of(language) ?? language;

/** "Omar Aziz reads Arabic, Ines Moreau reads French."; null if nobody chose a language. */
export function readersText(people: CaseFile['people']): string | null {
  const readers = people.flatMap(({ name, language }) =>
    language === null ? [] : [`${name} reads ${englishLanguageName(language)}`],
  );
  return readers.length === 0 ? null : `${readers.join(', ')}.`;
}

export const casePath = ({ kind, subjectId }: { kind: string; subjectId: string }) =>
  `/cases/${kind}/${subjectId}`;
