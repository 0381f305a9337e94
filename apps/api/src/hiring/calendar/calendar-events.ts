import { engagementPath, interviewPath } from '@nearhand/contract/app-paths';
import { minuteMs } from '@nearhand/contract/durations';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import type { Language } from '@nearhand/contract/languages';
import type { Terms } from '@nearhand/contract/work/terms';
import { phraseIn, say } from '../../platform/mail/mail-layout.ts';
import type { IcsEvent } from './ics.rules.ts';

/** The place of booked work in one line. */
export const placeText = ({ place }: Pick<Terms, 'place'>): string =>
  [place.address, place.area].filter(Boolean).join(', ');

type InterviewTime = {
  id: string;
  version: number;
  status: string;
  side: 'worker' | 'business';
  jobTitle: string;
  businessName: string;
  workerName: string;
  where: string;
  message: string;
  startsAt: Date;
  endsAt: Date;
  stamp: Date;
};

/** An interview as a calendar event; a proposed time is its own event, removed when another is picked. */
export function interviewEvent(time: InterviewTime, publicUrl: string, language: Language = 'en'): IcsEvent {
  const proposed = time.status === 'proposed';
  const open = proposed || time.status === 'reschedule_requested';
  const gone = time.status === 'cancelled' || time.status === 'lapsed';
  return {
    uid: `interview-${time.id}${proposed ? `-${time.startsAt.getTime() / minuteMs}` : ''}@nearhand`,
    sequence: time.version,
    stamp: time.stamp,
    status: gone ? 'CANCELLED' : open ? 'TENTATIVE' : 'CONFIRMED',
    summary: phraseIn(
      language,
      say('Interview: {name}, {job}', {
        name: time.side === 'worker' ? time.businessName : time.workerName,
        job: time.jobTitle,
      }),
    ),
    where: time.where,
    note: time.message,
    url: publicUrl + interviewPath(time.id),
    startsAt: time.startsAt,
    endsAt: time.endsAt,
    day: null,
  };
}

type Work = {
  id: string;
  version: number;
  status: string;
  side: 'worker' | 'business';
  businessName: string;
  workerName: string;
  terms: Terms;
  stamp: Date;
};

/** Booked work as a calendar event; null for a task without a due date. */
export function workEvent(work: Work, publicUrl: string): IcsEvent | null {
  const { title, startsAt, endsAt, dueOn } = work.terms;
  const hours = startsAt !== null && endsAt !== null;
  if (!hours && dueOn === null) return null;
  const gone = ['cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported'].includes(work.status);
  return {
    uid: `engagement-${work.id}@nearhand`,
    sequence: work.version,
    stamp: work.stamp,
    status: gone ? 'CANCELLED' : 'CONFIRMED',
    summary: `${title}, ${work.side === 'worker' ? work.businessName : work.workerName}`,
    where: placeText(work.terms),
    note: '',
    url: publicUrl + engagementPath(work.id, work.side),
    startsAt: new Date(startsAt ?? 0),
    endsAt: new Date(endsAt ?? 0),
    day: hours ? null : dueOn,
  };
}

/** Soonest first; ties by kind and id. */
export const inOrder = (events: readonly CalendarEvent[]): CalendarEvent[] =>
  [...events].sort(
    (a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt) || (a.kind + a.id < b.kind + b.id ? -1 : 1),
  );
