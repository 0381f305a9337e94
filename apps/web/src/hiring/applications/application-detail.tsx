import { Trans, useLingui } from '@lingui/react/macro';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { shiftCount } from '../../lib/words/counts.ts';
import { dotted, formatDateSpan } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Approach } from '../../ui/art/ring-figures.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { SkeletonBar } from '../../ui/pages/skeleton.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { useBookedWork } from '../calendar/calendar.api.ts';
import { OfferActions, OfferAnswer, offerWaits, useSeriesOfferText } from '../offers/offer-answer.tsx';
import { WaitlistCard } from '../waitlist/waitlist-card.tsx';
import {
  applicationStatusText,
  applicationTimeline,
  clockRuns,
  endingText,
  isUndecided,
  payThatCounts,
  waysIn,
} from './application.labels.ts';
import { EngagementLink, InterviewCard } from './application-next.tsx';
import { useSeriesDates, useWithdrawApplication } from './applications.api.ts';
import { ClockCard } from './clock-card.tsx';

export function ApplicationHero({
  application,
  level: Heading = 'h1',
}: {
  application: MyApplication;
  level?: 'h1' | 'h2';
}) {
  const { t } = useLingui();
  const { job } = application;
  const { title } = applicationStatusText(application.status);
  const { names, now: at } = waysIn(application);
  const pay = payText(payThatCounts(application));
  const series = useSeriesOfferText(offerWaits(application) ? application.offer?.id : undefined);
  return (
    <div className="approach-hero">
      <Heading className="h-l">{title}</Heading>
      <p className="mute mt1">{dotted(job.title, job.business.name, series ?? pay.figure)}</p>
      <Approach
        states={names}
        currentIndex={at}
        label={t`Furthest stage reached: ${names[at]}. The innermost ring is Hired.`}
      />
    </div>
  );
}

export const ApplicationHeroSkeleton = () => (
  <div aria-hidden="true" className="approach-hero sk-lines">
    <SkeletonBar width={40} tall />
    <SkeletonBar width={60} />
    <span className="ring-approach approach-sk" />
  </div>
);

export function ApplicationBody({ application }: { application: MyApplication }) {
  const { t } = useLingui();
  const { job, status } = application;
  const ending = endingText(status, job.business.name);
  return (
    <div className="application-body">
      <div className="application-part lead">
        {application.offer && offerWaits(application) ? null : <BookedThen application={application} />}
        {clockRuns(status) ? <ClockCard application={application} /> : null}
        <EngagementLink application={application} />
        {application.offer && application.offer.status !== 'withdrawn' ? (
          <OfferAnswer key={application.offer.id} offerId={application.offer.id} pay={job.pay} />
        ) : null}
        <InterviewCard application={application} />
        <WaitlistCard application={application} />
        {ending ? (
          <Banner icon="info" tone={status === 'no_response' ? 'wait' : 'here'}>
            {ending}
          </Banner>
        ) : null}
      </div>
      <div className="application-part so-far-part">
        <section>
          <h2 className="vh">{t`Timeline`}</h2>
          <Timeline items={applicationTimeline(application)} />
        </section>
        <Card flush as="section" label={t`Job`}>
          <ListRow
            to={`/job-desc/${job.id}`}
            title={job.title}
            note={dotted(job.business.name, whenText(job))}
            lead={<Icon name="briefcase" />}
            end={job.status === 'open' ? undefined : <Badge>{t`Not open`}</Badge>}
          />
        </Card>
        <SeriesDates application={application} />
        <div>
          <MessageLink jobId={job.id} name={job.business.name} />
        </div>
      </div>
      <div className="application-part">
        <SentApplication application={application} />
      </div>
    </div>
  );
}

/** The shifts of the series that the worker applied for, each with its application. */
function SeriesDates({ application }: { application: MyApplication }) {
  const { t } = useLingui();
  const { job } = application;
  const dates = useSeriesDates(application);
  if (dates.length < 2) return null;
  return (
    <Card flush as="section" label={t`Shifts`}>
      {dates.map(({ jobId, startsAt, endsAt, myApplication }) => {
        const { badge, tone } = applicationStatusText(myApplication?.status ?? 'submitted');
        return (
          <ListRow
            key={jobId}
            to={`/tabs/menu/my-work/${myApplication?.id}`}
            title={formatDateSpan(startsAt, endsAt, job.timeZone)}
            note={jobId === job.id ? t`This shift` : undefined}
            lead={<Icon name="calendar-blank" />}
            end={<Badge tone={tone}>{badge}</Badge>}
          />
        );
      })}
    </Card>
  );
}

/** Names work that the worker booked elsewhere after they applied, with a way to resolve it. */
function BookedThen({ application }: { application: MyApplication }) {
  const isOpen = isUndecided(application.status);
  const work = useBookedWork(isOpen)(application.job);
  if (!isOpen || !work) return null;
  return (
    <Banner
      tone="wait"
      icon="calendar-x"
      action={
        application.actions.includes('withdraw') ? (
          <Withdraw application={application} kind="text" />
        ) : undefined
      }
    >
      <Trans>
        You’re booked then: <Link to={work.path}>{work.title}</Link>. You can’t do both, so withdraw or cancel
        that job.
      </Trans>
    </Banner>
  );
}

