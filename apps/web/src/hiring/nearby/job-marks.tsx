import { useLingui } from '@lingui/react/macro';
import { dayMs } from '@nearhand/contract/durations';
import type { JobCard } from '@nearhand/contract/hiring/jobs';
import { limits } from '@nearhand/contract/limits';
import { Badge } from '../../ui/badge.tsx';
import { useMyApplications } from '../applications/applications.api.ts';
import { useCalendar } from '../calendar/calendar.api.ts';

/** Starts at midnight UTC, so that all cards of a day share one request. */
function range(now = Date.now()): { from: string; to: string } {
  const from = Math.floor(now / dayMs) * dayMs;
  return {
    from: new Date(from).toISOString(),
    to: new Date(from + (limits.calendarRangeDays - 1) * dayMs).toISOString(),
  };
}

/** The worker's relation to a listed job: an application, the job itself, or other work at that time. */
export default function JobMarks({ job }: { job: Pick<JobCard, 'id' | 'startsAt' | 'endsAt'> }) {
  const { t } = useLingui();
  const applications = useMyApplications('live').data?.pages.flatMap(({ items }) => items) ?? [];
  const events = useCalendar(range()).data ?? [];
  const status = applications.find((application) => application.job.id === job.id)?.status;
  if (status === 'hired') return <Badge tone="good" icon="check">{t`You're hired`}</Badge>;
  const { startsAt, endsAt } = job;
  const clash =
    startsAt !== null &&
    endsAt !== null &&
    events.some(
      (event) =>
        event.kind === 'engagement' &&
        Date.parse(event.startsAt) < Date.parse(endsAt) &&
        Date.parse(event.endsAt) > Date.parse(startsAt),
    );
  return (
    <>
      {status === 'offered' ? <Badge tone="good" icon="hand-coins">{t`Offer`}</Badge> : null}
      {status && status !== 'offered' ? <Badge tone="here" icon="check">{t`Applied`}</Badge> : null}
      {clash ? <Badge tone="wait" icon="calendar-x">{t`You're booked then`}</Badge> : null}
    </>
  );
}
