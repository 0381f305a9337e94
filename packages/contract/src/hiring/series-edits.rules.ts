import { dayIn } from '../durations.ts';
import { instantOf, minuteIn } from '../zoned-time.ts';
import type { JobDraft } from './job-posting.ts';
import { mapTexts, optionalTexts } from './jobs.rules.ts';

/** The shifts of a series that a change of one reaches: itself, the later ones too, or all that have not started. */
export const seriesReaches = ['one', 'later', 'all'] as const;
export type SeriesReach = (typeof seriesReaches)[number];

/** Parts of a shift that an edit can change. A part changed on one shift alone stays when its series is edited. */
export const shiftParts = [
  'title',
  'category',
  'requirements',
  'skills',
  'description',
  'pay',
  'head-count',
  'hours',
  'relation',
  'place',
  'cv',
  'instant-hire',
  'questions',
  'photos',
] as const;
export type ShiftPart = (typeof shiftParts)[number];

export type ShiftEdit = Partial<Omit<JobDraft, 'kind'>>;

/** The part that each field of an edit belongs to. Fields of one part are changed and left together. */
export const partOfField: Record<keyof ShiftEdit, ShiftPart> = {
  ...mapTexts((name) => optionalTexts[name].part),
  title: 'title',
  category: 'category',
  requirements: 'requirements',
  skills: 'skills',
  description: 'description',
  payMinor: 'pay',
  headCount: 'head-count',
  startsAt: 'hours',
  endsAt: 'hours',
  breakMinutes: 'hours',
  breakPaid: 'hours',
  dueOn: 'hours',
  relation: 'relation',
  branchId: 'place',
  place: 'place',
  cvRequired: 'cv',
  instantHire: 'instant-hire',
  questions: 'questions',
  photoIds: 'photos',
};

/** The parts of a shift that an edit changes. Each part is compared and copied as a whole. */
export const partsOf = (edit: ShiftEdit): ShiftPart[] =>
  shiftParts.filter((part) =>
    Object.entries(edit).some(
      ([field, value]) => value !== undefined && partOfField[field as keyof ShiftEdit] === part,
    ),
  );

/** Parts that an offer or a hire agrees on, apart from pay. */
export const isAgreed = (part: ShiftPart): boolean =>
  part === 'hours' || part === 'place' || part === 'relation';

type EditedShift = {
  /** True if its open offers can be made again on changed terms. */
  renewable: boolean;
  changedAlone: readonly ShiftPart[];
  hired: number;
  offered: number;
  payMinor: number | null;
};

/**
 * Divides an edit of one shift for another of its series: the parts to change there, the exceptions that it
 * has because they were changed alone, the promises that the people on it rely on, and whether booked workers
 * are asked about the change (ADR 389).
 */
export function divideEdit(
  edit: ShiftEdit,
  { renewable, changedAlone, hired, offered, payMinor }: EditedShift,
): { parts: ShiftPart[]; exceptions: ShiftPart[]; promises: ShiftPart[]; asks: boolean } {
  const isPromised = (part: ShiftPart) =>
    part === 'head-count'
      ? (edit.headCount ?? 0) < hired + offered
      : isAgreed(part) && ((offered > 0 && !renewable) || (hired > 0 && part === 'relation'));
  const exceptions = partsOf(edit).filter((part) => changedAlone.includes(part));
  const shared = partsOf(edit).filter((part) => !exceptions.includes(part));
  const promises = shared.filter(isPromised);
  const parts = shared.filter((part) => !promises.includes(part));
  const isLowerPay = edit.payMinor !== undefined && (edit.payMinor ?? 0) < (payMinor ?? 0);
  const asks = hired > 0 && parts.some((part) => isAgreed(part) || (part === 'pay' && isLowerPay));
  return { parts, exceptions, promises, asks };
}

type LocalStart = { startsAt: Date; timeZone: string };

/**
 * The hours of a shift after an edit of another one of its series: moved by as many days, at the same local times.
 * @param timeZone the shift's zone after the edit
 */
export function movedHours(
  shift: LocalStart,
  { before, after }: { before: LocalStart; after: LocalStart & { endsAt: Date } },
  timeZone = shift.timeZone,
): { startsAt: Date; endsAt: Date } {
  const dayMsOf = ({ startsAt, timeZone: zone }: LocalStart) => Date.parse(dayIn(zone, startsAt));
  const startDayMs = dayMsOf(shift) + dayMsOf(after) - dayMsOf(before);
  const nightMs = dayMsOf({ ...after, startsAt: after.endsAt }) - dayMsOf(after);
  const instantOn = (dayMs: number, at: Date) =>
    new Date(instantOf(timeZone, new Date(dayMs).toISOString().slice(0, 10), minuteIn(after.timeZone, at)));
  return {
    startsAt: instantOn(startDayMs, after.startsAt),
    endsAt: instantOn(startDayMs + nightMs, after.endsAt),
  };
}
