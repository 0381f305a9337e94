import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { cancelledEngagementStatuses, isSettled } from '@nearhand/contract/engagement-statuses';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import type { MouseEvent } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { dotted, formatMoney, formatTime, joined } from '../../lib/words/format.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { ClockPart, useAsRecorded } from '../attendance/clock.tsx';
import { workerShare } from '../timesheets/hours.rules.ts';
import { ConfirmToday } from './confirm-shift.tsx';
import {
  asksToConfirm,
  confirmByText,
  isToday,
  nextLeft,
  startsTomorrow,
  todayTitle,
  waitsForWorker,
  workHeadline,
  workStatusText,
  workText,
  workWhen,
} from './engagement.labels.ts';
import './engagements.css';

export const anyAwaitingAnswer = (items: readonly EngagementCard[], now: Date): boolean =>
  items.some((work) => needsReply(work, now));

/** Today's work asks for confirmation on its own card, so it is left out here. */
const needsReply = (work: EngagementCard, now: Date): boolean =>
  waitsForWorker(work) || (asksToConfirm(work) && !isToday(work, now));

/** The work to select first: today's, or the next with a start time. */
export const leadingWork = (items: readonly EngagementCard[], now: Date): EngagementCard | undefined =>
  items.find((work) => isToday(work, now)) ?? items.find(({ terms }) => terms.startsAt !== null) ?? items[0];

const workPath = (id: string): string => `/tabs/menu/my-work/engagement/${id}`;

/** Work that is on now or within a day. It has its own cards, so lists leave it out. */
export const todaysWork = (items: readonly EngagementCard[], now: Date): EngagementCard[] =>
  items.filter((work) => isToday(work, now)).slice(0, 3);

export function TodayCards({
  items,
  now,
  beside = null,
}: {
  items: readonly EngagementCard[];
  /** The time by which the other lists exclude this work, so that each job appears in exactly one list. */
  now: Date;
  /** The id shown in full next to the list, which has the actions. */
  beside?: string | null;
}) {
  const { t } = useLingui();
  const today = todaysWork(items, now);
  if (today.length === 0) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{todayTitle(today, now)}</h2>
      <div className="col mt3">
        {today.map((work, index) => (
          <Card key={work.id} as="article" roomy>
            <div className="row top today-card">
              <div className="grow">
                <TodayHeading work={work} now={now} />
                <p className="mute">{workWhen(work.terms, now)}</p>
                <p className="sm mute">{joined(work.business.name, work.terms.place.address)}</p>
                {work.status === 'checked_in' && work.checkedInAt ? (
                  <p className="sm mute">{t`Checked in at ${formatTime(work.checkedInAt, work.terms.timeZone)}`}</p>
                ) : null}
              </div>
              <BusinessMark src={fileUrl(work.business.logoPath)} category={work.terms.category} />
            </div>
            {work.id === beside ? null : (
              <div className="col mt4">
                <ClockPart work={work} now={now} />
                <ConfirmToday
                  work={work}
                  kind={work.actions.includes('check-in') ? 'out' : index === 0 ? 'go' : 'ink'}
                />
                <ButtonLink kind="out" full to={workPath(work.id)}>
                  {t`Open job`}
                </ButtonLink>
              </div>
            )}
          </Card>
        ))}
      </div>
    </section>
  );
}

/** Applies queued events, so an offline check-in shows at once. Tomorrow's shift leads with its title: its line below has the day. */
function TodayHeading({ work, now }: { work: EngagementCard; now: Date }) {
  const recorded = useAsRecorded(work);
  const { title } = work.terms;
  if (startsTomorrow(recorded, now)) return <h3 className="h-l break">{title}</h3>;
  return (
    <>
      <h3 className="h-l">{workHeadline(recorded, now)}</h3>
      <p className="mute">{title}</p>
    </>
  );
}

