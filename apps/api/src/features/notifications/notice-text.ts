import { type RejectReason, rejectReasons } from '@nearhand/contract/applications';
import { hourMs } from '@nearhand/contract/durations';
import { currencies, currencyDigits } from '@nearhand/contract/money';
import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import type { MailQuote, MailWords } from '../../platform/mail-layout.ts';

export type NoticeData = Notification['data'];
export type NoticeMail = Omit<MailWords, 'action' | 'footnote'> & { action: string; why: string };
/** The mails of one group of topics. */
export type GroupWords<Prefix extends string> = Record<
  Extract<NotificationTopic, `${Prefix}-${string}`>,
  (notice: NoticeText) => NoticeMail
>;

const dataText = (data: NoticeData, name: string): string => {
  const value = data[name];
  return value === undefined || value === null || Number.isNaN(value) ? '' : String(value).trim();
};

/** The first characters of a text, never half of one: a long message of somebody is quoted in part and read in full in the app. */
export function cutText(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name inside our sentence: in isolation where it runs from right to left, so that it does not turn the sentence round. */
const inSentence = (name: string): string => (rightToLeft.test(name) ? `\u2068${name}\u2069` : name);

const knownZone = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: zone || 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
};

function timeParts(data: NoticeData, name: string): { day: string; time: string; at: Date } | null {
  const at = new Date(dataText(data, name));
  if (Number.isNaN(at.getTime())) return null;
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: knownZone(dataText(data, 'timeZone')),
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((found) => found.type === type)?.value ?? '';
  return {
    day: `${part('weekday')} ${part('day')} ${part('month')}`,
    time: `${part('hour')}:${part('minute')}`,
    at,
  };
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** A time in the zone of the job, with its weekday: `Thu 3 Dec, 18:40`; a mere day without an hour; empty where it is missing. */
export function timeText(data: NoticeData, name: string): string {
  const parts = timeParts(data, name);
  if (!parts) return '';
  return isDay(dataText(data, name)) ? parts.day : `${parts.day}, ${parts.time}`;
}

/** From `startsAt` to `endsAt`: `Thu 3 Dec, 18:40–22:00`; the end has its day where it is not the night after. */
export function spanText(data: NoticeData): string {
  const from = timeParts(data, 'startsAt');
  const to = timeParts(data, 'endsAt');
  if (!from || !to || to.at <= from.at) return timeText(data, 'startsAt');
  const near = from.day === to.day || to.at.getTime() - from.at.getTime() <= 12 * hourMs;
  return `${from.day}, ${from.time}–${near ? to.time : `${to.day}, ${to.time}`}`;
}

/** `Amsterdam time`, for those who may be elsewhere than the job is. */
function zoneText(data: NoticeData): string {
  const city = knownZone(dataText(data, 'timeZone')).split('/').slice(1).at(-1);
  return city ? `${city.replaceAll('_', ' ')} time` : '';
}

/** Money as people write it, whole when whole: `€18`, `€17.20`, `¥1,500`; empty where the amount or its currency is missing. */
export function moneyText(data: NoticeData): string {
  const minor = Number(dataText(data, 'amountMinor') || Number.NaN);
  const currency = currencies.find((known) => known === dataText(data, 'currency'));
  if (!currency || !Number.isSafeInteger(minor)) return '';
  const digits = currencyDigits[currency];
  const shown = minor % 10 ** digits === 0 ? 0 : digits;
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(minor / 10 ** digits);
}

/** A reason may be one of ours, with a note of their own behind it: `distance`, or `distance: two ferries`. */
function splitReason(reason: string, what: string): { code: RejectReason | null; own: string } {
  const known = (name: string) => rejectReasons.find((code) => code === name) ?? null;
  const end = reason.search(/[:\n]/);
  const code = known((end === -1 ? reason : reason.slice(0, end)).trim());
  if (!code) return { code: known(what), own: reason };
  return { code, own: end === -1 ? '' : reason.slice(end + 1).trim() };
}

/** What turns the text around it round; names are refused with it, messages are not (`line` and `prose` of the contract). */
const turning = /[\u202A-\u202E\u2066-\u2069]/g;

/** What a mail needs of a notice, as text. All of it may be missing: names have a stand-in, the rest is then empty. */
export type NoticeText = ReturnType<typeof readNotice>;

/** Reads the data of a notice once for its mail. */
export function readNotice(data: NoticeData) {
  const name = (key: string, standIn: string) =>
    inSentence(cutText(dataText(data, key).replace(/\s+/g, ' ') || standIn, 120));
  const worker = name('workerName', 'The worker');
  const business = name('businessName', 'The business');
  const forBusiness = data.side === 'business';
  const what = dataText(data, 'what');
  const reason = dataText(data, 'reason');
  const { code, own } = splitReason(reason, what);
  const when = spanText(data);
  const zone = zoneText(data);
  return {
    forBusiness,
    job: name('jobTitle', 'this job'),
    /** Whether it is about a job at all: money that was added is not. */
    hasJob: dataText(data, 'jobTitle') !== '',
    worker,
    business,
    /** The other side, at the start of a sentence or as `with Hotel Brouwers`. */
    other: forBusiness ? worker : business,
    when,
    /** The same for those who may be elsewhere: `Thu 3 Dec, 18:40–19:10 (Amsterdam time)`. */
    whenThere: when && zone ? `${when} (${zone})` : when,
    by: timeText(data, 'by') || timeText(data, 'decideBy'),
    expires: timeText(data, 'expiresAt'),
    money: moneyText(data),
    /** The same, said only where there is any. */
    compensation: Number(data.amountMinor) > 0 ? moneyText(data) : '',
    hours: dataText(data, 'hours'),
    /** Why an application was turned down, where it is one of our reasons. */
    rejectReason: code,
    /** What somebody wrote, beside one of our reasons; and all of it, where it may begin as it will. */
    quote: own,
    wrote: reason,
    what,
    mode: dataText(data, 'mode'),
    where: cutText(dataText(data, 'where'), 300),
    count: Number(dataText(data, 'count')) || 0,
    waiting: Number(dataText(data, 'waiting') || dataText(data, 'count')) || 1,
  };
}

/** The paragraphs that there is something to say in. */
export const lines = (...parts: readonly (string | MailQuote | false)[]): (string | MailQuote)[] =>
  parts.filter((part): part is string | MailQuote => Boolean(part));

/** Facts with a value; one whose time or amount is missing is left out. */
export const facts = (...pairs: readonly (readonly [string, string])[]): { label: string; value: string }[] =>
  pairs.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value }));

