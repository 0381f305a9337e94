import { sumOf } from '@nearhand/contract/arithmetic';
import { addDays, daysPerWeek } from '@nearhand/contract/durations';
import type { RosterShift } from '@nearhand/contract/hiring/roster';
import type { Money } from '@nearhand/contract/money';
import { dayIn } from '../../lib/words/format.ts';
import { clockIn, instantAt, plainTime } from '../../lib/words/zoned-time.ts';

/** True if workers can see the shift, unlike a draft or a shift in review. */
export const isPosted = ({ status }: Pick<RosterShift, 'status'>): boolean =>
  status !== 'draft' && status !== 'in_review';

/** Spots without a booked person or an open offer. */
export const openSpots = ({ headCount, people }: Pick<RosterShift, 'headCount' | 'people'>): number =>
  Math.max(0, headCount - people.length);

/** Workers who came to a shift or are still expected. */
export const crewOf = ({ people }: Pick<RosterShift, 'people'>): { workerId: string; name: string }[] =>
  people
    .filter(({ status }) => status !== 'offered' && status !== 'no_show_reported')
    .map(({ workerId, name }) => ({ workerId, name }));

export type Staffing = {
  /** Open spots of posted shifts. */
  gaps: number;
  drafts: number;
  inReview: number;
  /** Offers that nobody has answered. */
  offers: number;
  /** Booked people who look for someone to take their shift. */
  replacements: number;
  /** Someone agreed to every spot of the posted shifts, and there is at least one. */
  isFilled: boolean;
};

/** Staffing of the shifts that have not started. Shifts hidden from workers are counted separately. */
export function staffingOf(shifts: readonly RosterShift[], now: Date): Staffing {
  const upcoming = shifts.filter(({ startsAt }) => Date.parse(startsAt) > now.getTime());
  const posted = upcoming.filter(isPosted);
  const people = posted.flatMap((shift) => shift.people);
  const gaps = sumOf(posted, (shift) => openSpots(shift));
  const offers = people.filter(({ status }) => status === 'offered').length;
  const replacements = people.filter(({ giveaway }) => giveaway?.status === 'open').length;
  const count = (status: RosterShift['status']) => upcoming.filter((shift) => shift.status === status).length;
  return {
    gaps,
    drafts: count('draft'),
    inReview: count('in_review'),
    offers,
    replacements,
    isFilled: posted.length > 0 && gaps + offers + replacements === 0,
  };
}

/** A shift with its day by the clock of its place. */
export type DayShift = RosterShift & { day: string };
export const withDay = (shift: RosterShift): DayShift => ({
  ...shift,
  day: dayIn(shift.startsAt, shift.timeZone),
});

export type RosterSums = { minutes: number; costs: Money[]; draftCosts: Money[] };

/** Spots that cost something: nobody is paid for a no-show. */
const paidSpots = ({ headCount, people }: Pick<RosterShift, 'headCount' | 'people'>): number =>
  headCount - people.filter(({ status }) => status === 'no_show_reported').length;

/** Hours and cost of posted shifts when fully staffed, without no-shows, with Nearhand's fee; the cost of drafts separately. */
export function sumsOf(shifts: readonly RosterShift[]): RosterSums {
  const posted = shifts.filter(isPosted);
  const costsOf = (list: readonly RosterShift[]) =>
    list.flatMap(({ costMinor, currency, ...shift }) =>
      costMinor === null ? [] : [{ minor: costMinor * paidSpots(shift), currency }],
    );
  return {
    minutes: posted.reduce((sum, { paidMinutes, ...shift }) => sum + paidMinutes * paidSpots(shift), 0),
    costs: costsOf(posted),
    draftCosts: costsOf(shifts.filter(({ status }) => status === 'draft')),
  };
}

/** Shifts by title, in the order in which each title first starts. */
export const byTitle = (shifts: readonly DayShift[]): { title: string; shifts: DayShift[] }[] =>
  [...Map.groupBy(shifts, ({ title }) => title)].map(([title, list]) => ({ title, shifts: list }));

const clockOf = (instant: string, { timeZone }: DayShift) => plainTime(clockIn(instant, timeZone).time);

/** One shift of each role, branch and hours, the latest of them. */
export function kindsOf(shifts: readonly DayShift[]): DayShift[] {
  const keyOf = (shift: DayShift) =>
    [shift.title, shift.branch?.id, clockOf(shift.startsAt, shift), clockOf(shift.endsAt, shift)].join('\n');
  return [...new Map(shifts.map((shift) => [keyOf(shift), shift])).values()];
}

export type CopyOfShift = {
  shift: DayShift;
  /** The day of the copy. */
  day: string;
  /** The reason it is not preselected: planned already, past, or impossible together with others. */
  clash: 'planned' | 'past' | 'instant' | null;
};

/** Posted shifts a week later, at the same local times, and the conflicts in a week with `planned` shifts. */
export function copiesOf(last: readonly DayShift[], planned: readonly DayShift[], now: Date): CopyOfShift[] {
  const keyOf = (shift: DayShift, day: string) =>
    [day, shift.title, shift.branch?.id, clockOf(shift.startsAt, shift), clockOf(shift.endsAt, shift)].join(
      '\n',
    );
  const plannedKeys = new Set(planned.map((shift) => keyOf(shift, shift.day)));
  return last.filter(isPosted).map((shift) => {
    const day = addDays(shift.day, daysPerWeek);
    const startsAt = instantAt(day, clockOf(shift.startsAt, shift), shift.timeZone);
    const isPast = startsAt !== null && Date.parse(startsAt) <= now.getTime();
    const clash = isPast
      ? 'past'
      : shift.instantHire
        ? 'instant'
        : plannedKeys.has(keyOf(shift, day))
          ? 'planned'
          : null;
    return { shift, day, clash };
  });
}
