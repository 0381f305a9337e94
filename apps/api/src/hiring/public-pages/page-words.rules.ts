import { share } from '@nearhand/contract/arithmetic';
import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import { hourMs } from '@nearhand/contract/durations';
import type { Job, JobCard, Pay, PayUnit } from '@nearhand/contract/hiring/jobs';
import type { Rating } from '@nearhand/contract/people/rating.rules';
import type { CategoryId, SkillId } from '@nearhand/contract/people/taxonomy';

/** The language of public pages and the region whose formats they use. Pages are shared by all readers, so the place decides, not the reader. */
export type PageLocale = string;

const formats = new Map<string, unknown>();
function kept<Format>(key: string, make: () => Format): Format {
  const known = formats.get(key) as Format | undefined;
  if (known !== undefined) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

/** English as written where the job is; Irish English where a region mixes English with another number format. */
export function localeIn(countryCode: string): PageLocale {
  return kept(`locale ${countryCode}`, () => {
    try {
      const tag = `en-${countryCode}`;
      return new Intl.NumberFormat(tag).format(1.5) === '1.5' ? tag : 'en-IE';
    } catch {
      return 'en-IE';
    }
  });
}

/** Money, whole when whole: €18, €17.20, ¥1,500. */
export function moneyWords(minor: number, currency: Currency, locale: PageLocale): string {
  const unit = 10 ** currencyDigits[currency];
  const digits = minor % unit === 0 ? 0 : currencyDigits[currency];
  const format = kept(
    `money ${locale} ${currency} ${digits}`,
    () =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  );
  return format.format(minor / unit);
}

const unitWords: Record<PayUnit, string> = {
  hour: 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  year: 'a year',
  fixed: 'fixed price',
};

const minutesWords = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
};

/** Pay as a card shows it: the total if known, otherwise the rate, and one or two small lines. */
export function payWords(pay: Pay, locale: PageLocale): { figure: string; notes: string[] } {
  const money = (minor: number) => moneyWords(minor, pay.currency, locale);
  if (pay.unit === 'fixed') return { figure: money(pay.totalMinor ?? pay.minor), notes: [unitWords.fixed] };
  if (pay.totalMinor !== null)
    return {
      figure: money(pay.totalMinor),
      notes: [
        ...(pay.paidMinutes === null ? [] : [`for ${minutesWords(pay.paidMinutes)}`]),
        `${money(pay.minor)} ${unitWords[pay.unit]}`,
      ],
    };
  const upTo = pay.maxMinor !== null && pay.maxMinor > pay.minor ? [`up to ${money(pay.maxMinor)}`] : [];
  return { figure: money(pay.minor), notes: [unitWords[pay.unit], ...upTo] };
}

/** Who pays the fee, and what is left for the worker. */
export function feeWords({ pay, business }: Pick<Job, 'pay' | 'business'>, locale: PageLocale): string {
  const percent = (basisPoints: number) =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
      basisPoints / 10_000,
    );
  if (pay.workerFeeBasisPoints > 0) {
    const gross = pay.totalMinor ?? pay.minor;
    const net = moneyWords(gross - share(gross, pay.workerFeeBasisPoints), pay.currency, locale);
    return `You get ${net} after our ${percent(pay.workerFeeBasisPoints)} fee.`;
  }
  return pay.merchantFeeBasisPoints === 0
    ? 'You keep all of it.'
    : `You keep all of it. ${business.name} pays our ${percent(pay.merchantFeeBasisPoints)} fee on top.`;
}

/** A day in a zone, always with its year unless `brief`: a page may be read long after it was written. */
function dayWords(at: Date, timeZone: string, locale: PageLocale, brief: boolean): string {
  const format = kept(
    `day ${locale} ${timeZone} ${brief}`,
    () =>
      new Intl.DateTimeFormat(locale, {
        timeZone,
        weekday: brief ? 'short' : 'long',
        day: 'numeric',
        month: brief ? 'short' : 'long',
        ...(brief ? {} : { year: 'numeric' as const }),
      }),
  );
  return format
    .formatToParts(at)
    .map((part, index, parts) =>
      part.value === ', ' && parts[index - 1]?.type === 'weekday' && parts[index + 1]?.type === 'day'
        ? ' '
        : part.value,
    )
    .join('');
}

