import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { dateOfParts, directionOf, type Language } from '@nearhand/contract/languages';
import type { Money } from '@nearhand/contract/money';
import { hasMileSigns } from '@nearhand/contract/people/great-circle';
import { type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import { clock, units } from '../device/device-setting.ts';

/** Formatters are expensive to create, so each is cached by its options. */
const cache = new Map<string, unknown>();
function cached<T>(key: string, make: () => T): T {
  const cached = cache.get(key) as T | undefined;
  if (cached !== undefined) return cached;
  const value = make();
  cache.set(key, value);
  return value;
}

/** The screen's language with the device's region if it is spoken there. Arabic uses Latin digits, like our texts. */
export function locale(): string {
  const locale = localeOfReader();
  return locale.startsWith('ar') ? `${locale.split('-u-')[0]}-u-nu-latn` : locale;
}

/** Regions where a language is common although `Intl` names another one for the region. */
const alsoAtHome: Readonly<Record<string, readonly string[]>> = {
  de: ['BE', 'IT', 'LU'],
  fr: ['BE', 'CA', 'CH'],
};

function localeOfReader(): string {
  const deviceLanguages = globalThis.navigator?.languages ?? [];
  const language = (i18n.locale || 'en').split('-')[0] ?? 'en';
  const [first = ''] = deviceLanguages;
  const isOwn = first.split('-')[0] === language;
  if (isOwn && language !== 'en') return first;
  return cached(`region of ${deviceLanguages.join()} in ${language}`, () => {
    const inLanguage = deviceLanguages.find((tag) => tag.split('-')[0] === language);
    try {
      const { region } = new Intl.Locale(first).maximize();
      if (!region) return inLanguage ?? language;
      const regional = isOwn ? first : `${language}-${region}`;
      // English in some regions mixes number and money formats; Irish English is consistent, metric and
      // 24-hour.
      if (language === 'en')
        return new Intl.NumberFormat(regional).format(1.5) === '1.5' ? regional : 'en-IE';
      const isAtHome =
        new Intl.Locale(`und-${region}`).maximize().language === language ||
        alsoAtHome[language]?.includes(region);
      if (isAtHome) return regional;
    } catch {
      // An invalid tag, or one that the browser doesn't know.
    }
    return inLanguage ?? language;
  });
}

const number = (options: Intl.NumberFormatOptions) =>
  cached(`n${locale()}${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale(), options));
const date = (options: Intl.DateTimeFormatOptions) =>
  cached(`d${locale()}${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(locale(), options));

/** The minor unit's digits, by ISO 4217. */
export function minorDigits(currency: Currency): number {
  return number({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

export function decimalSeparator(): ',' | '.' {
  return number({}).format(1.5).includes(',') ? ',' : '.';
}

/** Money in the reader's format, whole when whole: €18, €17.20, ¥1,500. */
export function formatMoney(amount: Money): string;
export function formatMoney(minor: number, currency: Currency): string;
export function formatMoney(amount: Money | number, currency?: Currency): string {
  const money = typeof amount === 'number' ? { minor: amount, currency: currency as Currency } : amount;
  return moneyText(money, 'auto');
}

/**
 * An amount as a change of a balance: "+€18", "−€18", "€0". `Intl` puts the sign where the language has it; a sign
 * written before an Arabic amount would end up behind the number.
 */
export const formatChange = (minor: number, currency: Currency): string =>
  moneyText({ minor, currency }, 'exceptZero');

function moneyText({ minor, currency }: Money, signDisplay: 'auto' | 'exceptZero'): string {
  const digits = minorDigits(currency);
  const isWhole = minor % 10 ** digits === 0;
  const format = number({
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    signDisplay,
    minimumFractionDigits: isWhole ? 0 : digits,
    maximumFractionDigits: isWhole ? 0 : digits,
  });
  // Zero, since −0 would get a sign. A minus sign, as next to other sums; most locales have a hyphen.
  return format.format(minor / 10 ** digits || 0).replace('-', '−');
}

/** The sum of amounts, one for each currency: "€108 + £40". */
export function formatSum(amounts: readonly Money[]): string {
  const sums = new Map<Currency, number>();
  for (const { minor, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return [...sums].map(([currency, minor]) => formatMoney(minor, currency)).join(' + ');
}

const cents = /^(.*\d)([.,]\d+)(\D*)$/s;
/** The amount in two parts, to show cents smaller: ['€412', '.50']. */
export function moneyPieces(minor: number, currency: Currency): [whole: string, rest: string] {
  const text = formatMoney(minor, currency);
  // Whole amounts have no decimals, so a last separator groups thousands.
  const match = minor % 10 ** minorDigits(currency) === 0 ? null : cents.exec(text);
  return match ? [match[1] ?? text, `${match[2] ?? ''}${match[3] ?? ''}`] : [text, ''];
}

export const currencySymbol = (currency: Currency): string =>
  number({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

export const formatShare = (basisPoints: number): string =>
  number({ style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10_000);

export const formatTenths = (tenths: number): string =>
  number({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(tenths / 10);

export const formatNumber = (value: number): string => number({}).format(value);

const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);

type DayStyle = 'short' | 'long';
const dayOptions = (style: DayStyle, timeZone: string, withYear: boolean): Intl.DateTimeFormatOptions => ({
  timeZone,
  weekday: style === 'long' ? 'long' : 'short',
  day: 'numeric',
  month: style === 'long' ? 'long' : 'short',
  ...(withYear ? { year: 'numeric' } : {}),
});

const unbroken = (text: string): string => text.replace(/[ \u202f]/g, '\u00a0');

/** "Sat 21 Nov"; with the year only if it is not this one. */
export function formatDay(
  instant: string | Date,
  timeZone: string,
  { style = 'short', now = new Date() }: { style?: DayStyle; now?: Date } = {},
): string {
  const isOtherYear = dayIn(timeZone, instant).slice(0, 4) !== dayIn(timeZone, now).slice(0, 4);
  const parts = date(dayOptions(style, timeZone, isOtherYear)).formatToParts(new Date(instant));
  const text = dateOfParts(locale(), parts);
  // A long date may be wider than a phone, so only a short one is kept on one line.
  return style === 'short' ? unbroken(text) : text;
}

/** A calendar day without a time ("by Fri 4 Dec"); independent of zones. */
export function formatCalendarDay(day: string, options: { style?: DayStyle; now?: Date } = {}): string {
  return formatDay(`${day}T12:00:00Z`, 'UTC', options);
}

/** 1 January 2024 was a Monday. */
export const weekdayText = (day: Weekday, style: 'long' | 'short' | 'narrow' = 'long'): string =>
  date({ weekday: style, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + weekdays.indexOf(day)));

export function formatMonth(month: string, style: 'full' | 'brief' | 'long' | 'short' = 'full'): string {
  return date({
    month: style === 'short' || style === 'brief' ? 'short' : 'long',
    ...(style === 'full' || style === 'brief' ? { year: 'numeric' as const } : {}),
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));
}

/** Cached, since every line of a conversation reads it and `resolvedOptions` is slow. */
const deviceHas12Hours = () =>
  cached(`h${locale()}`, () => date({ hour: 'numeric' }).resolvedOptions().hour12 === true);

/**
 * "08:00", or "8 AM" and "8:30 AM" with a twelve-hour clock; the person's choice, otherwise the region's.
 * Does not wrap.
 */
export function formatTime(instant: string | Date, timeZone: string): string {
  const clockSetting = clock.get();
  const isHour12 = clockSetting === 'device' ? deviceHas12Hours() : clockSetting === '12';
  const hour = isHour12 ? 'numeric' : '2-digit';
  const cycle =
    clockSetting === 'device' ? {} : { hourCycle: isHour12 ? ('h12' as const) : ('h23' as const) };
  const text = date({ timeZone, hour, minute: '2-digit', ...cycle }).format(new Date(instant));
  return unbroken(isHour12 ? text.replace(/:00(?=\s)/, '') : text);
}

/** Adds the zone, "(New York time)", if the reader's clock shows another time (glossary: place's time). */
export function withZone(text: string, instant: string | Date, timeZone: string): string {
  const ownZone = ownTimeZone();
  const sameClock =
    ownZone === timeZone ||
    (formatTime(instant, ownZone) === formatTime(instant, timeZone) &&
      dayIn(ownZone, instant) === dayIn(timeZone, instant));
  return sameClock ? text : t`${text} (${zoneCity(timeZone)} time)`;
}

/** The zone of all rows of a list, if the reader's clock shows another time there; the list names it once. */
export function sharedOtherZone(rows: readonly { timeZone: string }[], now = new Date()): string | null {
  const zone = rows[0]?.timeZone;
  const isShared = rows.every(({ timeZone }) => timeZone === zone);
  return zone !== undefined && isShared && withZone('', now, zone) !== '' ? zone : null;
}

/** The city that a zone is named for: "New York". */
export const zoneCity = (timeZone: string): string =>
  unbroken((timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' '));

/** "Today, 08:00", "Tomorrow, 08:00" or "Sat 21 Nov, 08:00", with the zone if it is not the reader's. */
export const formatDayTime = (instant: string | Date, timeZone: string, now = new Date()): string =>
  withZone(joined(nearDay(instant, timeZone, now), formatTime(instant, timeZone)), instant, timeZone);

/** A time within a sentence, always with its day: "Sat 21 Nov, 08:00". The zone is added as in `formatDayTime`. */
export const formatDate = (instant: string | Date, timeZone: string, now = new Date()): string =>
  withZone(dateIn(instant, timeZone, now), instant, timeZone);

/** Like `formatDate` without the zone, for a text that names it. */
export const dateIn = (instant: string | Date, timeZone: string, now = new Date()): string =>
  joined(formatDay(instant, timeZone, { now }), formatTime(instant, timeZone));

function nearDay(instant: string | Date, timeZone: string, now: Date): string {
  const ahead = dayNumber(dayIn(timeZone, instant)) - dayNumber(dayIn(timeZone, now));
  if (ahead === 0) return t`Today`;
  if (ahead === 1) return t`Tomorrow`;
  return formatDay(instant, timeZone, { now });
}

/**
 * "Today, 08:00–14:00" or "Sat 21 Nov, 08:00–14:00", with the zone if it is not the reader's; the end has its
 * day if it differs from the start's.
 */
export const formatSpan = (from: string, to: string, timeZone: string, now = new Date()): string =>
  withZone(spanIn(from, to, timeZone, now), from, timeZone);

/** Like `formatSpan` without the zone, for a text that names it. */
export const spanIn = (from: string, to: string, timeZone: string, now = new Date()): string =>
  spanFrom(joined(nearDay(from, timeZone, now), formatTime(from, timeZone)), from, to, timeZone, now);

/** Like `formatSpan` within a sentence or a list, always with its day. */
export const formatDateSpan = (from: string, to: string, timeZone: string, now = new Date()): string =>
  withZone(dateSpanIn(from, to, timeZone, now), from, timeZone);

/** Like `formatDateSpan` without the zone, for a text that names it. */
export const dateSpanIn = (from: string, to: string, timeZone: string, now = new Date()): string =>
  spanFrom(dateIn(from, timeZone, now), from, to, timeZone, now);

function spanFrom(start: string, from: string, to: string, timeZone: string, now: Date): string {
  const hours = new Date(to).getTime() - new Date(from).getTime();
  const end =
    dayIn(timeZone, from) === dayIn(timeZone, to) || hours <= 12 * hourMs
      ? formatTime(to, timeZone)
      : dateIn(to, timeZone, now);
  // Keeps both times on one line with a word joiner.
  return `${start}–\u2060${end}`;
}

/** "12 minutes ago" under a day, otherwise the day and time in the reader's zone. */
export function formatAgo(instant: string | Date, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - new Date(instant).getTime()) / minuteMs);
  if (minutes < 1) return t`Just now`;
  const relative = cached(`r${locale()}`, () => new Intl.RelativeTimeFormat(locale(), { numeric: 'always' }));
  if (minutes < 60) return relative.format(-minutes, 'minute');
  if (minutes < 24 * 60) return relative.format(-Math.floor(minutes / 60), 'hour');
  if (minutes < 7 * 24 * 60) return formatDayTime(instant, ownTimeZone(), now);
  return formatDay(instant, ownTimeZone(), { now });
}

export const formatAgoWithin = (instant: string | Date, now = new Date()): string =>
  now.getTime() - new Date(instant).getTime() < minuteMs ? t`just now` : formatAgo(instant, now);

let ownZone: string | null = null;

/** The device's time zone. Reading it is slow and it can change, so it is cached for one task. */
export function ownTimeZone(): string {
  if (ownZone !== null) return ownZone;
  queueMicrotask(() => {
    ownZone = null;
  });
  ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
}

export function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return unbroken(t`${rest} min`);
  return unbroken(rest === 0 ? t`${hours} h` : t`${hours} h ${rest} min`);
}

/** "9 days left", "28 hours left", "12 minutes left"; null once it has passed. */
export function formatLeft(until: string | Date, now = new Date()): string | null {
  const minutes = Math.ceil((new Date(until).getTime() - now.getTime()) / minuteMs);
  if (minutes <= 0) return null;
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return t`${plural(days, { one: '# day left', other: '# days left' })}`;
  if (hours >= 1) return t`${plural(hours, { one: '# hour left', other: '# hours left' })}`;
  return t`${plural(minutes, { one: '# minute left', other: '# minutes left' })}`;
}

export const formatLeftShort = (until: string | Date, now = new Date()): string =>
  formatSpanShort(new Date(until).getTime() - now.getTime());

/** "3 d", "5 h" or "12 min"; a negative span counts as none. */
export function formatSpanShort(ms: number): string {
  const minutes = Math.max(0, Math.ceil(ms / minuteMs));
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (hours >= 48) return unbroken(t({ message: `${days} d`, context: 'ring' }));
  return unbroken(
    hours >= 1
      ? t({ message: `${hours} h`, context: 'ring' })
      : t({ message: `${minutes} min`, context: 'ring' }),
  );
}

/** Returns whether to show miles: the person's choice, otherwise the country of the place's time zone (ADR 20). */
export const usesMiles = (timeZone: string = ownTimeZone()): boolean =>
  units.get() === 'place' ? hasMileSigns(timeZone) : units.get() === 'miles';

export function formatDistance(metres: number, timeZone: string = ownTimeZone()): string {
  const unit = (value: number, name: 'meter' | 'kilometer' | 'mile' | 'foot', digits: number): string =>
    unbroken(
      number({ style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits }).format(
        value,
      ),
    );
  if (usesMiles(timeZone)) {
    const miles = metres / 1_609.344;
    if (miles < 0.19) return unit(Math.max(50, Math.round((metres * 3.280_84) / 50) * 50), 'foot', 0);
    return unit(miles, 'mile', miles < 10 ? 1 : 0);
  }
  if (metres < 950) return unit(Math.max(50, Math.round(metres / 50) * 50), 'meter', 0);
  return unit(metres / 1_000, 'kilometer', metres < 9_950 ? 1 : 0);
}

/** Walking minutes at 80 m a minute; streets are about a quarter longer than the straight line. */
export const walkingMinutes = (metres: number): number => Math.max(1, Math.round((metres * 1.25) / 80));

/** "About 5 min walk" up to half an hour, otherwise metres or kilometres. */
export function formatNearness(metres: number, timeZone: string = ownTimeZone()): string {
  const minutes = walkingMinutes(metres);
  return minutes <= 30 ? t`about ${minutes} min walk` : formatDistance(metres, timeZone);
}

/** A file size as the limits count it, in steps of 1,024: "820 bytes", "63 kB", "10 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return number({ style: 'unit', unit: 'byte', unitDisplay: 'long' }).format(bytes);
  const large = bytes >= 100 * 1_024;
  return number({
    style: 'unit',
    unit: large ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: large ? 1 : 0,
  }).format(bytes / (large ? 1_048_576 : 1_024));
}

const listSeparator = msg`, `;
type Part = string | null | undefined | false;
/** Isolates Latin parts in right-to-left text (UAX 9), where two names would swap places; not dates. */
const isolated = (part: string): string =>
  /\p{Script=Latin}/u.test(part) && !part.includes('\u2068') ? `\u2068${part}\u2069` : part;
const shownParts = (parts: readonly Part[]): string[] => {
  const texts = parts.flatMap((part) => part || []);
  const isMirrored = texts.length > 1 && directionOf(i18n.locale as Language) === 'rtl';
  return isMirrored ? texts.map(isolated) : texts;
};
/** A quotation with the marks of the screen's language. */
export const quoted = (text: string): string => t`“${text}”`;
/** Joins parts with a dot that never starts a line. */
export const dotted = (...parts: Part[]): string => shownParts(parts).join('\u00a0· ');
export const joined = (...parts: Part[]): string => shownParts(parts).join(i18n._(listSeparator));
export const allOf = (parts: readonly string[]): string =>
  cached(`a${locale()}`, () => new Intl.ListFormat(locale(), { type: 'conjunction' })).format(
    shownParts(parts),
  );
export const eitherOf = (parts: readonly string[]): string =>
  cached(`e${locale()}`, () => new Intl.ListFormat(locale(), { type: 'disjunction' })).format(
    shownParts(parts),
  );
