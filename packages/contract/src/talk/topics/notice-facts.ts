import { type Currency, currencies } from '../../currencies.ts';
import { hourMs } from '../../durations.ts';
import type { Language } from '../../languages.ts';
import type { MemberRole } from '../../member-roles.ts';
import type { CertificateKind } from '../../people/certificates.rules.ts';
import { type RejectReason, rejectReasons } from '../../reject-reasons.ts';
import { textFor } from '../../texts-by-language.ts';
import type { NotificationTopic } from '../notification-topics.ts';
import type { Notification } from '../notifications.ts';
import { type Text, text } from './text.ts';

export type NoticeData = Notification['data'];

type PaymentFailure =
  | 'card_declined'
  | 'insufficient_funds'
  | 'card_expired'
  | 'authentication_failed'
  | 'processing_error'
  | 'account_closed'
  | 'bank_rejected'
  | 'instant_unavailable'
  | 'limit_exceeded'
  | 'unknown_token';

/**
 * The variants of a topic's notices, which its texts tell apart: `variant` in their data. Other topics have none.
 * Written out, since the domains that send them come after this one.
 */
type TopicVariants = Record<`certificate-${string}`, CertificateKind> &
  Record<`team-${string}`, MemberRole> & {
    'job-expired': 'past' | 'unreplaced';
    'job-review-passed':
      | 'draft'
      | 'in_review'
      | 'open'
      | 'paused'
      | 'filled'
      | 'expired'
      | 'closed'
      | 'archived'
      | 'suspended'
      | 'rejected';
    'offer-received': 'changed';
    'offer-accepted': 'no-interview';
    'offer-expired': 'unfunded';
    'offer-withdrawn': 'kept';
    'engagement-confirm-asked': 'or-lost';
    'engagement-not-confirmed': 'lost';
    /** The minutes that a worker expects to be late. */
    'engagement-running-late': '15' | '30' | '60';
    'engagement-checked-in': 'late' | 'first';
    'engagement-time-recorded': 'check_in' | 'check_out' | 'sent_home';
    'engagement-time-contested': 'check_in' | 'break_start' | 'break_end' | 'check_out';
    'engagement-changed': 'pay' | 'details';
    'shift-change-ended': 'accepted' | 'declined' | 'cancelled' | 'withdrawn' | 'expired';
    'day-off-answered': 'granted' | 'silent' | 'refused' | 'withdrawn';
    'engagement-cancelled': 'late' | 'in-time';
    'engagement-no-show-decided': 'worked' | 'absent';
    'giveaway-open': 'named' | 'swap';
    'giveaway-done': 'giver' | 'taker' | 'swapped';
    'giveaway-ended': 'refused' | 'declined' | 'expired' | 'withdrawn' | 'stepped-back';
    'hours-submitted': 'planned' | 'recorded' | 'corrected';
    'work-approved': 'approve' | 'auto-approved' | 'accept-counter' | 'pay-recorded';
    'dispute-opened': 'filed' | 'rounds' | 'no-check-in' | 'beyond-plan' | 'counter';
    'dispute-settled': 'agree' | 'accept-proposal' | 'stop' | 'decided';
    /** `offer-…`: of an open offer, whose recruiters only are notified. */
    'pay-not-set-aside': 'failed' | 'soon' | 'over' | 'offer-failed' | 'offer-soon';
    'payment-failed': PaymentFailure;
    'withdrawal-failed': PaymentFailure;
    'withdrawal-returned': PaymentFailure;
    'budget-decided': 'approved' | 'refused';
    'chargeback-opened': 'open';
    'chargeback-closed': 'won' | 'lost';
    'payment-released': 'compensation' | 'rest' | 'undisputed' | 'owed' | 'tip' | 'bonus';
    'tip-received': 'tip' | 'bonus';
    'identity-checked': 'verified' | 'refused';
    'payout-account': 'due' | 'paused' | 'on' | 'closed';
    'referral-joined': 'named';
    'referral-rewarded': 'credit' | 'balance';
    'goodwill-paid': 'credit' | 'balance';
    'credit-limit-set': 'set' | 'ended';
    'credit-overdue': 'reminder' | 'stopped';
    'worker-invoice-issued': 'invoice' | 'credit_note';
    'worker-invoice-objected': 'replaced' | 'amount' | 'details' | 'other';
    'seller-details-needed': 'asked' | 'waiting';
    'message-received': 'files';
    'report-decided': 'dismiss' | 'redact' | 'freeze' | 'unfreeze';
    'report-answered': 'actioned' | 'dismissed';
    'sanction-imposed':
      | 'warning'
      | 'suspension'
      | 'hidden'
      | 'removed'
      | 'redacted'
      | 'frozen'
      | 'refused'
      | 'payout_refused'
      | 'verification_refused'
      | 'certificate_refused'
      | 'identity_refused';
    /** `copy-needed`: it was reversed, but the document is deleted and must be sent again. */
    'sanction-ended': 'lifted' | 'copy-needed' | 'expired';
    'appeal-decided': 'upheld' | 'overturned' | 'copy-needed';
    'review-removed': 'own' | 'about';
  };
