import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import type { Conflict } from '@nearhand/contract/hiring/calendar';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, formatDateSpan, formatDay, formatMinutes, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import type { IconName } from '../../ui/art/icon-names.ts';
import { Banner } from '../../ui/banner.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import { isHard, useConflicts } from './calendar.api.ts';
import './calendar.css';

type ConflictWords = {
  icon: IconName;
  sentence: string;
  /** The list shows it before the time, or the sentence if it is null. */
  title: string | null;
};

export function conflictWords(conflict: Conflict, zone: string, now: Date): ConflictWords {
  const { startsAt, endsAt } = conflict;
  const at = formatDate(startsAt, zone, now);
  switch (conflict.kind) {
    case 'engagement':
      return {
        icon: 'briefcase',
        sentence: t`Clashes with ${conflict.title}, ${at}`,
        title: t`${conflict.title}:`,
      };
    case 'interview':
      return {
        icon: 'video-camera',
        sentence: t`Clashes with your interview for ${conflict.title}, ${at}`,
        title: t`Interview for ${conflict.title}:`,
      };
    case 'offer':
      return {
        icon: 'envelope-simple',
        sentence: t`Clashes with your offer for ${conflict.title}, ${at}`,
        title: t`Offer for ${conflict.title}:`,
      };
    case 'availability': {
      const hours = formatDateSpan(startsAt, endsAt, zone, now);
      return { icon: 'calendar-x', sentence: t`Outside your usual hours: ${hours}`, title: null };
    }
    case 'week': {
      const monday = formatDay(startsAt, zone, { now });
      const hours = formatMinutes(conflict.minutes);
      const max = formatMinutes(conflict.hoursMax * 60);
      return {
        icon: 'timer',
        sentence: t`The week of ${monday} would be ${hours}. You want ${max} at most.`,
        title: null,
      };
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
        <p key={conflict.startsAt}>{conflictWords(conflict, zone, now).sentence}</p>
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
      <details className="conflict">
        <summary>
          {conflictWords(first, zone, now).sentence}
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
      {items.map((item) => {
        const { icon, sentence, title } = conflictWords(item, zone, now);
        return (
          <li key={`${item.kind} ${'id' in item ? item.id : ''} ${item.startsAt}`}>
            <Icon name={icon} />
            {title === null ? (
              <span>{sentence}</span>
            ) : (
              <span>
                <span className="mid">{title}</span>{' '}
                <span className="num">{formatDateSpan(item.startsAt, item.endsAt, zone, now)}</span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
