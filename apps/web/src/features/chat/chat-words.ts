import { t } from '@lingui/core/macro';
import { applicantsPath, applicationPath, engagementPath, jobPath } from '@nearhand/contract/app-paths';
import type {
  ChatReportReason,
  Conversation,
  ConversationState,
  Message,
  Reaction,
  SystemLine,
} from '@nearhand/contract/chat';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import {
  formatAgo,
  formatDate,
  formatMinutes,
  formatMoney,
  formatTime,
  ownTimeZone,
} from '../../lib/format.ts';
import { settingsNow } from '../../lib/settings.ts';
import type { IconName } from '../../ui/icon-names.ts';

/** Whom the caller talks to: the business to a worker, the worker to a business. */
export const otherName = (one: Pick<Conversation, 'side' | 'business' | 'worker'>): string =>
  one.side === 'worker' ? one.business.name : one.worker.name;

/**
 * Who writes for the business, for a worker: the last of them among the messages at hand; null while none of theirs is. Not of the newest message
 * alone, or the name would come and go with each answer.
 */
export function personOf(
  { side, last }: Pick<Conversation, 'side' | 'last'>,
  known: ReadonlyMap<number, Message>,
): string | null {
  if (side !== 'worker') return null;
  let found: Message | null = null;
  for (const one of last ? [...known.values(), last] : known.values())
    if (one.from?.side === 'business' && one.seq >= (found?.seq ?? 0)) found = one;
  return found?.from?.name ?? null;
}

/**
 * Where the record behind a conversation is, for this caller. An applicant opens beside the board of the job on a desktop (`wide`), as a page of
 * their own on a phone.
 */
export function recordPath(
  { side, engagementId, applicationId, job, worker }: Conversation,
  wide: boolean,
): string {
  if (engagementId) return engagementPath(engagementId, side);
  if (side === 'worker') return applicationId ? applicationPath(applicationId) : jobPath(job.id);
  return wide || !applicationId
    ? applicantsPath(job.id, applicationId)
    : `/worker-details/${worker.id}?application=${applicationId}`;
}

const steps = 6;
const stepOf: Record<SystemLine, number> = {
  applied: 1,
  invited: 1,
  shortlisted: 2,
  'application-ended': 0,
  'interview-proposed': 3,
  'interview-scheduled': 3,
  'interview-cancelled': 2,
  'offer-sent': 4,
  'offer-accepted': 5,
  'offer-declined': 0,
  'offer-ended': 0,
  hired: 5,
  'work-confirmed': 5,
  'checked-in': 5,
  'checked-out': 5,
  'hours-submitted': 5,
  'hours-countered': 5,
  'work-delivered': 5,
  'changes-requested': 5,
  'work-approved': 5,
  'pay-released': 6,
  'work-cancelled': 0,
  'no-show-reported': 0,
  'dispute-opened': 5,
  'dispute-settled': 6,
};

/** How far along the way from applying to being paid a line lies, for its dial. */
export const dialOf = (line: SystemLine): { filled: number; total: number } => ({
  filled: stepOf[line] ?? 0,
  total: steps,
});

type Data = Record<string, string | number>;

function readData(data: Data, zone: string) {
  const text = (name: string) => (data[name] === undefined ? '' : String(data[name]));
  const when = (name: string) => (Number.isNaN(Date.parse(text(name))) ? '' : formatDate(text(name), zone));
  const currency = text('currency') as Currency;
  const money = () => {
    const minor = Number(data.amountMinor ?? data.payMinor ?? Number.NaN);
    return Number.isFinite(minor) && (currencies as readonly string[]).includes(currency)
      ? formatMoney(minor, currency)
      : '';
  };
  const minutes = Number(data.minutes ?? Number.NaN);
  return { text, when, money: money(), hours: Number.isFinite(minutes) ? formatMinutes(minutes) : '' };
}

