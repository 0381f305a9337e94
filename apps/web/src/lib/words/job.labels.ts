import { plural, t } from '@lingui/core/macro';
import type { Currency } from '@nearhand/contract/currencies';
import type { JobCard, PayUnit } from '@nearhand/contract/hiring/jobs';
import type { ShownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { workerGetsMinor } from '@nearhand/contract/hiring/pay.rules';
import { hourlyPay } from '@nearhand/contract/hiring/pay-units.rules';
import type { JobRelation } from '@nearhand/contract/work/pay.rules';
import { fileUrl } from '../forms/stored-file.ts';
import {
  dateSpanIn,
  formatCalendarDay,
  formatDateSpan,
  formatMinutes,
  formatMoney,
  formatNearness,
  formatSpan,
  spanIn,
} from './format.ts';
import { ratingMark } from './rating.labels.ts';

type PayRange = NonNullable<NonNullable<JobCard['series']>['payRange']>;

export const relationText = (relation: JobRelation): string =>
  ({
    self_employed: t`Self-employed`,
    employed: t`Employed`,
    household: t`Household work`,
  })[relation];

/** "€18 an hour", "€400 a week", "€95 fixed price". */
export function perUnit(amount: string, unit: PayUnit): string {
  switch (unit) {
    case 'hour':
      return t`${amount} an hour`;
    case 'day':
      return t`${amount} a day`;
    case 'week':
      return t`${amount} a week`;
    case 'month':
      return t`${amount} a month`;
    case 'year':
      return t`${amount} a year`;
    case 'fixed':
      return t`${amount} fixed price`;
  }
}

function unitAlone(unit: PayUnit): string {
  switch (unit) {
    case 'hour':
      return t`an hour`;
    case 'day':
      return t`a day`;
    case 'week':
      return t`a week`;
    case 'month':
      return t`a month`;
    case 'year':
      return t`a year`;
    case 'fixed':
      return t`fixed price`;
  }
}

/** The hourly pay of shifts that differ: "€16–€17". Bidi isolates keep their order in Arabic. */
export const rangeText = ({ minMinor, maxMinor }: PayRange, currency: Currency): string =>
  minMinor === maxMinor
    ? formatMoney(minMinor, currency)
    : `\u2068${formatMoney(minMinor, currency)}–\u2060${formatMoney(maxMinor, currency)}\u2069`;

/** The pay as a figure, the total or the rate after the worker's fee, and notes. The rate of a series may be a range. */
export function payText(
  pay: ShownJob['pay'],
  range: PayRange | null = null,
): { figure: string; notes: string[] } {
  const rate = rangeText(range ?? { minMinor: pay.minor, maxMinor: pay.minor }, pay.currency);
  const figure = formatMoney(workerGetsMinor(pay), pay.currency);
  const upTo =
    pay.maxMinor !== null && pay.maxMinor > pay.minor ? formatMoney(pay.maxMinor, pay.currency) : null;
  if (pay.totalMinor !== null && pay.unit !== 'fixed') {
    const length = pay.paidMinutes === null ? null : t`for ${formatMinutes(pay.paidMinutes)}`;
    return { figure, notes: [...(length ? [length] : []), perUnit(rate, pay.unit)] };
  }
  if (pay.unit === 'fixed') {
    return { figure, notes: [unitAlone('fixed')] };
  }
  return { figure, notes: upTo ? [unitAlone(pay.unit), t`up to ${upTo}`] : [unitAlone(pay.unit)] };
}

/**
 * The hourly pay first, after the worker's fee; pay as posted below it. Null for a fixed price, which has no
 * hours.
 */
export function hourlyText(pay: ShownJob['pay']): { pay: string; payNotes: string[] } | null {
  const minor = hourlyPay(pay.minor || null, pay.unit);
  if (minor === null) return null;
  const { workerFeeBasisPoints, currency, paidMinutes } = pay;
  const hourly = formatMoney(workerGetsMinor({ minor, totalMinor: null, workerFeeBasisPoints }), currency);
  const { figure, notes } = payText(pay);
  const posted =
    pay.unit !== 'hour'
      ? perUnit(formatMoney(pay.minor, currency), pay.unit)
      : pay.totalMinor !== null && paidMinutes !== null
        ? t`${figure} for ${formatMinutes(paidMinutes)}`
        : notes[1];
  return { pay: hourly, payNotes: [unitAlone('hour'), ...(posted ? [posted] : [])] };
}

/**
 * The time of the work in the job's zone: a span, a due date, the posting's words, or null. With
 * `isZoneNamed` the screen names the zone elsewhere.
 */
export function whenText(
  job: Pick<JobCard, 'startsAt' | 'endsAt' | 'dueOn' | 'hoursNote' | 'timeZone'>,
  now = new Date(),
  isZoneNamed = false,
): string | null {
  const spanText = isZoneNamed ? spanIn : formatSpan;
  if (job.startsAt && job.endsAt) return spanText(job.startsAt, job.endsAt, job.timeZone, now);
  if (job.dueOn) return t`By ${formatCalendarDay(job.dueOn, { now })}`;
  return job.hoursNote;
}

/** "5 shifts from Mon 7 Dec, 07:30–13:30", or "All 5 dates from …" for a block; null for one shift. */
export function seriesText(
  { series, startsAt, endsAt, timeZone }: Pick<JobCard, 'series' | 'startsAt' | 'endsAt' | 'timeZone'>,
  now = new Date(),
  isZoneNamed = false,
): string | null {
  if (!series || !startsAt || !endsAt) return null;
  // A search may match a later date of a block only, which still begins with its first.
  const aheadMs = series.asBlock ? Date.parse(startsAt) - Date.parse(series.firstStartsAt) : 0;
  const [firstStart, firstEnd] = [startsAt, endsAt].map((at) =>
    new Date(Date.parse(at) - aheadMs).toISOString(),
  ) as [string, string];
  const first = (isZoneNamed ? dateSpanIn : formatDateSpan)(firstStart, firstEnd, timeZone, now);
  if (series.asBlock)
    return plural(series.shifts, { one: `# date from ${first}`, other: `All # dates from ${first}` });
  return plural(series.shifts, { one: `# shift from ${first}`, other: `# shifts from ${first}` });
}

export function spotsText(spotsLeft: number): string {
  return plural(spotsLeft, { one: '# spot left', other: '# spots left' });
}

export function jobText(job: ShownJob, now = new Date(), isZoneNamed = false) {
  const { figure, notes } = payText(job.pay, job.series?.payRange);
  return {
    pay: figure,
    payNotes: notes,
    title: job.title,
    who: job.business.name,
    verified: job.business.verified,
    rating: ratingMark(job.business.rating),
    instant: job.instantHire,
    funded: job.funded,
    category: job.category,
    logo: fileUrl(job.business.logoPath),
    distanceM: job.distanceM,
    // At the same address, a distance says nothing.
    near: job.distanceM ? formatNearness(job.distanceM, job.timeZone) : job.place.label,
    when: seriesText(job, now, isZoneNamed) ?? whenText(job, now, isZoneNamed) ?? t`Any time`,
  };
}
