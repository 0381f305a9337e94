import { useLingui } from '@lingui/react/macro';
import type { ShownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { Badge } from '../../ui/badge.tsx';
import { useMyApplications } from '../applications/applications.api.ts';
import { useBookedWork } from '../calendar/calendar.api.ts';

/** The worker's relation to a listed job: an application, the job itself, or other work at that time. */
export default function JobMarks({
  job,
}: {
  job: Pick<ShownJob, 'id' | 'startsAt' | 'endsAt' | 'matchesSkills'>;
}) {
  const { t } = useLingui();
  const applications = useMyApplications('live').data?.pages.flatMap(({ items }) => items) ?? [];
  const bookedWork = useBookedWork();
  const application = applications.find((entry) => entry.job.id === job.id);
  const status = application?.status;
  if (application?.workEnding === 'cancelled') return <Badge icon="calendar-x">{t`Booking cancelled`}</Badge>;
  if (status === 'hired') return <Badge tone="good" icon="check">{t`You're hired`}</Badge>;
  return (
    <>
      {status === 'offered' ? <Badge tone="good" icon="hand-coins">{t`Offer`}</Badge> : null}
      {status && status !== 'offered' ? <Badge tone="here" icon="check">{t`Applied`}</Badge> : null}
      {job.matchesSkills ? <Badge icon="sparkle">{t`Matches your skills`}</Badge> : null}
      {bookedWork(job) ? <Badge tone="wait" icon="calendar-x">{t`You're booked then`}</Badge> : null}
    </>
  );
}
