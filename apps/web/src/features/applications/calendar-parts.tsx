import { lazyPart } from '../../lib/load-part.ts';

/** The worker's calendar and the warning about times that do not fit belong to slice `calendar`; they load when they are first shown. */
export const CalendarPart = lazyPart(async () => ({
  default: (await import('../calendar/calendar.part.tsx')).CalendarPart,
}));
export const ConflictsPart = lazyPart(async () => ({
  default: (await import('../calendar/conflicts.part.tsx')).ConflictsPart,
}));
