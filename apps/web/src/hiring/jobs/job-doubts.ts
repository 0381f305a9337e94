import { plural, t } from '@lingui/core/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { payMinOf } from '@nearhand/contract/hiring/pay-units.rules';
import { api } from '../../lib/api/api.ts';
import { formatCalendarDay, formatDay, formatMinutes, formatMoney, joined } from '../../lib/words/format.ts';
import { showAlert } from '../../ui/overlays/alert.tsx';

export type DoubtedTerms = {
  pay: { minor: number | null; unit: 'hour' | 'fixed' | null; currency: Currency };
  startsAt: string | null;
  endsAt: string | null;
  dueOn: string | null;
  timeZone: string;
  headCount: number | null;
  description: string;
};

/**
 * Pay of this many times the minimum, and shifts, days and numbers beyond these, are more often typing errors
 * than jobs.
 */
const payTimes = { hour: 60, fixed: 2_000 };
/** Hourly pay below this many times the minimum needs confirmation even where no minimum wage is known. */
const lowHourlyTimes = 2;
const longShiftMs = 16 * hourMs;
const farMs = 366 * dayMs;
const manyPeople = 100;
/** A description of fewer characters is too short to explain the work; an empty one is a separate error. */
const shortDescription = 10;

export const termsOfJob = (job: Job): DoubtedTerms => ({
  ...job,
  pay: { ...job.pay, unit: job.pay.unit === 'hour' || job.pay.unit === 'fixed' ? job.pay.unit : null },
});

/** Sentences about pay that is allowed but most likely a typing error. */
export function payDoubts(pay: DoubtedTerms['pay']): string[] {
  const minPay = pay.unit ? payMinOf(pay.currency, pay.unit) : 0;
  const isLow = pay.unit === 'hour' && pay.minor !== null && pay.minor < minPay * lowHourlyTimes;
  if (pay.minor !== null && pay.unit && (isLow || pay.minor >= minPay * payTimes[pay.unit]))
    return [
      pay.unit === 'hour'
        ? t`The pay is ${formatMoney(pay.minor, pay.currency)} an hour.`
        : t`The pay is ${formatMoney(pay.minor, pay.currency)} for each person.`,
    ];
  return [];
}

/** Sentences about terms that are allowed but most likely typing errors. */
export function jobDoubts(terms: DoubtedTerms, now: Date): string[] {
  const { startsAt, endsAt, dueOn, timeZone, headCount } = terms;
  const description = terms.description.trim();
  const doubts = payDoubts(terms.pay);
  const lengthMs = startsAt && endsAt ? Date.parse(endsAt) - Date.parse(startsAt) : 0;
  if (lengthMs >= longShiftMs) doubts.push(t`The shift is ${formatMinutes(lengthMs / minuteMs)} long.`);
  const isFar = (day: string) => Date.parse(day) - now.getTime() > farMs;
  if (startsAt && isFar(startsAt))
    doubts.push(t`It starts on ${formatDay(startsAt, timeZone, { style: 'long', now })}.`);
  if (dueOn && isFar(dueOn)) doubts.push(t`It is due on ${formatCalendarDay(dueOn, { style: 'long' })}.`);
  if (headCount !== null && headCount >= manyPeople) doubts.push(t`It is for ${headCount} people.`);
  if (description !== '' && description.length < shortDescription)
    doubts.push(t`The description says only “${description}”.`);
  return doubts;
}

/** A sentence with the cost of a job once all its spots are filled; none while it can't be calculated. */
export function costWhenFilled({ kind, headCount, pay, instantHire }: Job): string[] {
  if (pay.totalMinor === null) return [];
  const { totalMinor } = jobCost({
    kind,
    headCount,
    payMinor: pay.minor,
    paidMinutes: pay.paidMinutes ?? 0,
    businessFeeBasisPoints: pay.businessFeeBasisPoints,
    workerFeeBasisPoints: pay.workerFeeBasisPoints,
  });
  const cost = formatMoney(totalMinor, pay.currency);
  return [
    instantHire
      ? plural(headCount, {
          one: `Publishing sets the pay aside and hires the first suitable person at once. # person will cost you ${cost} with our fee.`,
          other: `Publishing sets the pay aside and hires the first suitable people at once. # people will cost you ${cost} with our fee.`,
        })
      : plural(headCount, {
          one: `Workers can find it and apply. # person will cost you ${cost} with our fee.`,
          other: `Workers can find it and apply. # people will cost you ${cost} with our fee.`,
        }),
  ];
}

export type PlannedHours = {
  title: string;
  branchId: string | null;
  /** The start and the end are local times as `HH:MM`. */
  from: string;
  to: string;
};

/** Sentences about a shift of the same role, branch and hours that is planned on one of these days already. */
export async function sameShiftDoubts(
  businessId: string,
  { branchId, ...planned }: PlannedHours,
  days: readonly string[],
  /** The draft that is published, which the roster lists too. */
  draftId?: string,
): Promise<string[]> {
  const sorted = days.toSorted();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return [];
  const input = {
    businessId,
    ...planned,
    branchId: branchId ?? undefined,
    first,
    last,
    exceptJobId: draftId,
  };
  // Publishing doesn't depend on this question, so it is left out if the days can't be loaded.
  const answer = await api.roster.sameShiftDays(input).catch(() => ({ days: [] }));
  const takenDays = answer.days.filter((day) => days.includes(day));
  const { title } = planned;
  const hours = `${planned.from}–${planned.to}`;
  const dates = joined(...takenDays.map((day) => formatCalendarDay(day)));
  return takenDays.length > 0 ? [t`There's already a ${title} shift, ${hours}, on ${dates}.`] : [];
}

/**
 * Asks the person to confirm values that look like typing errors, or a question of its own.
 * @returns whether to go on
 */
export async function acceptDoubts(
  doubts: readonly string[],
  goOn: string,
  question?: string,
): Promise<boolean> {
  if (doubts.length === 0) return true;
  const act = { value: 'go-on', label: goOn };
  const choice = await showAlert({
    tone: 'ask',
    title: question ?? t`Is this right?`,
    message: doubts.join(' '),
    buttons:
      question === undefined
        ? [{ value: 'change', label: t`Change it` }, act]
        : [act, { value: 'change', label: t`Go back` }],
  });
  return choice === 'go-on';
}