export function WorkToAnswer({ items, now }: { items: readonly EngagementCard[]; now: Date }) {
  const { t } = useLingui();
  const waiting = items.filter((work) => needsReply(work, now));
  if (waiting.length === 0) return null;
  return (
    <>
      {waiting.map((work) => (
        <Card key={work.id} flush as="article">
          <ListRow
            to={workPath(work.id)}
            lead={<Icon name={work.status === 'counter_proposed' ? 'coins' : 'timer'} />}
            title={asksToConfirm(work) ? t`Confirm you'll be there` : workStatusText(work.status).title}
            note={
              <>
                {joined(work.terms.title, work.business.name)}
                <span className="block">{dotted(workWhen(work.terms, now), work.terms.place.area)}</span>
                {work.next?.kind === 'confirm-by' ? (
                  <span className="block">{confirmByText(work.next.at, work.terms.timeZone, now)}</span>
                ) : null}
                {/* Next to the text, it would leave a phone half of the line. */}
                <span className="block mt1">
                  <Badge tone="wait">
                    {(asksToConfirm(work) ? null : nextLeft(work, now)) ?? t`Needs your reply`}
                  </Badge>
                </span>
              </>
            }
          />
        </Card>
      ))}
    </>
  );
}

type WorkCardProps = {
  work: EngagementCard;
  selected: boolean;
  onSelect: (() => void) | null;
};

/** Work that was not done. It pays nothing, or after a late cancellation a compensation. */
const isUndone = ({ status }: Pick<EngagementCard, 'status'>): boolean =>
  status === 'no_show_reported' || cancelledEngagementStatuses.some((cancelled) => cancelled === status);

function moneyNote({ status, funding, amountMinor, terms }: EngagementCard): string {
  if (isSettled(status)) return t`for this job`;
  if (isUndone({ status })) return amountMinor > 0 ? t`as compensation` : t`agreed`;
  // The plan's pay is set aside; hours that differ from it are only submitted, by the worker or by the timer.
  if (amountMinor !== terms.payTotalMinor) return t`for the submitted hours`;
  if (funding === 'funded') return t`secured for you`;
  if (funding === 'planned') return t`set aside later`;
  if (funding === 'partly_funded') return t`partly secured`;
  return funding === 'frozen' ? t`frozen for now` : t`not secured yet`;
}

export function WorkCard({ work, selected, onSelect }: WorkCardProps) {
  const { terms } = work;
  const words = workText(useAsRecorded(work));
  const open = (event: MouseEvent) => {
    if (!onSelect || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    onSelect();
  };
  const { amountMinor } = work;
  const isUnpaid = isUndone(work) && amountMinor === 0;
  // The agreed pay, also of work that ended without any, or the pay for the submitted hours once they differ.
  let figure = terms.workerGetsMinor;
  if (amountMinor !== terms.payTotalMinor && !isUnpaid)
    // No fee is taken from a compensation.
    figure = isUndone(work) ? amountMinor : workerShare(amountMinor, terms);
  return (
    <article className={selected ? 'job sel' : 'job'}>
      <div className="row top">
        <div className="grow">
          <p className="pay">
            <b>{formatMoney(figure, terms.currency)}</b>
            <span>{moneyNote(work)}</span>
          </p>
          <h3 className="job-title">
            <Link
              to={workPath(work.id)}
              className="cover"
              aria-current={selected ? 'true' : undefined}
              onClick={open}
            >
              {terms.title}
            </Link>
          </h3>
          <p className="who">
            {work.business.name}
            <Badge tone={words.tone}>{words.badge}</Badge>
          </p>
        </div>
        <BusinessMark src={fileUrl(work.business.logoPath)} category={terms.category} />
      </div>
      <div className="foot">
        <div className="where">
          <span>{workWhen(terms) ?? <Trans>Any time</Trans>}</span>
          <span>{terms.place.area}</span>
        </div>
      </div>
    </article>
  );
}
