import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { CalendarEvent } from '@nearhand/contract/hiring/calendar';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { formatDateSpan } from '../../lib/words/format.ts';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { useCalendar } from '../calendar/calendar.api.ts';
import { isWholeDay } from '../calendar/calendar.rules.ts';
import { interviewPartnerName, isLiveInterview } from './interview.labels.ts';
import { flattenInterviews, useInterviews } from './interviews.api.ts';

/** The reader's commitments at the time of a slot. `isFirm` marks booked work and scheduled interviews. */
export type Clash = { text: string; span: string; isFirm: boolean };
export type ClashOf = (startsAt: string) => Clash | null;

const isFirm = ({ kind, status }: CalendarEvent): boolean =>
  kind === 'engagement' ||
  (kind === 'interview' && (status === 'scheduled' || status === 'reschedule_requested'));

/**
 * Finds the worker's commitments at the times of an interview, or the business's other interviews, soonest first
 * and as many as one page of them has.
 */
export function useClashes(
  {
    id,
    side,
    status,
    minutes,
    businessId,
  }: Pick<Interview, 'side' | 'status' | 'minutes'> & { id: string | null; businessId: string },
  now: Date,
): ClashOf {
  const { t } = useLingui();
  // One range for every interview of a day, so that lists share one request.
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const { data = [] } = useCalendar(
    side === 'worker' && isLiveInterview(status)
      ? {
          from: new Date(today).toISOString(),
          to: new Date(today + (hiringLimits.interviewAheadDays + 2) * dayMs).toISOString(),
        }
      : null,
  );
  const upcoming = useInterviews(
    side === 'business' && isLiveInterview(status) ? { businessId } : null,
    'upcoming',
  );
  const arranged = flattenInterviews(upcoming.data).filter((interview) => interview.status !== 'proposed');
  return (startsAt) => {
    const start = Date.parse(startsAt);
    const overlaps = (from: string, to: string) =>
      Date.parse(from) < start + minutes * minuteMs && Date.parse(to) > start;
    const clash = arranged.find(
      (interview) =>
        interview.id !== id &&
        interview.startsAt !== null &&
        interview.endsAt !== null &&
        overlaps(interview.startsAt, interview.endsAt),
    );
    if (clash?.startsAt && clash.endsAt) {
      const name = interviewPartnerName(clash);
      return {
        text: t`You have another interview then: ${name}`,
        span: formatDateSpan(clash.startsAt, clash.endsAt, clash.zones.business, now),
        isFirm: true,
      };
    }
    const clashing = data.filter(
      (event) => event.id !== id && !isWholeDay(event) && overlaps(event.startsAt, event.endsAt),
    );
    const event = clashing.find(isFirm) ?? clashing[0];
    if (!event) return null;
    const { title, timeZone } = event;
    return {
      text: event.kind === 'engagement' ? t`You're booked then: ${title}` : t`Same time as: ${title}`,
      span: formatDateSpan(event.startsAt, event.endsAt, timeZone, now),
      isFirm: isFirm(event),
    };
  };
}

/** Asks before someone picks a time at which they have something firm. Resolves to their choice. */
export async function takesDespite(clash: Clash | null): Promise<boolean> {
  if (!clash?.isFirm) return true;
  const { text, span } = clash;
  const answer = await showAlert({
    title: t`Choose this time anyway?`,
    message: t`${text}, ${span}.`,
    buttons: [
      { value: 'yes', label: t`Choose it anyway` },
      { value: 'no', label: t`Choose another time` },
    ],
  });
  return answer === 'yes';
}
