import { sumOf } from '@nearhand/contract/arithmetic';
import { addDays, dayIn, daysPerWeek } from '@nearhand/contract/durations';
import { mayBeEdited, stillHires } from '@nearhand/contract/hiring/jobs.rules';
import type { Replacement } from '@nearhand/contract/hiring/replacements';
import type { RosterShift } from '@nearhand/contract/hiring/roster';
import type { Money } from '@nearhand/contract/money';
import { statusesWithoutWorker } from '@nearhand/contract/work/replacements.rules';
import { locale } from '../../lib/words/format.ts';
import { clockIn, instantAt, plainTime, type TypedSpan } from '../../lib/words/zoned-time.ts';

/** True if workers can see the shift, unlike a draft or a shift in review. */
export const isPosted = ({ status }: Pick<RosterShift, 'status'>): boolean =>
  status !== 'draft' && status !== 'in_review';

const endedStatuses: readonly RosterShift['status'][] = [
  'expired',
  'closed',
  'archived',
  'suspended',
  'rejected',
];

/** True for a shift that was posted and whose open spots can't be filled any more. */
export const isEnded = ({ status }: Pick<RosterShift, 'status'>): boolean => endedStatuses.includes(status);

/** Spots without a booked person or an open offer. */
export const openSpots = ({ headCount, people }: Pick<RosterShift, 'headCount' | 'people'>): number =>
  Math.max(0, headCount - people.length);

/** Workers who came to a shift or are still expected. */
export const crewOf = ({ people }: Pick<RosterShift, 'people'>): { workerId: string; name: string }[] =>
  people
    .filter(({ status }) => status !== 'offered' && !statusesWithoutWorker.includes(status))
    .map(({ workerId, name }) => ({ workerId, name }));

export type Staffing = {
  /** Open spots that workers can apply for. */
  gaps: number;
  /** Open spots of paused shifts. */
  paused: number;
  drafts: number;
  inReview: number;
  /** Unanswered offers, and questions to booked people about other hours. */
  offers: number;
  /** Booked people who look for someone to take their shift. */
  replacements: number;
  /** Booked people who ask for the day off. */
  daysOff: number;
  /** Someone agreed to every spot of the posted shifts, and there is at least one. */
  isFilled: boolean;
};

/** Staffing of the shifts that have not started. Shifts hidden from workers are counted separately. */
export function staffingOf(shifts: readonly DayShift[], now: Date): Staffing {
  const upcoming = shifts.filter(({ startsAt }) => Date.parse(startsAt) > now.getTime());
  const posted = upcoming.filter(isPosted);
  const people = posted.flatMap((shift) => shift.people);
  const gaps = sumOf(
    posted.filter((shift) => !isPaused(shift) && !isEnded(shift)),
    openSpots,
  );
  const paused = sumOf(posted.filter(isPaused), openSpots);
  const offers = people.filter(({ status, hours }) => status === 'offered' || hours === 'asked').length;
  const replacements = people.filter(({ giveaway }) => giveaway?.status === 'open').length;
  const daysOff = people.filter(({ asksDayOff }) => asksDayOff).length;
  const count = (status: RosterShift['status']) => upcoming.filter((shift) => shift.status === status).length;
  return {
    gaps,
    paused,
    drafts: count('draft'),
    inReview: count('in_review'),
    offers,
    replacements,
    daysOff,
    isFilled: posted.length > 0 && gaps + paused + offers + replacements + daysOff === 0,
  };
}

/** A shift with its day by the clock of its place, and the running search for someone to fill it. */
export type DayShift = RosterShift & { day: string; search: Replacement | null };
export const withDay = (shift: RosterShift, replacements: readonly Replacement[] = []): DayShift => ({
  ...shift,
  day: dayIn(shift.timeZone, shift.startsAt),
  search:
    replacements.find(
      ({ jobId, giveawayId, state }) => jobId === shift.jobId && giveawayId === null && state === 'looking',
    ) ?? null,
});

/** True for a shift whose open spots nobody can apply for until it is reopened. A search for a replacement hides it too. */
export const isPaused = ({ status, search }: Pick<DayShift, 'status' | 'search'>): boolean =>
  status === 'paused' && search === null;

export type RosterSums = { minutes: number; costs: Money[]; draftCosts: Money[] };

/** Spots that cost something: a no-show costs nothing, and neither does a spot that can't be filled any more. */
const paidSpots = (shift: Pick<RosterShift, 'status' | 'headCount' | 'people'>): number =>
  (isEnded(shift) ? shift.people.length : shift.headCount) -
  shift.people.filter(({ status }) => status === 'no_show_reported').length;

/**
 * Hours and cost with Nearhand's fee, without no-shows: of open shifts when fully staffed, and of ended ones with the
 * people they had. The cost of drafts is separate.
 */
export function sumsOf(shifts: readonly RosterShift[]): RosterSums {
  const posted = shifts.filter(isPosted);
  const costsOf = (list: readonly RosterShift[]) =>
    list.flatMap((shift) =>
      shift.costMinor === null
        ? []
        : [{ minor: shift.costMinor * paidSpots(shift), currency: shift.currency }],
    );
  return {
    minutes: sumOf(posted, (shift) => shift.paidMinutes * paidSpots(shift)),
    costs: costsOf(posted),
    draftCosts: costsOf(shifts.filter(({ status }) => status === 'draft')),
  };
}

