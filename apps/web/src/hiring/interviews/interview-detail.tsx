import { t as text } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { usePhoneText } from '../../lib/forms/phone.ts';
import { shareLeft } from '../../lib/forms/share-left.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import {
  dotted,
  formatDate,
  formatDay,
  formatLeft,
  formatLeftShort,
  formatMinutes,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { zoneTown } from '../../lib/words/zoned-time.ts';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Fact, PineCard } from '../../ui/card.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { type Clash, useClashes } from './clashes.ts';
import {
  inOwnZone,
  interviewOutcomeText,
  interviewPartnerName,
  interviewStandingText,
  interviewTimeline,
  isAsked,
  isOverInterview,
  mapLink,
  modeIcons,
  modeText,
  slotText,
  spanText,
} from './interview.labels.ts';
import { InterviewActs } from './interview-acts.tsx';
import './interviews.css';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { Avatar } from '../../ui/art/avatar.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Link } from '../../ui/controls/link.tsx';

type DetailProps = { interview: Interview; level: 'h1' | 'h2' };

export function InterviewDetail({ interview, level: Heading }: DetailProps) {
  const { t } = useLingui();
  const now = useNow(15_000);
  const name = interviewPartnerName(interview);
  const { label, tone } = interviewStandingText(interview, now);
  const Sub = Heading === 'h1' ? 'h2' : 'h3';
  return (
    <div className="interview-detail">
      <header>
        <p className="row wrap g2">
          <Badge tone={tone}>{label}</Badge>
          <span className="sm mute">{modeText(interview.mode)}</span>
        </p>
        <Heading className="h-l mt2">{t`Interview with ${name}`}</Heading>
        <p className="mute">{interview.jobTitle}</p>
      </header>
      <When interview={interview} now={now} />
      <AnswerClock interview={interview} now={now} />
      {interview.message ? (
        <blockquote className="interview-message">
          <p className="pre-line">{interview.message}</p>
          <footer className="sm mute">{interview.business.name}</footer>
        </blockquote>
      ) : null}
      <InterviewActs interview={interview} now={now} />
      <Reported interview={interview} now={now} />
      {interview.outcome ? (
        <section>
          <Sub className="h-s">{t`Outcome`}</Sub>
          <p className="mid mt2">{interviewOutcomeText(interview.outcome)}</p>
          {interview.notes ? <p className="pre-line mt2">{interview.notes}</p> : null}
          <p className="xs mute mt2">{t`Only your team sees this.`}</p>
        </section>
      ) : null}
      <InterviewFacts interview={interview} now={now} />
      <section>
        <Sub className="h-s">{t`What happened`}</Sub>
        <div className="mt3">
          <Timeline items={interviewTimeline(interview, now)} />
        </div>
      </section>
    </div>
  );
}

function When({ interview, now }: { interview: Interview; now: Date }) {
  const { t } = useLingui();
  const { startsAt, zones, side, worker } = interview;
  const clashOf = useClashes({ ...interview, businessId: interview.business.id }, now);
  if (startsAt === null) {
    const count = interview.slots.length;
    if (count === 0 || isAsked(interview)) return null;
    return (
      <PineCard label={t`Proposed times`} rings={false}>
        <p className="sm mute">{t`Proposed, in ${zoneTown(zones.business)} time`}</p>
        <ul className="interview-times mt2">
          {interview.slots.map((slot) => (
            <li key={slot.id}>
              <span className="strong num">{formatDate(slot.startsAt, zones.business, now)}</span>
              <ClashNote clash={clashOf(slot.startsAt)} />
            </li>
          ))}
        </ul>
      </PineCard>
    );
  }
  const ownTime = inOwnZone(startsAt, zones.business, now);
  const theirs =
    side === 'business' && zones.worker && zones.worker !== ownTimeZone()
      ? inOwnZone(startsAt, zones.business, now, zones.worker)
      : null;
  return (
    <PineCard label={t`When`}>
      <p className="h-l num">{spanText(startsAt, interview.minutes, zones.business, now)}</p>
      <p className="sm mute mt2">
        {dotted(
          ownTime ? t`${ownTime} your time` : t`${zoneTown(zones.business)} time`,
          theirs && t`${theirs} for ${worker.name}`,
        )}
      </p>
      <ClashNote clash={interview.status === 'scheduled' ? clashOf(startsAt) : null} />
      <Until startsAt={startsAt} interview={interview} now={now} />
    </PineCard>
  );
}

const ClashNote = ({ clash }: { clash: Clash | null }) =>
  clash ? <span className="sm mute block">{clash.text}</span> : null;

function Until({ startsAt, interview, now }: { startsAt: string; interview: Interview; now: Date }) {
  const { t } = useLingui();
  if (interview.status !== 'scheduled') return null;
  const minutes = Math.ceil((Date.parse(startsAt) - now.getTime()) / minuteMs);
  const isUnderWay =
    minutes <= 0 && interview.endsAt !== null && Date.parse(interview.endsAt) > now.getTime();
  if (isUnderWay) return <p className="strong mt2">{t`In progress`}</p>;
  return minutes > 0 && minutes <= 90 ? <p className="strong mt2">{t`In ${minutes} min`}</p> : null;
}