/** What somebody wrote, behind our words: in quotes where it is one line, set apart where it is several. Nothing where they wrote nothing. */
export function quoting(lead: string, wrote: string): string | MailQuote | false {
  const text = wrote
    .replace(turning, '')
    .split(/\r\n?|[\n\u0085\u2028\u2029]/)
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (text === '') return false;
  const quoted = cutText(text, 500);
  if (!quoted.includes('\n')) return `${lead}: “${inSentence(quoted)}”`;
  return { lead, quoted: quoted.split('\n').map(inSentence).join('\n') };
}

/** What somebody wrote, said to be theirs. */
export const theyWrote = ({ quote }: NoticeText): string | MailQuote | false => quoting('They wrote', quote);

/** A paragraph on the one line that a push has for it. */
export const onOneLine = (part: string | MailQuote): string =>
  typeof part === 'string' ? part : `${part.lead}: “${part.quoted.replace(/\s+/g, ' ')}”`;

const applied = 'You get this because you applied for this job on Nearhand.';
const hires = 'You get this because you hire for this business on Nearhand.';
const works = 'You get this because you were hired for this job on Nearhand.';

/** Why a mail came, by the side of its reader. */
export const why = {
  applied,
  hires,
  application: ({ forBusiness }: NoticeText): string => (forBusiness ? hires : applied),
  work: ({ forBusiness }: NoticeText): string => (forBusiness ? hires : works),
};