function timeWords(at: Date, timeZone: string, locale: PageLocale): string {
  const format = kept(`time ${locale} ${timeZone}`, () => {
    const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
    const hour = hour12 ? ('numeric' as const) : ('2-digit' as const);
    return new Intl.DateTimeFormat(locale, { timeZone, hour, minute: '2-digit' });
  });
  return format.format(at);
}

type Hours = Pick<JobCard, 'startsAt' | 'endsAt' | 'dueOn' | 'hoursNote' | 'timeZone'>;

/** When the work is, in the job's zone: "Sat 21 Nov, 08:00–14:00", a due date, the posting's words, or null. */
export function whenWords(job: Hours, locale: PageLocale, style: 'brief' | 'long' = 'brief'): string | null {
  const brief = style === 'brief';
  if (job.startsAt && job.endsAt) {
    const [from, to] = [new Date(job.startsAt), new Date(job.endsAt)];
    const day = (at: Date) => dayWords(at, job.timeZone, locale, brief);
    const time = (at: Date) => timeWords(at, job.timeZone, locale);
    const end = to.getTime() - from.getTime() <= 12 * hourMs ? time(to) : `${day(to)}, ${time(to)}`;
    return `${day(from)}, ${time(from)}–${end}`;
  }
  if (job.dueOn) {
    const day = dayWords(new Date(`${job.dueOn}T12:00:00Z`), 'UTC', locale, brief);
    return brief ? `By ${day}` : `Due by ${day}`;
  }
  return job.hoursNote;
}

/** The shift's break, or that a task has no hours. */
export function breakWords(
  job: Pick<Job, 'kind' | 'startsAt' | 'breakMinutes' | 'breakPaid'>,
): string | null {
  if (job.kind === 'task') return 'You choose when.';
  if (!job.startsAt) return null;
  if (job.breakMinutes === 0) return 'No break';
  return `${minutesWords(job.breakMinutes)} ${job.breakPaid ? 'paid' : 'unpaid'} break`;
}

export const seatsWords = (left: number): string => (left === 1 ? '1 spot left' : `${left} spots left`);

/** "4.8 from 12 reviews", and "4.8 (12)" where there is little room; null below three reviews, which have no average. */
export function ratingWords(
  { count, averageTenths }: Rating,
  locale: PageLocale,
): { short: string; full: string } | null {
  if (averageTenths === null) return null;
  const format = kept(`tenths ${locale}`, () => new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }));
  const stars = format.format(averageTenths / 10);
  const number = kept(`number ${locale}`, () => new Intl.NumberFormat(locale)).format(count);
  return { short: `${stars} (${number})`, full: `${stars} from ${number} reviews` };
}

/** The trades' names, as in the app. */
export const categoryWords: Record<CategoryId, string> = {
  hospitality: 'Hospitality',
  retail: 'Retail',
  logistics: 'Warehouse and logistics',
  delivery: 'Delivery and driving',
  events: 'Events',
  cleaning: 'Cleaning',
  trades: 'Trades and handiwork',
  construction: 'Construction',
  gardening: 'Gardening',
  care: 'Care',
  education: 'Teaching',
  office: 'Office',
  technology: 'Technology',
  creative: 'Creative',
  beauty: 'Beauty and fitness',
  security: 'Security',
};

/** Skills whose name is not their id in words. */
const namedSkills: Partial<Record<SkillId, string>> = {
  'stock-filler': 'Shelf stacker',
  forklift: 'Forklift driver',
  loading: 'Loading and unloading',
  movers: 'Moving help',
  'it-support': 'IT support',
  training: 'Training and coaching',
  makeup: 'Make-up',
};

/** A skill's name, as in the app. */
export function skillWords(skill: SkillId): string {
  const plain = skill.replaceAll('-', ' ');
  return namedSkills[skill] ?? `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}

/** The start of a text, cut at a word. */
export function startOf(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 30)).trimEnd()}…`;
}