function AnswerClock({ interview, now }: { interview: Interview; now: Date }) {
  const { interviewAnswerHours } = useSettings();
  const { answerBy } = interview;
  const timeLeft = answerBy ? formatLeft(answerBy, now) : null;
  if (!answerBy || !timeLeft) return null;
  const askedAt = interview.steps.at(-1)?.at ?? Date.parse(answerBy) - interviewAnswerHours * hourMs;
  const share = shareLeft(askedAt, answerBy, now);
  const name = interviewPartnerName(interview);
  const until = slotText(answerBy, interview.zones.business, now);
  const isRescheduling = interview.status === 'reschedule_requested';
  return (
    <div className="row interview-clock">
      <ClockRing left={share}>{formatLeftShort(answerBy, now)}</ClockRing>
      <div className="grow">
        <p className="strong">{timeLeft}</p>
        <p className="sm mute">
          {isAsked(interview) ? (
            <Trans>Reply by {until}. After that it expires.</Trans>
          ) : isRescheduling ? (
            <Trans>
              {name} has until {until} to reply. After that the interview expires.
            </Trans>
          ) : (
            <Trans>
              {name} has until {until} to pick a time. After that the times expire.
            </Trans>
          )}
        </p>
      </div>
    </div>
  );
}

function Reported({ interview, now }: { interview: Interview; now: Date }) {
  const { noShow, side } = interview;
  if (!noShow || interview.actions.includes('contest')) return null;
  const isMine = noShow.side === side;
  const name = interviewPartnerName(interview);
  const until = formatDate(noShow.contestBy, interview.zones.business, now);
  const open = Date.parse(noShow.contestBy) > now.getTime();
  return (
    <Banner tone={isMine ? 'bad' : 'here'} icon="calendar-x">
      <p className="strong">
        {isMine ? (
          <Trans>{name} reported that you didn't show up.</Trans>
        ) : (
          <Trans>You reported that {name} didn't show up.</Trans>
        )}
      </p>
      {noShow.contest ? (
        <p className="pre-line">
          {isMine ? (
            <Trans>Your response: {noShow.contest}</Trans>
          ) : (
            <Trans>Their response: {noShow.contest}</Trans>
          )}
        </p>
      ) : open && !isMine ? (
        <p>
          <Trans>They can respond until {until}.</Trans>
        </p>
      ) : null}
    </Banner>
  );
}

function InterviewFacts({ interview, now }: { interview: Interview; now: Date }) {
  const { t } = useLingui();
  const { mode, side } = interview;
  const jobPath =
    side === 'worker'
      ? `/job-desc/${interview.jobId}`
      : `/job-applicants/${interview.jobId}?applicant=${interview.applicationId}`;
  return (
    <div className="facts">
      <Fact
        icon={modeIcons[mode]}
        title={<Where interview={interview} />}
        note={mode === 'phone' && !isOverInterview(interview, now) ? callText(interview) : modeText(mode)}
      />
      <Fact icon="timer" title={formatMinutes(interview.minutes)} note={t`Scheduled length`} />
      <Fact
        icon="briefcase"
        title={
          <Link className="link" to={jobPath}>
            {interview.jobTitle}
          </Link>
        }
        note={side === 'worker' ? t`Job` : t`View application`}
      />
      <CoveredShifts interview={interview} />
      <div className="row">
        {side === 'worker' ? (
          <IconSign icon="storefront" />
        ) : (
          <Avatar name={interview.worker.name} src={fileUrl(interview.worker.photoPath)} />
        )}
        <p className="mid grow">{side === 'worker' ? interview.business.name : interview.worker.name}</p>
        {side === 'worker' ? (
          <MessageLink jobId={interview.jobId} />
        ) : (
          <MessageLink jobId={interview.jobId} workerId={interview.worker.id} />
        )}
      </div>
    </div>
  );
}

/** Says who calls the number, and when. */
function callText({ side, worker, business, startsAt }: Interview): string {
  if (side === 'business') return text`${worker.name || text`The worker`} calls this number at that time.`;
  return startsAt === null
    ? text`You call ${business.name} at the time you pick.`
    : text`You call ${business.name} at this time.`;
}

/** The other shifts of the series that the interview is about too. */
function CoveredShifts({ interview: { shifts } }: { interview: Interview }) {
  const { t } = useLingui();
  if (shifts.length < 2) return null;
  const days = shifts.flatMap(({ startsAt, timeZone }) =>
    startsAt === null ? [] : formatDay(startsAt, timeZone),
  );
  return (
    <Fact icon="calendar-blank" title={t`One interview for ${shifts.length} shifts`} note={days.join('; ')} />
  );
}

function PhoneLink({ number }: { number: string }) {
  return (
    <a className="link num" href={`tel:${number}`}>
      {usePhoneText()(number)}
    </a>
  );
}

function Where({ interview: { mode, where } }: { interview: Interview }) {
  const { t } = useLingui();
  if (mode === 'phone') return <PhoneLink number={where} />;
  if (mode === 'video')
    return (
      <a className="link wrap-any" href={where} target="_blank" rel="noopener noreferrer">
        {hostOf(where)} <span className="vh">{t`(opens in a new tab)`}</span>
      </a>
    );
  return (
    <span className="row wrap g2 interview-where">
      <span className="wrap-any">{where}</span>
      <a className="link" href={mapLink(where)} target="_blank" rel="noopener noreferrer">
        <Trans>Directions</Trans>
      </a>
    </span>
  );
}

/** Only the host of a link is shown; the rest is the call's secret. */
const hostOf = (link: string): string => (URL.canParse(link) ? new URL(link).host : link);