/** What happened in the work, in the words of the reader. A line that a newer server knows says only that something changed. */
export function systemText(
  { line, data }: { line: SystemLine; data: Data },
  about: Pick<Conversation, 'side' | 'business' | 'worker' | 'job'>,
): string {
  const mine = about.side === 'worker';
  const worker = about.worker.name;
  const business = about.business.name;
  const { when, money, hours } = readData(data, about.job.timeZone);
  const starts = when('startsAt');
  switch (line) {
    case 'applied':
      return mine ? t`You applied` : t`${worker} applied`;
    case 'invited':
      return mine ? t`${business} invited you to apply` : t`You invited ${worker} to apply`;
    case 'shortlisted':
      return mine ? t`You are on the shortlist` : t`${worker} is on the shortlist`;
    case 'application-ended':
      return t`The application ended`;
    case 'interview-proposed':
      return mine ? t`${business} proposed times for an interview` : t`You proposed times for an interview`;
    case 'interview-scheduled':
      return starts ? t`Interview on ${starts}` : t`The interview has its time`;
    case 'interview-cancelled':
      return t`The interview was called off`;
    case 'offer-sent':
      return mine
        ? money
          ? t`${business} offers you ${money}`
          : t`${business} made you an offer`
        : t`You made an offer`;
    case 'offer-accepted':
      return mine ? t`You accepted the offer` : t`${worker} accepted the offer`;
    case 'offer-declined':
      return mine ? t`You declined the offer` : t`${worker} declined the offer`;
    case 'offer-ended':
      return t`The offer ended`;
    case 'hired':
      return mine ? t`You are hired` : t`${worker} is hired`;
    case 'work-confirmed':
      return mine ? t`You confirmed that you will come` : t`${worker} confirmed to come`;
    case 'checked-in':
      return mine ? t`You checked in` : t`${worker} checked in`;
    case 'checked-out':
      return mine ? t`You checked out` : t`${worker} checked out`;
    case 'hours-submitted':
      if (hours) return mine ? t`You handed in ${hours}` : t`${worker} handed in ${hours}`;
      return mine ? t`You handed in your hours` : t`${worker} handed in hours`;
    case 'hours-countered':
      return mine ? t`${business} sees the hours otherwise` : t`You proposed other hours`;
    case 'work-delivered':
      return mine ? t`You delivered the work` : t`${worker} delivered the work`;
    case 'changes-requested':
      return mine ? t`${business} asked for changes` : t`You asked for changes`;
    case 'work-approved':
      return t`The work was approved`;
    case 'pay-released':
      if (money) return mine ? t`${money} was released to you` : t`${money} was released to ${worker}`;
      return t`The pay was released`;
    case 'work-cancelled':
      return t`The work was called off`;
    case 'no-show-reported':
      return mine ? t`You were reported as not having come` : t`${worker} was reported as not having come`;
    case 'dispute-opened':
      return t`A dispute was opened`;
    case 'dispute-settled':
      return t`The dispute is settled`;
    default:
      return t`Something changed in the work`;
  }
}

/** What a message says in one line: its words, or what stands in for them. */
export function messageLine(message: Pick<Message, 'body' | 'files' | 'redactedAt'>): string {
  if (message.redactedAt !== null) return t`Message taken back`;
  if (message.body) return message.body;
  const [first, ...more] = message.files;
  if (!first) return '';
  if (more.length > 0) return t`${message.files.length} files`;
  return first.mediaType.startsWith('image/') ? t`Photo` : first.name;
}

/** The last line of a conversation in the list: who said it, and what. */
export const lastLine = (one: Conversation, meId: string | null): { who: string | null; text: string } =>
  one.last ? saidLine(one, one.last, meId) : { who: null, text: t`No messages yet` };

/** One message of a conversation in the list. */
export function saidLine(
  one: Conversation,
  message: Message,
  meId: string | null,
): { who: string | null; text: string } {
  if (message.system) return { who: null, text: systemText(message.system, one) };
  const text = messageLine(message);
  const { from } = message;
  if (from === null) return { who: null, text };
  if (from.accountId === meId) return { who: t`You`, text };
  // The worker's own name stands above already; of a business it is one of several people.
  return { who: from.side === 'worker' ? null : (from.name.split(' ')[0] ?? from.name), text };
}

