import { addMs, dayMs } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus } from 'ical-generator';

export type IcsEvent = {
  /** A stable id, so that a newer file replaces the event of an older one. */
  uid: string;
  sequence: number;
  /** The record's last change, so that an unchanged record gives the same file. */
  stamp: Date;
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  summary: string;
  where: string;
  note: string;
  url: string;
  startsAt: Date;
  endsAt: Date;
  day: string | null;
};

/** A calendar file (RFC 5545) with times in UTC and an alarm an hour before. */
export function icsText(
  events: readonly IcsEvent[],
  refreshMinutes: number | null = null,
  language: Language = 'en',
): string {
  const calendar = ical({
    name: 'Nearhand',
    prodId: { company: 'Nearhand', product: 'Calendar', language: language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
  });
  if (refreshMinutes !== null) calendar.ttl(refreshMinutes * 60);
  for (const event of events) {
    const midnight = event.day === null ? null : new Date(`${event.day}T00:00:00Z`);
    const calendarEvent = calendar.createEvent({
      id: event.uid,
      sequence: event.sequence,
      stamp: event.stamp,
      lastModified: event.stamp,
      status: ICalEventStatus[event.status],
      start: midnight ?? event.startsAt,
      end: midnight ? addMs(midnight, dayMs) : event.endsAt,
      allDay: midnight !== null,
      summary: event.summary,
      location: event.where || undefined,
      description: event.note || undefined,
      url: event.url,
    });
    if (event.status === 'CONFIRMED' && midnight === null)
      calendarEvent.createAlarm({ type: ICalAlarmType.display, trigger: 3_600, description: event.summary });
  }
  return calendar.toString();
}