export type VariantOf<Topic extends NotificationTopic> = Topic extends keyof TopicVariants
  ? TopicVariants[Topic]
  : never;

/**
 * The reason that nobody can apply for a spot that became free: someone else has an offer for it, or its job is paused, in review, or
 * over. Notices without it say that the spot is open again.
 */
export type SpotProblem = 'offered' | 'hidden' | 'in-review' | 'over';

/** The data of a notice as it is sent. Times are ISO instants, amounts minor units of `currency`. */
export type TopicData<Topic extends NotificationTopic> = Partial<NoticeData> & {
  variant?: VariantOf<Topic>;
  spotProblem?: SpotProblem;
};

/** Formatting of texts, times and amounts by server or app. */
export type NoticeFormat = {
  /** Picks the reader's part of an operator's text (`textFor`). */
  language: Language;
  say(message: Text, values?: Record<string, unknown>): string;
  /** A calendar day without a time, as banks give it. */
  day(day: string): string;
  dateTime(instant: string, timeZone: string): string;
  /** Adds the zone where the reader's clock differs. Only devices know that; mails always name it (`zoned`). */
  withZone?(text: string, instant: string, timeZone: string): string;
  time(instant: string, timeZone: string): string;
  money(minor: number, currency: Currency): string;
  duration(minutes: number): string;
  /** The zone of events without a place, such as a payout. */
  defaultZone: string;
};

