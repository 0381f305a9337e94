import { t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Conflict } from '@nearhand/contract/hiring/calendar';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, formatDateSpan, formatDay, formatMinutes, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import type { IconName } from '../../ui/art/icon-names.ts';
import { Banner } from '../../ui/banner.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import { isHard, useConflicts } from './calendar.api.ts';
import './calendar.css';

const icons: Record<Conflict['kind'], IconName> = {
  engagement: 'briefcase',
  interview: 'video-camera',
  offer: 'envelope-simple',
  availability: 'calendar-x',
  week: 'timer',
};

export function clashText(conflict: Conflict, zone: string, now: Date): string {
  const { startsAt, endsAt } = conflict;
  const at = formatDate(startsAt, zone, now);
  switch (conflict.kind) {
    case 'engagement':
      return t`Clashes with ${conflict.title}, ${at}`;
    case 'interview':
      return t`Clashes with your interview for ${conflict.title}, ${at}`;
    case 'offer':
      return t`Clashes with your offer for ${conflict.title}, ${at}`;
    case 'availability': {
      const hours = formatDateSpan(startsAt, endsAt, zone, now);
      return t`Outside your usual hours: ${hours}`;
    }
    case 'week': {
      const monday = formatDay(startsAt, zone, { now });
      const hours = formatMinutes(conflict.minutes);
      const max = formatMinutes(conflict.hoursMax * 60);
      return t`The week of ${monday} would be ${hours}. You want ${max} at most.`;
    }
  }
}

/** Warns before an offer is accepted whose dates would be more hours than the worker wants in a week (ADR 409). */
export function WeekWarning({ jobId, zone }: { jobId: string; zone: string }) {
  const now = useNow();
  const { data = [] } = useConflicts(jobId);
  const weeks = data.filter(({ kind }) => kind === 'week');
  return weeks.length > 0 ? (
    <Banner tone="wait" icon="timer">
      {weeks.map((conflict) => (
        <p key={conflict.startsAt}>{clashText(conflict, zone, now)}</p>
      ))}
    </Banner>
  ) : null;
}

export function ConflictsPart({ jobId }: { jobId: string }) {
  const { data } = useConflicts(jobId);
  const job = useJob(jobId);
  const now = useNow();
  const zone = job.data?.timeZone ?? ownTimeZone();
  if (!data || data.length === 0) return null;
  const items = [...data].sort((a, b) => Number(isHard(b)) - Number(isHard(a)));
  const [first] = items;
  if (!first) return null;
  const otherCount = items.length - 1;
  const hard = isHard(first);
  return (
    <Banner tone={hard ? 'bad' : 'wait'} icon={hard ? 'calendar-x' : 'calendar-blank'}>
      <details className="clash">
        <summary>
          {clashText(first, zone, now)}
          {otherCount > 0 ? (
            <>
              {' ('}
              <Plural value={otherCount} one="and # more" other="and # more" />)
            </>
          ) : null}
        </summary>
        <ConflictList items={items} zone={zone} now={now} />
        <p>
          {hard ? (
            <Trans>You can't be in two places at once. Cancel the other one before you apply.</Trans>
          ) : (
            <Trans>You can still apply. Check your calendar first.</Trans>
          )}
        </p>
      </details>
    </Banner>
  );
}

function ConflictList({ items, zone, now }: { items: readonly Conflict[]; zone: string; now: Date }) {
  return (
    <ul className="conflict-list">
      {items.map((item) => (
        <li key={`${item.kind} ${'id' in item ? item.id : ''} ${item.startsAt}`}>
          <Icon name={icons[item.kind]} />
          <span>
            {item.kind === 'week' ? (
              clashText(item, zone, now)
            ) : (
              <>
                <ConflictTitle conflict={item} />{' '}
                <span className="num">{formatDateSpan(item.startsAt, item.endsAt, zone, now)}</span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ConflictTitle({ conflict }: { conflict: Exclude<Conflict, { kind: 'week' }> }) {
  const { t } = useLingui();
  switch (conflict.kind) {
    case 'engagement':
      return <span className="mid">{t`${conflict.title}:`}</span>;
    case 'interview':
      return <span className="mid">{t`Interview for ${conflict.title}:`}</span>;
    case 'offer':
      return <span className="mid">{t`Offer for ${conflict.title}:`}</span>;
    case 'availability':
      return <span className="mid">{t`Outside your usual availability:`}</span>;
  }
}