/** What is known of the other side's presence and pace; null where nothing is. */
export function presenceText(
  one: Pick<Conversation, 'online' | 'lastSeenAt' | 'repliesInMinutes'>,
  now: Date,
): string | null {
  if (one.online) return t`online`;
  if (one.repliesInMinutes !== null) {
    const pace = formatMinutes(rounded(one.repliesInMinutes));
    return t`replies in ${pace}`;
  }
  if (one.lastSeenAt === null) return null;
  const ago = formatAgo(one.lastSeenAt, now);
  return t`last seen ${ago.toLocaleLowerCase()}`;
}

/** A pace is no promise to the minute: whole hours from two hours on, quarters below, days above. */
function rounded(minutes: number): number {
  if (minutes >= 120) return Math.round(minutes / 60) * 60;
  if (minutes >= 15) return Math.round(minutes / 15) * 15;
  return Math.max(1, minutes);
}

/** Time of a message in the reader's own zone. */
export const stampText = (at: string): string => formatTime(at, ownTimeZone());

/** Why nothing can be written, for the foot of the conversation; null where it can. */
export function closedText(
  one: Pick<Conversation, 'state' | 'blockedBy' | 'side' | 'business' | 'worker'>,
): string | null {
  const name = otherName(one);
  const days = settingsNow() as { chatReadOnlyDays?: number };
  const texts: Record<Exclude<ConversationState, 'active'>, string> = {
    read_only: t`The work ended more than ${days.chatReadOnlyDays ?? 30} days ago. You can read this conversation, but not write in it.`,
    frozen: t`Our staff have stopped this conversation while they look at a report. You can still read it.`,
    blocked:
      one.blockedBy === 'them'
        ? t`${name} does not take messages from you here.`
        : one.blockedBy === 'both'
          ? t`You and ${name} have blocked each other.`
          : t`You blocked ${name}. Neither of you can write here.`,
  };
  return one.state === 'active' ? null : texts[one.state];
}

export const reactionIcon: Record<Reaction, IconName> = {
  'thumbs-up': 'thumbs-up',
  heart: 'heart',
  check: 'check',
  smiley: 'smiley',
  'hands-clapping': 'hands-clapping',
  question: 'question',
};
/** The same in the order in which they are offered; the contract's own list would bring its schemas along. */
export const reactions = Object.keys(reactionIcon) as Reaction[];

export const reactionText = (reaction: Reaction): string =>
  ({
    'thumbs-up': t`Thumbs up`,
    heart: t`Heart`,
    check: t`Done`,
    smiley: t`Smile`,
    'hands-clapping': t`Applause`,
    question: t`Question`,
  })[reaction];

const reportReasonTexts: Record<ChatReportReason, () => string> = {
  harassment: () => t`Insults, threats or harassment`,
  scam: () => t`A scam, or asking for money`,
  'off-platform': () => t`Wants to pay or agree outside Nearhand`,
  spam: () => t`Advertising or spam`,
  illegal: () => t`Something against the law`,
  other: () => t`Something else`,
};
export const reportReasons = Object.keys(reportReasonTexts) as ChatReportReason[];
export const reportReasonText = (reason: ChatReportReason): string => reportReasonTexts[reason]();

/** Where the draft of a conversation lies on the device. */
export const draftKey = (conversationId: string): string => `chat:${conversationId}`;
export const isDraft = (value: unknown): value is string => typeof value === 'string';

const wordsOf = (text: string): Set<string> =>
  new Set(text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Whether two ready sentences say much the same: beside one's own, ours would only be read twice. */
export function isNearlyAlike(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, Math.min(a.size, b.size)) >= 0.6;
}

/** Ready sentences for who has not written their own yet. */
export const suggestions = (side: Conversation['side']): string[] =>
  side === 'worker'
    ? [
        t`Thank you, I will be there.`,
        t`I am on my way.`,
        t`When would you like me to come?`,
        t`What should I bring?`,
      ]
    : [
        t`Thank you for applying. When could you come by?`,
        t`Please ring the bell when you arrive.`,
        t`Thank you for your good work.`,
        t`How did it go today?`,
      ];
