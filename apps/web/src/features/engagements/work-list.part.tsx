import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/engagements';
import type { MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import { formatMoney, joined } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Sign } from '../../ui/sign.tsx';
import { ClockPart, useAsRecorded } from '../attendance/clock.part.tsx';
import { ConfirmToday } from './confirm-come.tsx';
import {
  asksToConfirm,
  headline,
  isToday,
  nextLeft,
  todayTitle,
  waitsForWorker,
  workStatusWords,
  workWhen,
  workWords,
} from './engagement-words.ts';
import './engagements.css';

/** Whether some of it waits for the worker. */
export const anyToAnswer = (items: readonly EngagementCard[], now = new Date()): boolean =>
  items.some((work) => waits(work, now));

/** What leads the screen asks there whether one comes. */
const waits = (work: EngagementCard, now: Date): boolean =>
  waitsForWorker(work) || (asksToConfirm(work) && !isToday(work, now));

/** What stands beside the list at first: what is on now, or else the next. */
export const leadingWork = (items: readonly EngagementCard[], now = new Date()): EngagementCard | undefined =>
  items.find((work) => isToday(work, now)) ?? items.find(({ terms }) => terms.startsAt !== null) ?? items[0];

const workPath = (id: string): string => `/tabs/menu/my-work/engagement/${id}`;

/** What is on now or next within a day, with checking in at hand (look 09); nothing when nothing is. */
export function TodayCards({
  items,
  beside = null,
}: {
  items: readonly EngagementCard[];
  /** Which of it stands whole beside the list: its action is there, once. */
  beside?: string | null;
}) {
  const { t } = useLingui();
  const now = useNow(15_000);
  const today = items.filter((work) => isToday(work, now)).slice(0, 3);
  if (today.length === 0) return null;
  return (
    <section className="my-work-part">
      <h2 className="h-m">{todayTitle(today, now)}</h2>
      <div className="col mt3">
        {today.map((work, index) => (
          <Card key={work.id} as="article" roomy>
            <div className="row top today-card">
              <div className="grow">
                <h3 className="h-l">
                  <Headline work={work} now={now} />
                </h3>
                <p className="mute">{work.terms.title}</p>
                <p className="mute">{workWhen(work.terms, now)}</p>
                <p className="sm mute">{joined(work.business.name, work.terms.place.address)}</p>
              </div>
              <Sign category={work.terms.category} />
            </div>
            {work.id === beside ? null : (
              <div className="col mt4">
                <ClockPart work={work} now={now} />
                <ConfirmToday
                  work={work}
                  kind={work.actions.includes('check-in') ? 'out' : index === 0 ? 'go' : 'ink'}
                />
                <ButtonLink kind="out" full to={workPath(work.id)}>
                  {t`Open this work`}
                </ButtonLink>
              </div>
            )}
          </Card>
        ))}
      </div>
    </section>
  );
}

/** With what waits on the device: a check-in without a network counts in words at once. */
const Headline = ({ work, now }: { work: EngagementCard; now: Date }) => headline(useAsRecorded(work), now);

/** Work that waits for an answer of the worker: whether they come, hours to send, other hours proposed, changes asked, a no-show to contest. */
export function WorkToAnswer({ items }: { items: readonly EngagementCard[] }) {
  const { t } = useLingui();
  const now = useNow();
  const waiting = items.filter((work) => waits(work, now));
  if (waiting.length === 0) return null;
  return (
    <>
      {waiting.map((work) => (
        <Card key={work.id} flush as="article">
          <ListRow
            to={workPath(work.id)}
            lead={<Icon name={work.status === 'counter_proposed' ? 'coins' : 'timer'} />}
            title={asksToConfirm(work) ? t`Say that you come` : workStatusWords(work.status).title}
            note={joined(work.terms.title, work.business.name)}
            end={
              <Badge tone="wait">
                {(asksToConfirm(work) ? null : nextLeft(work, now)) ?? t`Waits for you`}
              </Badge>
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
  /** On a desktop the detail opens beside the list. */
  onSelect: (() => void) | null;
};

/** What becomes of the figure: set aside while the work is ahead or goes on; once it is over its status says the rest. */
function moneyNote({ status, funding }: EngagementCard): string {
  if (status === 'completed' || status === 'approved') return t`for this work`;
  if (status === 'cancelled_by_worker' || status === 'cancelled_by_merchant') return t`was agreed`;
  if (funding === 'funded') return t`set aside for you`;
  if (funding === 'partly_funded') return t`partly set aside`;
  return funding === 'frozen' ? t`frozen for now` : t`not funded`;
}

/** One piece of booked work in a list: what it pays first, then what, who, when and where it stands. */
export function WorkCard({ work, selected, onSelect }: WorkCardProps) {
  const { terms } = work;
  const words = workWords(useAsRecorded(work));
  const open = (event: MouseEvent) => {
    if (!onSelect || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    onSelect();
  };
  // Once hours stand, what they bring is told; before, what was agreed. The fee of the worker is none today and is in the terms.
  const figure = work.amountMinor === terms.payTotalMinor ? terms.workerGetsMinor : work.amountMinor;
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
        <Sign category={terms.category} />
      </div>
      <div className="foot">
        <div className="where">
          <span>{workWhen(terms) ?? <Trans>When you like</Trans>}</span>
          <span>{terms.place.area}</span>
        </div>
      </div>
    </article>
  );
}
