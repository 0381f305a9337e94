import { t } from '@lingui/core/macro';
import type { RejectReason } from '@nearhand/contract/applications';
import { currencies } from '@nearhand/contract/currencies';
import { hourMs } from '@nearhand/contract/durations';
import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import { formatCalendarDay, formatDate, formatMoney, formatTime, ownTimeZone } from '../../lib/format.ts';
import { rejectReasons } from '../../lib/reject-reason-text.ts';
import type { IconName } from '../../ui/icon-names.ts';

export type NoticeWords = { icon: IconName; title: string; text?: string };
/** The words of one group of topics. */
export type GroupWords<Prefix extends string> = Record<
  Extract<NotificationTopic, `${Prefix}-${string}`>,
  (notice: NoticeFacts) => NoticeWords
>;

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name inside our sentence: in isolation where it runs from right to left, so that it does not turn the sentence round. */
const inSentence = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);

/** The first characters of a text, never half of one. */
function cutText(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

function knownZone(zone: string): string {
  try {
    // What happens at no place, as money does, happens where the reader is.
    return new Intl.DateTimeFormat('en', { timeZone: zone || ownTimeZone() }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** A reason may be one of ours, with a note of their own behind it: `distance`, or `distance: two ferries`. */
function splitReason(reason: string, what: string): { code: RejectReason | null; own: string } {
  const known = (name: string) => rejectReasons.find((code) => code === name) ?? null;
  const [first = '', ...rest] = reason.split(/[:\n]/);
  const code = known(first.trim());
  return code ? { code, own: rest.join(':').trim() } : { code: known(what), own: reason };
}

const isDay = /^\d{4}-\d{2}-\d{2}$/;

/** What turns the text around it round; names are refused with it, messages are not. */
const turning = /[\u202A-\u202E\u2066-\u2069]/g;

/** What the words of a notice are made of. All of it may be missing: names have a stand-in, the rest is then empty. */
export type NoticeFacts = ReturnType<typeof readNotice>;

export function readNotice(data: Notification['data'], now: Date) {
  const say = (name: string): string => {
    const value = data[name];
    return value === undefined || value === null || Number.isNaN(value) ? '' : String(value).trim();
  };
  const timeZone = knownZone(say('timeZone'));
  const at = (name: string): string => {
    const value = say(name);
    if (Number.isNaN(Date.parse(value))) return '';
    // A bank names a day, and no hour of it.
    return isDay.test(value) ? formatCalendarDay(value, { now }) : formatDate(value, timeZone, now);
  };
  const from = at('startsAt');
  const hours = (Date.parse(say('endsAt')) - Date.parse(say('startsAt'))) / hourMs;
  const until = hours > 12 ? at('endsAt') : hours > 0 ? formatTime(say('endsAt'), timeZone) : '';
  const worker = inSentence(cutText(say('workerName'), 120)) || t`The worker`;
  const business = inSentence(cutText(say('businessName'), 120)) || t`The business`;
  const forBusiness = data.side === 'business';
  const minor = Number(say('amountMinor') || Number.NaN);
  const currency = currencies.find((known) => known === say('currency'));
  const what = say('what');
  const { code, own } = splitReason(say('reason').replace(turning, ''), what);
  const money = currency && Number.isSafeInteger(minor) ? formatMoney(minor, currency) : '';
  return {
    forBusiness,
    job: inSentence(cutText(say('jobTitle'), 120)) || t`this job`,
    /** Whether it is about a job at all: money that was added is not. */
    hasJob: say('jobTitle') !== '',
    worker,
    business,
    /** The other side of the reader. */
    other: forBusiness ? worker : business,
    when: from && until ? `${from}–${until}` : from,
    by: at('by') || at('decideBy'),
    expires: at('expiresAt'),
    money,
    /** The same, said only where there is any. */
    compensation: minor > 0 ? money : '',
    hours: say('hours'),
    /** Why an application was turned down, where it is one of our reasons. */
    rejectReason: code,
    /** What somebody wrote, in quotes. */
    quote: own ? `“${inSentence(cutText(own, 140))}”` : '',
    what,
    mode: say('mode'),
    waiting: Number(say('waiting') || say('count')) || 1,
  };
}

/** Sentences one after the other, those that there are. */
export const sentences = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join(' ');
