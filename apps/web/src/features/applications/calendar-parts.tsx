import { type ComponentType, lazy } from 'react';

/** The worker's calendar and the warning about times that do not fit belong to slice `calendar`; they load when they are first shown. */
type Calendar = { CalendarPart: ComponentType };
type Conflicts = { ConflictsPart: ComponentType<{ jobId: string }> };

const [calendar] = Object.values(import.meta.glob<Calendar>('../calendar/calendar.part.tsx'));
const [conflicts] = Object.values(import.meta.glob<Conflicts>('../calendar/conflicts.part.tsx'));

export const CalendarPart = calendar
  ? lazy(async () => ({ default: (await calendar()).CalendarPart }))
  : null;
export const ConflictsPart = conflicts
  ? lazy(async () => ({ default: (await conflicts()).ConflictsPart }))
  : null;
