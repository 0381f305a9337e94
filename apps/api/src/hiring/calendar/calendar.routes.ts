import { calendar } from '@nearhand/contract/hiring/calendar';
import { read, write } from '../../platform/http/bind.ts';
import { jobConflicts, myCalendar } from './calendar.ts';
import { calendarFeed, newCalendarFeed, stopCalendarFeed } from './calendar-feeds.ts';

export const calendarRoutes = {
  mine: read(calendar.mine, myCalendar),
  conflicts: read(calendar.conflicts, jobConflicts),
  feed: read(calendar.feed, calendarFeed),
  newFeed: write(calendar.newFeed, newCalendarFeed, { stored: false }),
  stopFeed: write(calendar.stopFeed, stopCalendarFeed),
};