function SentApplication({ application }: { application: MyApplication }) {
  const { t } = useLingui();
  const { answers, coverNote, cv, job } = application;
  const [failed, setFailed] = useState<string | null>(null);
  const prompts = new Map(job.questions.map(({ id, prompt }) => [id, prompt]));
  const jobAnswers = answers.filter(({ questionId }) => prompts.has(questionId));
  return (
    <section>
      <h2 className="h-m">{t`Your application`}</h2>
      <dl className="said mt3">
        {jobAnswers.map(({ questionId, value }) => (
          <div key={questionId}>
            <dt className="sm mute">
              <bdi>{prompts.get(questionId)}</bdi>
            </dt>
            <dd dir="auto" className="pre-line wrap-any">
              {value === true ? t`Yes` : value === false ? t`No` : String(value)}
            </dd>
          </div>
        ))}
        <div>
          <dt className="sm mute">{t`Your message`}</dt>
          <dd dir="auto" className="pre-line wrap-any">
            {coverNote || <span className="mute">{t`None`}</span>}
          </dd>
        </div>
        <div>
          <dt className="sm mute">{t`CV`}</dt>
          <dd>
            {cv ? (
              <PlainButton
                className="link wrap-any"
                dir="auto"
                needsNetwork
                onClick={() => {
                  setFailed(null);
                  saveStoredFile(cv).catch((failure) => setFailed(errorText(failure)));
                }}
              >
                {cv.name}
              </PlainButton>
            ) : (
              <span className="mute">{t`None`}</span>
            )}
            {failed ? (
              <p className="help err" role="alert">
                {failed}
              </p>
            ) : null}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Withdraw({ application, kind }: { application: MyApplication; kind: 'quiet' | 'text' }) {
  const { t } = useLingui();
  const withdraw = useWithdrawApplication();
  const { job } = application;
  const dates = useSeriesDates(application);
  // A block is withdrawn whole.
  const isBlock = dates.some(({ jobId, asBlock }) => jobId === job.id && asBlock);
  const siblingIds = dates.flatMap(({ myApplication, asBlock }) =>
    myApplication &&
    asBlock === isBlock &&
    myApplication.id !== application.id &&
    isUndecided(myApplication.status)
      ? [myApplication.id]
      : [],
  );
  const ask = async () => {
    const shifts = shiftCount(siblingIds.length + 1);
    const choice = await showAlert({
      tone: 'ask',
      title: t`Withdraw your application?`,
      message: t`${job.business.name} is notified and can no longer read your application. You can apply again while the job is open.`,
      buttons: [
        ...(siblingIds.length > 0
          ? [{ value: 'all' as const, label: t`Withdraw for ${shifts}`, kind: 'bad' as const }]
          : []),
        ...(isBlock && siblingIds.length > 0
          ? []
          : [
              {
                value: 'yes' as const,
                label: siblingIds.length > 0 ? t`Only this shift` : t`Withdraw application`,
                kind: siblingIds.length > 0 ? ('out' as const) : ('bad' as const),
              },
            ]),
        { value: 'no' as const, label: t`Keep application` },
      ],
    });
    if (choice !== 'yes' && choice !== 'all') return;
    try {
      await withdraw.mutateAsync({
        applicationId: application.id,
        alsoFor: choice === 'all' ? siblingIds : undefined,
      });
    } catch (failure) {
      await showAlert({
        tone: 'bad',
        title: t`Your application wasn't withdrawn`,
        message: errorText(failure),
      });
    }
  };

  return (
    <Button
      kind={kind}
      size={kind === 'text' ? 's' : 'm'}
      className={kind === 'text' ? '' : 'grow'}
      busy={withdraw.isPending}
      onClick={() => void ask()}
    >
      <Trans context="application">Withdraw</Trans>
    </Button>
  );
}

export function ApplicationActions({ application }: { application: MyApplication }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { actions, job, offer, interview } = application;
  if (offer && offerWaits(application)) return <OfferActions key={offer.id} offerId={offer.id} />;
  return (
    <>
      {actions.includes('withdraw') ? <Withdraw application={application} kind="quiet" /> : null}
      {interview?.awaits === 'worker' ? (
        <ButtonLink kind="go" className="grow" to={`/interview?id=${interview.id}`}>
          {t`Pick a time`}
        </ButtonLink>
      ) : null}
      {actions.includes('edit') ? (
        <Button
          kind="ink"
          className="grow"
          needsNetwork
          onClick={() => navigate(`/job-apply-form/${job.id}`)}
        >
          <Trans>Edit</Trans>
        </Button>
      ) : null}
      {actions.length === 0 ? <Onward application={application} /> : null}
    </>
  );
}

/** The way on from an application that needs nothing more. */
function Onward({ application: { engagementId, status, job } }: { application: MyApplication }) {
  const { t } = useLingui();
  if (engagementId)
    return (
      <ButtonLink kind="ink" full to={`/tabs/menu/my-work/engagement/${engagementId}`}>
        {t`View booked job`}
      </ButtonLink>
    );
  if (status === 'withdrawn' && job.status === 'open')
    return (
      <ButtonLink kind="go" full to={`/job-desc/${job.id}`}>
        {t`See the job`}
      </ButtonLink>
    );
  return (
    <ButtonLink kind="go" full to="/tabs/menu/explore">
      {t`Find work nearby`}
    </ButtonLink>
  );
}
