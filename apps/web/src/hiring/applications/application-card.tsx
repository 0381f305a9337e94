import { t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { workerGetsMinor } from '@nearhand/contract/hiring/pay.rules';
import type { MouseEvent } from 'react';
import { errorMessages } from '../../lib/api/error.labels.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { dotted, formatAgo, formatSum } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useBookedWork } from '../calendar/calendar.api.ts';
import {
  applicationStatusText,
  clockRuns,
  clockText,
  isUndecided,
  payThatCounts,
} from './application.labels.ts';
import type { WaitingApplication } from './outbox.api.ts';

type CardProps = {
  /** Applications for shifts of one series with one status, by start; a single one otherwise. */
  applications: readonly [MyApplication, ...MyApplication[]];
  selected: boolean;
  onSelect: (() => void) | null;
};

const shiftsShown = 5;

export function ApplicationCard({ applications, selected, onSelect }: CardProps) {
  const { t } = useLingui();
  const [application] = applications;
  const { job, status } = application;
  const isSeries = applications.length > 1;
  const pay = isSeries ? seriesPay(applications) : payText(payThatCounts(application));
  const words = applicationStatusText(status);
  const bookedWork = useBookedWork(isUndecided(status));
  const isBooked = isUndecided(status) && applications.some((shift) => bookedWork(shift.job) !== null);
  const clock = clockRuns(status) ? clockText(application) : null;
  const open = (event: MouseEvent) => {
    if (!onSelect || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    onSelect();
  };
  return (
    <article className={selected ? 'job sel' : 'job'}>
      <div className="row top">
        <div className="grow">
          <p className="pay">
            <b>{pay.figure}</b>
            <span>
              {pay.notes.map((note) => (
                <span key={note} className="block">
                  {note}
                </span>
              ))}
            </span>
          </p>
          <h3 className="job-title">
            <Link
              to={`/tabs/menu/my-work/${application.id}`}
              className="cover"
              aria-current={selected ? 'true' : undefined}
              onClick={open}
            >
              {job.title}
            </Link>
          </h3>
          <p className="who">
            {job.business.name}
            <Badge tone={words.tone}>{words.badge}</Badge>
            {isBooked ? <Badge tone="wait" icon="calendar-x">{t`You're booked then`}</Badge> : null}
          </p>
          {isSeries ? <Shifts applications={applications} /> : null}
          {clock && !isSeries ? <p className="sm mute">{dotted(whenText(job), job.place.label)}</p> : null}
        </div>
        <BusinessMark src={fileUrl(job.business.logoPath)} category={job.category} />
      </div>
      <div className="foot">
        {clock ? (
          <div className="row g2 card-clock">
            <ClockRing left={clock.left} size="s">
              {clock.figure}
            </ClockRing>
            <span>{clock.reply}</span>
          </div>
        ) : (
          <div className="where">
            {isSeries ? null : <span>{whenText(job)}</span>}
            {isSeries ? null : <span>{job.place.label}</span>}
          </div>
        )}
      </div>
    </article>
  );
}

function seriesPay(applications: CardProps['applications']): { figure: string; notes: string[] } {
  const countedPay = applications.map(payThatCounts);
  const figure = formatSum(
    countedPay.map((pay) => ({ minor: workerGetsMinor(pay), currency: pay.currency })),
  );
  return { figure, notes: [t`for ${shiftCount(applications.length)}`] };
}

function Shifts({ applications }: Pick<CardProps, 'applications'>) {
  const now = useNow();
  const rest = applications.length - shiftsShown;
  return (
    <div className="sm mute">
      {applications.slice(0, shiftsShown).map(({ id, job }, at) => (
        <p key={id}>{whenText(job, now, at > 0)}</p>
      ))}
      {rest > 0 ? (
        <p>
          <Plural value={rest} one="# more shift" other="# more shifts" />
        </p>
      ) : null}
      <p>{applications[0].job.place.label}</p>
    </div>
  );
}

export function UnsentApplicationCard({ entry, onDrop }: { entry: WaitingApplication; onDrop: () => void }) {
  const { t, i18n } = useLingui();
  const reason =
    entry.refusal !== null && entry.refusal in errorMessages
      ? i18n._(errorMessages[entry.refusal as keyof typeof errorMessages])
      : null;
  return (
    <Card as="article" dashed>
      <div className="row top">
        <Icon name={reason ? 'warning-circle' : 'hourglass'} />
        <div className="grow">
          <h3 className="strong wrap-any">{entry.jobTitle}</h3>
          <p className="sm mute">{entry.businessName}</p>
          <p className="sm mt2">
            {reason ?? <Trans>{formatAgo(entry.since)}. It'll be sent as soon as you're back online.</Trans>}
          </p>
        </div>
      </div>
      <div className="row g2 mt3 wrap">
        <ButtonLink kind="out" size="s" to={`/job-apply-form/${entry.jobId}`}>
          {t`Open it`}
        </ButtonLink>
        <Button kind="text" size="s" onClick={onDrop}>
          {t`Don't send`}
        </Button>
      </div>
    </Card>
  );
}
