import { Plural, useLingui } from '@lingui/react/macro';
import { interviewPath } from '@nearhand/contract/app-paths';
import { dayIn } from '@nearhand/contract/durations';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import type { MouseEvent, ReactNode } from 'react';
import { dotted, formatCalendarDay, formatDayTime, formatLeft, formatTime } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useClashes } from './clashes.ts';
import {
  inOwnZone,
  interviewPartnerName,
  interviewStandingText,
  isAsked,
  isLiveInterview,
  modeIcons,
  modeText,
  sortTime,
} from './interview.labels.ts';

type RowProps = {
  interview: Interview;
  now: Date;
  selected?: boolean;
  onSelect?: () => void;
  withDay?: boolean;
  end?: ReactNode;
};

export function InterviewRow({ interview, now, selected = false, onSelect, withDay = false, end }: RowProps) {
  const { t } = useLingui();
  const { label, tone } = interviewStandingText(interview, now);
  const zone = interview.zones.business;
  const time = (at: string, place: string) =>
    withDay ? formatDayTime(at, place, now) : formatTime(at, place);
  const timeLeft = interview.answerBy && isAsked(interview) ? formatLeft(interview.answerBy, now) : null;
  const ownTime = interview.startsAt ? inOwnZone(interview.startsAt, zone, now) : null;
  const count = interview.slots.length;
  const timeText = () => {
    if (interview.startsAt && interview.status !== 'proposed')
      return dotted(time(interview.startsAt, zone), ownTime && t`${ownTime} your time`);
    if (count > 1) return t`${count} times proposed`;
    return count === 1 ? time(interview.slots[0]?.startsAt ?? '', zone) : modeText(interview.mode);
  };
  const clashOf = useClashes({ ...interview, businessId: interview.business.id }, now);
  const times =
    interview.status === 'scheduled'
      ? [interview.startsAt ?? '']
      : interview.slots.map((slot) => slot.startsAt);
  const clashes = isLiveInterview(interview.status) ? times.flatMap((at) => clashOf(at) ?? []) : [];
  const clashing = clashes.length;
  const open = (event: MouseEvent) => {
    if (!onSelect || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    onSelect();
  };
  return (
    <article className={selected ? 'interview-row sel' : 'interview-row'}>
      <IconSign icon={modeIcons[interview.mode]} round />
      <div className="grow">
        <p className="sm strong num">{timeText()}</p>
        <h3 className="mid">
          <Link
            to={interviewPath(interview.id)}
            className="cover"
            aria-current={selected ? 'true' : undefined}
            onClick={open}
          >
            {interviewPartnerName(interview)}
          </Link>
        </h3>
        <p className="sm mute">{dotted(interview.jobTitle, modeText(interview.mode))}</p>
        <p className="row wrap g2 mt1">
          <Badge tone={tone}>{label}</Badge>
          {timeLeft ? <Badge tone="wait">{timeLeft}</Badge> : null}
        </p>
        {clashes[0] ? (
          <p className="sm mute mt1">
            {times.length === 1 ? (
              clashes[0].text
            ) : (
              <Plural
                value={clashing}
                one="# of these times clashes with your calendar"
                other="# of these times clash with your calendar"
              />
            )}
          </p>
        ) : null}
      </div>
      {end}
    </article>
  );
}

export type DayOfInterviews = { day: string; title: string; items: Interview[] };

export function interviewDays(items: readonly Interview[]): DayOfInterviews[] {
  const days: DayOfInterviews[] = [];
  for (const item of items) {
    const day = dayIn(item.zones.business, sortTime(item));
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, title: formatCalendarDay(day, { style: 'long' }), items: [item] });
  }
  return days;
}