/** The hours of a shift by the clock of its place, on another day or its own. */
export const typedSpanOf = (shift: DayShift, day = shift.day): TypedSpan => ({
  day,
  from: clockIn(shift.startsAt, shift.timeZone).time,
  to: clockIn(shift.endsAt, shift.timeZone).time,
});

/** True for a draft, and for a posted shift that may be edited and has not started. */
export const isMovable = (shift: DayShift, now: Date): boolean =>
  shift.status === 'draft' || (mayBeEdited(shift.status) && Date.parse(shift.startsAt) > now.getTime());

/** True for an upcoming shift whose open spots can be offered to someone; people apply for a block (ADR 414). */
export const mayOfferSpots = (shift: DayShift, now: Date): boolean =>
  hasSpotsToFill(shift, now) && !shift.asBlock;

/** True for an upcoming posted shift with open spots. */
export const hasSpotsToFill = (shift: DayShift, now: Date): boolean =>
  isPosted(shift) &&
  stillHires(shift.status) &&
  openSpots(shift) > 0 &&
  Date.parse(shift.startsAt) > now.getTime();

export type RosterRow = {
  key: string;
  name: string;
  /** Null for a row by role. */
  workerId: string | null;
  /** In a row by worker, each shift has only this worker, or only its open spots. */
  shifts: DayShift[];
};

/** Shifts by title, in the order in which each title first starts. */
export const byTitle = (shifts: readonly DayShift[]): RosterRow[] =>
  [...Map.groupBy(shifts, ({ title }) => title)].map(([title, list]) => ({
    key: title,
    name: title,
    workerId: null,
    shifts: list,
  }));

/** Open spots first, in a row called `notFilled`, then the shifts of each worker, booked or offered, by name. */
export function byWorker(shifts: readonly DayShift[], notFilled: string): RosterRow[] {
  const names = new Intl.Collator(locale());
  const rows = new Map<string, RosterRow>();
  for (const shift of shifts)
    for (const person of shift.people) {
      const { workerId, name } = person;
      const row = rows.get(workerId) ?? { key: workerId, name, workerId, shifts: [] };
      row.shifts.push({ ...shift, headCount: 1, people: [person] });
      rows.set(workerId, row);
    }
  const open = shifts
    .filter((shift) => openSpots(shift) > 0)
    .map((shift) => ({ ...shift, headCount: openSpots(shift), people: [] }));
  const workers = [...rows.values()].toSorted((first, second) => names.compare(first.name, second.name));
  return open.length === 0
    ? workers
    : [{ key: 'open', name: notFilled, workerId: null, shifts: open }, ...workers];
}

const clockOf = (instant: string, { timeZone }: DayShift) => plainTime(clockIn(instant, timeZone).time);

/** One shift of each role, branch and hours, the latest of them, without rests of shifts that someone missed. */
export function kindsOf(shifts: readonly DayShift[]): DayShift[] {
  const keyOf = (shift: DayShift) =>
    [shift.title, shift.branch?.id, clockOf(shift.startsAt, shift), clockOf(shift.endsAt, shift)].join('\n');
  return [
    ...new Map(
      shifts.filter(({ isReplacement }) => !isReplacement).map((shift) => [keyOf(shift), shift]),
    ).values(),
  ];
}

export type CopyOfShift = {
  /** The copied shift, with nobody on it and open like the copy. */
  shift: DayShift;
  /** The people booked on the copied shift. */
  crew: { workerId: string; name: string }[];
  /** The day of the copy. */
  day: string;
  /** The reason it is not preselected: planned already, past, or impossible together with others. */
  clash: 'planned' | 'past' | 'instant' | null;
};

/** Posted shifts a week later, at the same local times, without rests of missed ones, and the conflicts in a week with `planned` shifts. */
export function copiesOf(last: readonly DayShift[], planned: readonly DayShift[], now: Date): CopyOfShift[] {
  const keyOf = (shift: DayShift, day: string) =>
    [day, shift.title, shift.branch?.id, clockOf(shift.startsAt, shift), clockOf(shift.endsAt, shift)].join(
      '\n',
    );
  const plannedKeys = new Set(planned.map((shift) => keyOf(shift, shift.day)));
  const lastPlanned = last.filter((shift) => isPosted(shift) && !shift.isReplacement);
  return lastPlanned.map((shift) => {
    const day = addDays(shift.day, daysPerWeek);
    const startsAt = instantAt(day, clockOf(shift.startsAt, shift), shift.timeZone);
    const isPast = startsAt !== null && Date.parse(startsAt) <= now.getTime();
    const clash = () => {
      if (isPast) return 'past';
      if (shift.instantHire) return 'instant';
      return plannedKeys.has(keyOf(shift, day)) ? 'planned' : null;
    };
    return { shift: { ...shift, status: 'open', people: [] }, crew: crewOf(shift), day, clash: clash() };
  });
}
