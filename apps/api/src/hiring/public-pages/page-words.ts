import { shareOfAmount } from '@nearhand/contract/arithmetic';
import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import { hourMs } from '@nearhand/contract/durations';
import type { Job, JobCard, Pay, PayUnit } from '@nearhand/contract/hiring/jobs';
import { datesToApply } from '@nearhand/contract/hiring/jobs.rules';
import { dateOfParts, type Language } from '@nearhand/contract/languages';
import type { Rating } from '@nearhand/contract/people/rating.rules';
import { type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';

export type PageLocale = { readonly tag: string; readonly text: (message: MailText) => string };

const formats = new Map<string, unknown>();
function cachedFormat<Format>(key: string, make: () => Format): Format {
  const cached = formats.get(key) as Format | undefined;
  if (cached !== undefined) return cached;
  const format = make();
  formats.set(key, format);
  return format;
}

/** Returns the texts and number formats of a language for a job's country. Cached. */
export function localeIn(countryCode: string, language: Language = 'en'): PageLocale {
  return cachedFormat(`locale ${language} ${countryCode}`, () => ({
    tag: tagIn(countryCode, language),
    text: (message) => phraseIn(language, message),
  }));
}

function tagIn(countryCode: string, language: Language): string {
  const fallback = language === 'en' ? 'en-IE' : language;
  try {
    const tag = `${language}-${countryCode}`;
    const isMixed = language === 'en' && new Intl.NumberFormat(tag).format(1.5) !== '1.5';
    return isMixed ? fallback : new Intl.Locale(tag).toString();
  } catch {
    return fallback;
  }
}

function moneyText(minor: number, currency: Currency, locale: PageLocale): string {
  const unit = 10 ** currencyDigits[currency];
  const digits = minor % unit === 0 ? 0 : currencyDigits[currency];
  const format = cachedFormat(
    `money ${locale.tag} ${currency} ${digits}`,
    () =>
      new Intl.NumberFormat(locale.tag, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
  return format.format(minor / unit);
}

const milesIn = /-(US|GB)$/;

/** A distance in the units of the place: "350 m", "1.2 km", "0.7 mi". */
export function distanceText(metres: number, { tag }: PageLocale): string {
  const inMiles = milesIn.test(tag);
  const unit = inMiles ? 'mile' : metres < 950 ? 'meter' : 'kilometer';
  const amount = {
    mile: metres / 1_609.344,
    meter: Math.max(50, Math.round(metres / 50) * 50),
    kilometer: metres / 1_000,
  }[unit];
  const digits = amount < 10 ? 1 : 0;
  return cachedFormat(
    `distance ${tag} ${unit} ${digits}`,
    () =>
      new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: digits,
      }),
  ).format(amount);
}

const unitText: Record<PayUnit, MailText> = {
  hour: phrase('an hour'),
  day: phrase('a day'),
  week: phrase('a week'),
  month: phrase('a month'),
  year: phrase('a year'),
  fixed: phrase('fixed price'),
};

const minutesText = (minutes: number, { text }: PageLocale): string => {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return text(phrase('{rest} min', { rest }));
  return text(rest === 0 ? phrase('{hours} h', { hours }) : phrase('{hours} h {rest} min', { hours, rest }));
};

type PayRange = NonNullable<JobCard['series']>['payRange'];

/** `range`: the rates of a series whose shifts pay differently. */
export function payText(
  pay: Pay,
  locale: PageLocale,
  range: PayRange = null,
): { figure: string; notes: string[] } {
  const { text } = locale;
  const money = (minor: number) => moneyText(minor, pay.currency, locale);
  const unit = text(unitText[pay.unit]);
  if (pay.unit === 'fixed') return { figure: money(pay.totalMinor ?? pay.minor), notes: [unit] };
  if (pay.totalMinor !== null)
    return {
      figure: money(pay.totalMinor),
      notes: [
        ...(pay.paidMinutes === null
          ? []
          : [text(phrase('for {length}', { length: minutesText(pay.paidMinutes, locale) }))]),
        `${range ? [range.minMinor, range.maxMinor].map(money).join('–') : money(pay.minor)} ${unit}`,
      ],
    };
  const upTo =
    pay.maxMinor !== null && pay.maxMinor > pay.minor
      ? [text(phrase('up to {amount}', { amount: money(pay.maxMinor) }))]
      : [];
  return { figure: money(pay.minor), notes: [unit, ...upTo] };
}

/** The pay of a job; of a series whose shifts pay differently, the lowest and the range of rates. */
export function jobPayText(
  { pay, dates, series }: Pick<Job, 'pay' | 'dates' | 'series'>,
  locale: PageLocale,
): { figure: string; notes: string[] } {
  const totals = dates.map((date) => date.pay.totalMinor ?? date.pay.minor);
  const lowest = Math.min(...totals);
  const posted = payText(pay, locale, series?.payRange);
  if (dates.length < 2 || lowest === Math.max(...totals)) return posted;
  const { text } = locale;
  const amount = moneyText(lowest, pay.currency, locale);
  return {
    figure: text(phrase('from {amount}', { amount })),
    notes: [text(phrase('a shift')), ...posted.notes.slice(-1)],
  };
}

export function feeText({ pay, business }: Pick<Job, 'pay' | 'business'>, locale: PageLocale): string {
  const { text } = locale;
  const percent = (basisPoints: number) =>
    new Intl.NumberFormat(locale.tag, { style: 'percent', maximumFractionDigits: 2 }).format(
      basisPoints / 10_000,
    );
  if (pay.workerFeeBasisPoints > 0) {
    const gross = pay.totalMinor ?? pay.minor;
    const net = moneyText(gross - shareOfAmount(gross, pay.workerFeeBasisPoints), pay.currency, locale);
    return text(
      phrase('You get {net} after our {percent} fee.', { net, percent: percent(pay.workerFeeBasisPoints) }),
    );
  }
  if (pay.businessFeeBasisPoints === 0) return text(phrase('You keep all of it.'));
  const fee = { business: business.name, percent: percent(pay.businessFeeBasisPoints) };
  return text(phrase('You keep all of it. {business} pays our {percent} fee on top.', fee));
}

function dayText(at: Date, timeZone: string, locale: PageLocale, brief: boolean): string {
  const format = cachedFormat(
    `day ${locale.tag} ${timeZone} ${brief}`,
    () =>
      new Intl.DateTimeFormat(locale.tag, {
        timeZone,
        weekday: brief ? 'short' : 'long',
        day: 'numeric',
        month: brief ? 'short' : 'long',
        year: brief ? undefined : ('numeric' as const),
      }),
  );
  return dateOfParts(locale.tag, format.formatToParts(at));
}

function timeText(at: Date, timeZone: string, locale: PageLocale): string {
  const format = cachedFormat(`time ${locale.tag} ${timeZone}`, () => {
    const { hour12 } = new Intl.DateTimeFormat(locale.tag, { hour: 'numeric' }).resolvedOptions();
    const hour = hour12 ? ('numeric' as const) : ('2-digit' as const);
    return new Intl.DateTimeFormat(locale.tag, { timeZone, hour, minute: '2-digit' });
  });
  return format.format(at);
}

type Hours = Pick<JobCard, 'startsAt' | 'endsAt' | 'dueOn' | 'hoursNote' | 'timeZone'>;

export function whenText(job: Hours, locale: PageLocale, style: 'brief' | 'long' = 'brief'): string | null {
  const isBrief = style === 'brief';
  if (job.startsAt && job.endsAt) {
    const comma = locale.tag.startsWith('ar') ? '، ' : ', ';
    const from = new Date(job.startsAt);
    const to = new Date(job.endsAt);
    const day = (at: Date) => dayText(at, job.timeZone, locale, isBrief);
    const time = (at: Date) => timeText(at, job.timeZone, locale);
    const end = to.getTime() - from.getTime() <= 12 * hourMs ? time(to) : `${day(to)}${comma}${time(to)}`;
    return `${day(from)}${comma}${time(from)}–${end}`;
  }
  if (job.dueOn) {
    const day = dayText(new Date(`${job.dueOn}T12:00:00Z`), 'UTC', locale, isBrief);
    return locale.text(isBrief ? phrase('By {day}', { day }) : phrase('Due by {day}', { day }));
  }
  return job.hoursNote;
}

/** The shifts of a series and the first of them, or the time of any other job. */
export function shiftsText(
  job: Hours & Pick<JobCard, 'id' | 'series'> & Partial<Pick<Job, 'dates'>>,
  locale: PageLocale,
): string | null {
  const [first = job] = job.series === null ? [] : datesToApply({ id: job.id, dates: job.dates ?? [] });
  const time = whenText({ ...job, startsAt: first.startsAt, endsAt: first.endsAt }, locale);
  if (job.series === null || time === null) return time;
  const values = { count: job.series.shifts, first: time };
  return locale.text(
    job.series.asBlock
      ? phrase('{count, plural, one {# date} other {all # dates}}, {first}', values)
      : phrase('{count, plural, one {# shift} other {# shifts}}, {first}', values),
  );
}

/**
 * Formats when a job is: "5 shifts from Mon 7 Dec to Fri 11 Dec" for a series, "All 5 dates from…" for a block, otherwise its
 * day and hours.
 */
export function jobWhenText(job: Job, locale: PageLocale): string | null {
  const dates = datesToApply(job);
  const [first] = dates;
  const last = dates.at(-1);
  if (!first || !last || dates.length < 2) return whenText(job, locale, 'long');
  const values = {
    count: dates.length,
    first: dayText(new Date(first.startsAt), job.timeZone, locale, true),
    last: dayText(new Date(last.startsAt), job.timeZone, locale, true),
  };
  return locale.text(
    first.asBlock
      ? phrase('{count, plural, one {# date} other {All # dates}} from {first} to {last}', values)
      : phrase('{count, plural, one {# shift} other {# shifts}} from {first} to {last}', values),
  );
}

export function breakText(
  job: Pick<Job, 'kind' | 'startsAt' | 'breakMinutes' | 'breakPaid'>,
  locale: PageLocale,
): string | null {
  const { text } = locale;
  if (job.kind === 'task') return text(phrase('You choose when.'));
  if (!job.startsAt) return null;
  if (job.breakMinutes === 0) return text(phrase('No break'));
  const length = minutesText(job.breakMinutes, locale);
  return text(
    job.breakPaid ? phrase('{length} paid break', { length }) : phrase('{length} unpaid break', { length }),
  );
}

export const spotsText = (left: number, { text }: PageLocale): string =>
  text(phrase('{left, plural, one {# spot left} other {# spots left}}', { left }));

/** Returns the rating as a short figure and as a sentence; null without published reviews. */
export function ratingText(
  { count, averageTenths }: Rating,
  locale: PageLocale,
): { short: string; full: string } | null {
  if (averageTenths === null) return null;
  const format = cachedFormat(
    `tenths ${locale.tag}`,
    () => new Intl.NumberFormat(locale.tag, { minimumFractionDigits: 1 }),
  );
  const stars = format.format(averageTenths / 10);
  const number = cachedFormat(`number ${locale.tag}`, () => new Intl.NumberFormat(locale.tag)).format(count);
  return {
    short: `${stars} (${number})`,
    full: locale.text(
      phrase('{stars} from {count, plural, one {{number} review} other {{number} reviews}}', {
        stars,
        number,
        count,
      }),
    ),
  };
}

/** Cuts a text at a space, as descriptions in search results need it. */
export function truncate(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), maxLength - 30)).trimEnd()}…`;
}