/** Cuts to `max` characters with an ellipsis. Counts code points, so that no emoji is split. */
export function cutText(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates right-to-left text, so that it does not reorder the sentence around it. */
export const isolateRightToLeft = (name: string): string =>
  rightToLeft.test(name) ? `\u2068${name}\u2069` : name;

/** Direction overrides; names can't contain them, messages can. */
const overrides = /[\u202A-\u202E\u2066-\u2069]/g;

function zoneOrFallback(zone: string, fallback: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone || fallback }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** A reason may be a code with a note: `distance`, or `distance: two ferries`. */
function splitReason(reason: string, variant: string): { code: RejectReason | null; note: string } {
  const reasonOf = (name: string) => rejectReasons.find((code) => code === name) ?? null;
  const end = reason.search(/[:\n]/);
  const code = reasonOf((end === -1 ? reason : reason.slice(0, end)).trim());
  if (!code) return { code: reasonOf(variant), note: reason };
  return { code, note: end === -1 ? '' : reason.slice(end + 1).trim() };
}

const isDay = /^\d{4}-\d{2}-\d{2}$/;
/** A span of more hours than this names the day of its end. */
const nearHours = 12;

/** The facts of a notice, as text. Any may be missing: names then have a stand-in, the rest is empty. */
export type NoticeFacts<Topic extends NotificationTopic = NotificationTopic> = Omit<
  ReturnType<typeof readNotice>,
  'variant' | 'spotProblem'
> & { variant: VariantOf<Topic> | ''; spotProblem: SpotProblem | '' };

export function readNotice(data: NoticeData, format: NoticeFormat) {
  const value = (name: string): string => {
    const value = data[name];
    return value === undefined || value === null || Number.isNaN(value) ? '' : String(value).trim();
  };
  const name = (key: string, standIn: Text) =>
    isolateRightToLeft(cutText(value(key).replace(/\s+/g, ' '), 120)) || format.say(standIn);
  const timeZone = zoneOrFallback(value('timeZone'), format.defaultZone);
  const at = (key: string, zone = timeZone): string => {
    const instant = value(key);
    if (Number.isNaN(Date.parse(instant))) return '';
    return isDay.test(instant) ? format.day(instant) : format.dateTime(instant, zone);
  };
  const city =
    value('timeZone') === '' ? undefined : timeZone.split('/').slice(1).at(-1)?.replaceAll('_', ' ');
  const zoned = (time: string): string =>
    time && city ? `${time} (${format.say(text('{city} time'), { city })})` : time;
  const span = (startKey: string, endKey: string, zone = timeZone): string => {
    const from = at(startKey, zone);
    const hoursLong = (Date.parse(value(endKey)) - Date.parse(value(startKey))) / hourMs;
    if (!from || !(hoursLong > 0)) return from;
    const until = hoursLong > nearHours ? at(endKey, zone) : format.time(value(endKey), zone);
    return until ? `${from}–${until}` : from;
  };
  const when = span('startsAt', 'endsAt');
  const byKey = isDay.test(value('by') || value('decideBy'));
  const by = at('by') || at('decideBy');
  const inPlace = (time: string, instant: string): string =>
    time && !isDay.test(instant) ? (format.withZone?.(time, instant, timeZone) ?? time) : time;
  const worker = name('workerName', text('The worker'));
  const business = name('businessName', text('The business'));
  const isForBusiness = data.side === 'business';
  const minor = Number(value('amountMinor') || Number.NaN);
  const currency = currencies.find((currency) => currency === value('currency'));
  const amount = (minor: number): string =>
    currency && Number.isSafeInteger(minor) ? format.money(minor, currency) : '';
  const money = amount(minor);
  const toWhen = span('toStartsAt', 'toEndsAt', zoneOrFallback(value('toTimeZone'), timeZone));
  const changes = [
    { before: inPlace(when, value('startsAt')), after: inPlace(toWhen, value('toStartsAt')) },
    { before: isolateRightToLeft(value('fromPlace')), after: isolateRightToLeft(value('toPlace')) },
    {
      before: amount(Number(value('fromMinor') || Number.NaN)),
      after: amount(Number(value('toMinor') || Number.NaN)),
    },
  ].filter(({ before, after }) => before !== '' && after !== '' && before !== after);
  const moreMinor = Number(value('moreMinor') || Number.NaN);
  const silentMinor = Number(value('silentMinor') || Number.NaN);
  const all = textFor(value('reason'), format.language).replace(overrides, '');
  const { code, note } = splitReason(all, value('variant'));
  const minutes = Number(value('minutes') || Number.NaN);
  const waiting = Number(value('waiting') || value('count')) || 1;
  return {
    forBusiness: isForBusiness,
    job: name('jobTitle', text('this job')),
    /** False for money that belongs to no job, such as a top-up. */
    hasJob: value('jobTitle') !== '',
    /** The subject of a request to Nearhand. */
    subject: name('subject', text('your request')),
    worker,
    business,
    /** The other side, from the reader's point of view. */
    other: isForBusiness ? worker : business,
    when: inPlace(when, value('startsAt')),
    by: inPlace(by, value('by') || value('decideBy')),
    expires: inPlace(at('expiresAt'), value('expiresAt')),
    /** Includes the zone, for mails: their reader may be elsewhere. */
    zoned: { when: zoned(when), by: byKey ? by : zoned(by), expires: zoned(at('expiresAt')) },
    money,
    /** More of the same kind that follows within a day. */
    more: moreMinor > 0 ? amount(moreMinor) : '',
    /** Agreed and proposed values of changed work: its time, place and pay. */
    changes,
    compensation: minor > 0 ? money : '',
    /** The outcome if nobody replies (`engagement.next`), and the amount that is then paid, unless it is zero. */
    silence: value('silence'),
    silentMoney: currency && silentMinor > 0 ? format.money(silentMinor, currency) : '',
    hours: Number.isSafeInteger(minutes) ? format.duration(minutes) : '',
    rejectReason: code,
    /** The note next to a reason code, and the whole reason. */
    note,
    all,
    /** The saved search with new jobs; empty for several. */
    search: isolateRightToLeft(value('searchName')),
    listed: isolateRightToLeft(value('listed')),
    unlisted: Number(value('unlisted')) || 0,
    // A notice of another version may have a variant that this one doesn't know.
    variant: value('variant') as VariantOf<NotificationTopic> | '',
    spotProblem: value('spotProblem') as SpotProblem | '',
    mode: value('mode'),
    year: value('year'),
    where: cutText(value('where'), 300),
    count: Number(value('count')) || 0,
    waiting,
    others: waiting - 1,
  };
}
