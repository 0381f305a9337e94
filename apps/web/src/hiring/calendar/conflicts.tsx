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

export function clashText(
  { kind, title, startsAt, endsAt, week }: Conflict,
  zone: string,
  now: Date,
): string {
  const at = formatDate(startsAt, zone, now);
  switch (kind) {
    case 'engagement':
      return t`Clashes with ${title ?? ''}, ${at}`;
    case 'interview':
      return t`Clashes with your interview for ${title ?? ''}, ${at}`;
    case 'offer':
      return t`Clashes with your offer for ${title ?? ''}, ${at}`;
    case 'availability': {
      const hours = formatDateSpan(startsAt, endsAt, zone, now);
      return t`Outside your usual hours: ${hours}`;
    }
    case 'week': {
      const monday = formatDay(startsAt, zone, { now });
      const hours = formatMinutes(week?.minutes ?? 0);
      const max = formatMinutes((week?.hoursMax ?? 0) * 60);
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
        <li key={`${item.kind} ${item.id} ${item.startsAt}`}>
          <Icon name={icons[item.kind]} />
          <span>
            {item.kind === 'week' ? (
              clashText(item, zone, now)
            ) : (
              <>
                <ConflictTitle kind={item.kind} title={item.title} />{' '}
                <span className="num">{formatDateSpan(item.startsAt, item.endsAt, zone, now)}</span>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ConflictTitle({ kind, title }: { kind: Exclude<Conflict['kind'], 'week'>; title: string | null }) {
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
