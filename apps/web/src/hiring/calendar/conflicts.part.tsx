import { Trans, useLingui } from '@lingui/react/macro';
import type { Conflict } from '@nearhand/contract/hiring/calendar';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatSpan, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import type { IconName } from '../../ui/art/icon-names.ts';
import { Banner } from '../../ui/banner.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import { useConflicts } from './calendar.api.ts';
import './calendar.css';

const icons: Record<Conflict['kind'], IconName> = {
  engagement: 'briefcase',
  interview: 'video-camera',
  offer: 'envelope-simple',
  availability: 'calendar-x',
};

/**
 * Conflicts of a job's hours with the worker's calendar, shown before they apply: booked work prevents a hire, the rest is information.
 * Empty without conflicts, or if unknown.
 */
export function ConflictsPart({ jobId }: { jobId: string }) {
  const { data } = useConflicts(jobId);
  const job = useJob(jobId);
  const now = useNow();
  const zone = job.data?.timeZone ?? ownTimeZone();
  if (!data || data.length === 0) return null;
  const booked = data.filter(({ kind }) => kind === 'engagement');
  const others = data.filter(({ kind }) => kind !== 'engagement');
  return (
    <div className="col">
      {booked.length > 0 ? (
        <Banner tone="bad" icon="calendar-x">
          {job.data?.instantHire ? null : (
            <p className="strong">
              <Trans>You're already booked at this time.</Trans>
            </p>
          )}
          <Standing items={booked} zone={zone} now={now} />
          <p>
            {job.data?.instantHire ? (
              <Trans>
                You're already booked at this time, so this job can't hire you. Cancel the other one first.
              </Trans>
            ) : (
              <Trans>You can apply, but you can't be hired for both. Cancel the other one first.</Trans>
            )}
          </p>
        </Banner>
      ) : null}
      {others.length > 0 ? (
        <Banner tone="wait" icon="calendar-blank">
          <p className="strong">
            <Trans>Check your calendar</Trans>
          </p>
          <Standing items={others} zone={zone} now={now} />
        </Banner>
      ) : null}
    </div>
  );
}

function Standing({ items, zone, now }: { items: readonly Conflict[]; zone: string; now: Date }) {
  return (
    <ul className="conflict-list">
      {items.map((one) => (
        <li key={`${one.kind} ${one.id} ${one.startsAt}`}>
          <Icon name={icons[one.kind]} />
          <span>
            <Kind kind={one.kind} title={one.title} />{' '}
            <span className="num">{formatSpan(one.startsAt, one.endsAt, zone, now)}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Kind({ kind, title }: Pick<Conflict, 'kind' | 'title'>) {
  const { t } = useLingui();
  switch (kind) {
    case 'engagement':
      return <span className="mid">{t`${title ?? ''}:`}</span>;
    case 'interview':
      return <span className="mid">{t`Interview for ${title ?? ''}:`}</span>;
    case 'offer':
      return <span className="mid">{t`Offer for ${title ?? ''}:`}</span>;
    case 'availability':
      return <span className="mid">{t`Outside your usual availability:`}</span>;
  }
}
