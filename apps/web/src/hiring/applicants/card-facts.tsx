import { Plural, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { shareLeft } from '../../lib/forms/share-left.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { decideBy } from '../../lib/words/decide-by.ts';
import { formatDate, formatDayTime, formatDistance, formatLeft, joined } from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { FundingBadge } from '../../money/holds/funding-badge.tsx';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Near } from '../../ui/art/rings.tsx';
import { Badge } from '../../ui/badge.tsx';
import { applicantName, applicantStatusText, needsOutcome, proposalText } from './applicant.labels.ts';

export function Face({ applicant, size }: { applicant: Applicant; size?: 's' | 'm' | 'l' }) {
  const { photoPath } = applicant.worker;
  return (
    <Avatar size={size ?? 'm'} name={applicantName(applicant)} src={photoPath ? fileUrl(photoPath) : null} />
  );
}

export function useRecordText(applicant: Applicant): string {
  const reliable = useReliabilityText(applicant);
  return [ratingText(applicant.worker.rating), reliable].filter(Boolean).join(' · ');
}

function useReliabilityText(applicant: Applicant): string {
  const { t } = useLingui();
  const data = applicant.match.find(({ kind }) => kind === 'reliability')?.data;
  if (typeof data?.percent === 'number') return t`${data.percent}% reliable`;
  const times = applicant.match.find(({ kind }) => kind === 'history')?.data?.times;
  const hasWorkedBefore = (typeof times === 'number' && times > 0) || Number(data?.kept ?? 0) > 0;
  return hasWorkedBefore ? t`Fewer than 3 jobs` : t`New here`;
}

export function useAwayText({ distanceM, timeZone, worker }: Applicant): string {
  const { t } = useLingui();
  return joined(
    distanceM !== null && formatDistance(Math.max(500, distanceM), timeZone),
    ratingText(worker.rating) ?? t`No reviews yet`,
  );
}

export function Away({ applicant }: { applicant: Applicant }) {
  const { t } = useLingui();
  if (applicant.distanceM === null) return <span className="sm mute">{t`Home area not set`}</span>;
  return (
    <span className="near sm">
      <Near metres={applicant.distanceM} />
      {formatDistance(Math.max(500, applicant.distanceM), applicant.timeZone)}
    </span>
  );
}

export function SelectBox({
  applicant,
  checked,
  onToggle,
}: {
  applicant: Applicant;
  checked: boolean;
  onToggle: (applicant: Applicant) => void;
}) {
  const { t } = useLingui();
  const name = applicantName(applicant);
  return (
    <label className="pick">
      <span className="check-box">
        <input
          type="checkbox"
          className="check"
          checked={checked}
          aria-label={t`Select ${name}`}
          onChange={() => onToggle(applicant)}
        />
        <Icon name="check" />
      </span>
    </label>
  );
}

export function Standing({ applicant, zone }: { applicant: Applicant; zone: string }) {
  const { t } = useLingui();
  const clock = decideBy(applicant, zone);
  const now = useNow();
  const { interview, offer, stage } = applicant;
  if (stage === 'interviewing' && interview && needsOutcome(interview, now))
    return <Badge tone="wait">{t`Add outcome`}</Badge>;
  if (stage === 'interviewing' && interview?.startsAt && interview.status === 'scheduled') {
    return (
      <span className="near sm mid">
        <Icon
          name={
            interview.mode === 'video' ? 'video-camera' : interview.mode === 'phone' ? 'phone' : 'map-pin'
          }
        />
        {formatDayTime(interview.startsAt, zone)}
      </span>
    );
  }
  if (stage === 'interviewing' && interview && (interview.awaits || interview.status === 'proposed'))
    return (
      <>
        <Badge tone={interview.awaits === 'business' ? 'wait' : undefined}>{proposalText(interview)}</Badge>
        {clock ? <span className="xs mute">{clock.left ?? t`Time is up`}</span> : null}
      </>
    );
  // An unpaid offer leaves the application's stage unchanged, but someone has to act.
  if (offer?.status === 'funding') return <Badge tone="wait">{t`Offer unpaid`}</Badge>;
  if (stage === 'offered' && offer) {
    const timeLeft = formatLeft(offer.expiresAt);
    const offeredAt =
      applicant.steps.findLast((step) => step.status === 'offered')?.at ?? applicant.submittedAt;
    const share = shareLeft(offeredAt, offer.expiresAt, new Date());
    return (
      <>
        <FundingBadge funding={offer.funding} />
        <span className="near sm mid">
          <ClockRing left={share} size="s" />
          {timeLeft ?? t`Time is up`}
        </span>
      </>
    );
  }
  if (!clock) {
    const { label, tone } = applicantStatusText(applicant.status, applicant.workEnding);
    return <Badge tone={tone}>{label}</Badge>;
  }
  return (
    <span className="near sm mid">
      <ClockRing left={clock.share} size="s" />
      {clock.left ?? t`Time is up`}
    </span>
  );
}

type JobLinesProps = {
  applicant: Applicant;
  jobs: number;
  unfolded: boolean;
  onUnfold: (workerId: string) => void;
};

/** The job of an application with its start, and how to see the person's other jobs in this list. */
export function JobLines({ applicant, jobs, unfolded, onUnfold }: JobLinesProps) {
  const { jobTitle, jobStartsAt, timeZone, worker, shiftsApplied } = applicant;
  return (
    <>
      <p className="sm mid job-title" dir="auto">
        {jobTitle}
      </p>
      {jobStartsAt ? <p className="xs mute">{formatDate(jobStartsAt, timeZone)}</p> : null}
      {jobs > 1 ? (
        <button
          type="button"
          className="link sm more-jobs"
          aria-expanded={unfolded}
          onClick={() => onUnfold(worker.workerId)}
        >
          {jobs === shiftsApplied ? (
            <ShiftsApplied applicant={applicant} />
          ) : (
            <Plural value={jobs} one="Applied to # job" other="Applied to # jobs" />
          )}
          <Icon name="caret-down" />
        </button>
      ) : null}
    </>
  );
}

/** The number of shifts of a series that someone applied for; nothing for one. */
export function ShiftsApplied({ applicant: { shiftsApplied } }: { applicant: Applicant }) {
  return shiftsApplied > 1 ? (
    <Plural value={shiftsApplied} one="Applied for # shift" other="Applied for # shifts" />
  ) : null;
}

export function Tags({ tags }: { tags: readonly string[] }) {
  const { t } = useLingui();
  if (tags.length === 0) return null;
  return (
    <ul className="tags" aria-label={t`Tags`}>
      {tags.map((tag) => (
        <li key={tag}>
          <Badge>{tag}</Badge>
        </li>
      ))}
    </ul>
  );
}
