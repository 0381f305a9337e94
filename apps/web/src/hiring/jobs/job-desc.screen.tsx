import { useLingui } from '@lingui/react/macro';
import { reportPath, saveParameter } from '@nearhand/contract/app-paths';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { lackedSkills } from '@nearhand/contract/hiring/matching.rules';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { categoryOfSkill } from '@nearhand/contract/people/taxonomy';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { serverOrigin } from '../../lib/api/server-address.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { firstRead } from '../../lib/pages/initial-query-state.ts';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { joined } from '../../lib/words/format.ts';
import { jobText, payText, relationText } from '../../lib/words/job.labels.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { useStartPlace } from '../../people/places/places.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { categoryIcon } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Fact } from '../../ui/card.tsx';
import { ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { JobCard } from '../../ui/job-card.tsx';
import { shareLink } from '../../ui/overlays/share-link.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, SkeletonBar } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { PhotoGrid } from '../../ui/photo-grid.tsx';
import { replyIfSentNow } from '../applications/application.labels.ts';
import { useCanApply } from '../applications/load-apply-form.ts';
import { useConflicts, useHardConflict } from '../calendar/calendar.api.ts';
import { ConflictsPart } from '../calendar/conflicts.tsx';
import { BusinessReliabilityPart } from '../reliability/business-reliability.tsx';
import { SaveButton } from '../saved-jobs/save-button.tsx';
import { setSaved } from '../saved-jobs/saved-jobs.api.ts';
import { JobBusiness } from './job-business.tsx';
import { JobDates } from './job-dates.tsx';
import { breakText, closedText, feeText, longWhen, spotsLeftText } from './job-desc.labels.ts';
import { ApplyShortcut, JobDock } from './job-dock.tsx';
import { JobMap, JobPlace } from './job-place.tsx';
import { useJob, useMySkills, useSimilarJobs, useWouldHireInstantly } from './jobs.api.ts';
import { markSeen } from './seen-jobs.api.ts';
import './job-desc.css';

const shareJob = (job: Pick<Job, 'id' | 'title' | 'pay' | 'business'>): Promise<void> =>
  shareLink({
    title: job.title,
    text: joined(job.title, payText(job.pay).figure, job.business.name),
    url: new URL(publicJobPath(job, 'share'), serverOrigin()).href,
  });

export default function JobDescScreen() {
  const { t } = useLingui();
  const { jobid = '' } = useParams();
  const wide = useWide();
  const here = useStartPlace();
  const query = useJob(jobid, here);
  const job = query.data;
  const hasFailed = firstRead(query) === 'failed';
  useEffect(() => {
    if (job) markSeen(job.id);
  }, [job]);
  useSaveOnArrival(job);
  const offlineNote = useOfflineNote(job);

  if (isApiError(query.error, 'job/not-found', 'request/invalid')) {
    return (
      <Screen title={t`Job`} heading={null}>
        <JobGone />
      </Screen>
    );
  }
  return (
    <Screen
      title={job?.title ?? t`Job`}
      heading={null}
      actions={
        job ? (
          <>
            {job.member ? null : <SaveButton job={job} />}
            <IconButton icon="share-network" label={t`Share this job`} onClick={() => void shareJob(job)} />
          </>
        ) : null
      }
      hero={job ? <Hero job={job} /> : hasFailed ? undefined : <HeroSkeleton />}
      dock={job ? <JobDock job={job} /> : undefined}
      aside={job ? <JobMap job={job} /> : hasFailed ? undefined : <div className="map-frame" />}
      asideLabel={t`Map`}
    >
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load this job`}
        offlineNote={offlineNote}
      >
        {(job) => <Body job={job} wide={wide} />}
      </QueryState>
    </Screen>
  );
}

/**
 * Saves the job for someone who pressed Save as a guest. The address loses the mark, so that a reload saves
 * nothing.
 */
function useSaveOnArrival(job: Job | undefined): void {
  const { t } = useLingui();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const savesOnArrival = job !== undefined && !job.member && new URLSearchParams(search).has(saveParameter);
  const hasSaved = useRef(false);
  const save = async (jobId: string) => {
    navigate(pathname, { replace: true });
    const refusal = await setSaved(jobId, true);
    if (refusal === null) return showToast(t`Job saved`);
    const { errorText } = await import('../../lib/api/error.labels.ts');
    showToast(errorText(refusal));
  };
  useEffect(() => {
    if (!savesOnArrival || hasSaved.current) return;
    hasSaved.current = true;
    void save(job.id);
  });
}

function useOfflineNote(job: Job | undefined): string | undefined {
  const { t } = useLingui();
  const isInstantHire = useWouldHireInstantly(job);
  const canApply = useCanApply(job, isInstantHire);
  if (!job?.actions.includes('apply') || job.member) return undefined;
  if (isInstantHire) return t`You can book when you're back online.`;
  return canApply
    ? t`You can apply now. We'll send it when you're back online.`
    : t`You can apply when you're back online.`;
}

const HeroSkeleton = () => (
  <div aria-hidden="true" className="sk-lines roomy">
    <SkeletonBar width={40} />
    <SkeletonBar width={30} />
    <span className="sk sk-block" />
    <SkeletonBar width={60} />
    <SkeletonBar width={50} tall />
  </div>
);

function Hero({ job }: { job: Job }) {
  const { t } = useLingui();
  const { figure, notes } = payText(job.pay, job.series?.payRange);
  const closedReason = closedText(job);
  return (
    <>
      <h1 className="h-s">{job.title}</h1>
      <p className="sm mute">{joined(job.business.name, job.place.label)}</p>
      <p className="job-money num">
        <b className={figure.length > 8 ? 'h-xl' : figure.length > 6 ? 'hero long' : 'hero'}>{figure}</b>
        <span className="mid">
          {notes.map((note, index) => (
            <span key={note} className={index > 0 ? 'block mute' : 'block'}>
              {note}
            </span>
          ))}
        </span>
      </p>
      <p className="mt3 fee">{feeText(job)}</p>
      <div className="row g2 mt4 wrap">
        {job.funded && !closedReason ? (
          <Badge tone="on-pine" icon="shield-check">
            {t`Funded`}
          </Badge>
        ) : null}
        {closedReason ? (
          <Badge tone="on-pine">{closedReason.title}</Badge>
        ) : (
          <Badge tone="on-pine">{spotsLeftText(job.spotsLeft)}</Badge>
        )}
        <Badge tone="on-pine">{job.kind === 'shift' ? t`Shift` : t`Task`}</Badge>
        {job.instantHire ? <Badge tone="on-pine">{t`Instant hire`}</Badge> : null}
      </div>
    </>
  );
}

function Body({ job, wide }: { job: Job; wide: boolean }) {
  const { t } = useLingui();
  const closedReason = closedText(job);
  const when = longWhen(job);
  const conflict = useHardConflict(job);
  const isInstantHire = useWouldHireInstantly(job);
  const now = useNow();
  const { decideByDays } = useSettings();
  const mySkills = useMySkills();
  const lacked = mySkills && !job.member ? lackedSkills(job.skills, [...mySkills]) : [];
  // Conflicts are shown above the rest, and would move it when they load.
  const waiting = useFirstLoading(
    useConflicts(closedReason || job.member || !job.startsAt ? undefined : job.id),
  );
  if (waiting) return <PageSkeleton />;
  return (
    <>
      {closedReason ? (
        <Banner icon="info">
          <p className="strong">{closedReason.title}</p>
          <p>{closedReason.text}</p>
        </Banner>
      ) : null}
      <div className={closedReason ? 'facts mt5' : 'facts'}>
        {when ? <Fact icon="calendar-blank" title={when} note={breakText(job)} /> : null}
        {closedReason || job.member || !job.startsAt ? null : <ConflictsPart jobId={job.id} />}
        <JobPlace job={job} wide={wide} />
        {job.funded && !closedReason ? (
          <Fact
            icon="shield-check"
            title={t`Your pay is secured`}
            note={t`${job.business.name} has set the pay aside with us, so your pay is secured.`}
          />
        ) : null}
        {job.instantHire && !closedReason && !conflict ? (
          <Fact
            icon="timer"
            title={t`Instant hire`}
            note={
              job.skills.length === 0
                ? t`The first people who book are hired right away.`
                : lacked.length === 0
                  ? t`The first people with all the skills below who book are hired right away.`
                  : t`Only people with all the skills below can book. Your profile lacks ${joined(...lacked.map(skillText))}, so you apply and wait for their reply.`
            }
          />
        ) : null}
        {job.actions.includes('apply') && !isInstantHire && !conflict ? (
          <Fact
            icon="clock-countdown"
            title={replyIfSentNow(job, decideByDays, now)}
            note={t`That's if you apply now. If they don't, your application ends and you're told.`}
          />
        ) : null}
      </div>
      <JobDates job={job} />
      <div className="mt5">
        <JobBusiness job={job} />
      </div>
      <div className="mt3">
        <BusinessReliabilityPart businessId={job.business.id} name={job.business.name} />
      </div>
      <JobEngagement relation={job.relation} />
      <JobNeeds job={job} />
      {job.description ? (
        <section className="mt6">
          <h2 className="h-m">{t`About the job`}</h2>
          <p className="mt2 pre-line job-text">{job.description}</p>
        </section>
      ) : null}
      {job.photoIds.length > 0 ? (
        <section className="mt6" aria-label={t`Photos`}>
          <PhotoGrid urls={job.photoIds.map((fileId) => fileUrl(fileContentPath(fileId)))} />
        </section>
      ) : null}
      {job.sourceUrl ? (
        <p className="mt4">
          <a className="link sm" href={job.sourceUrl} rel="noopener noreferrer nofollow" target="_blank">
            {t`See the original posting`}
          </a>
        </p>
      ) : null}
      {job.member ? null : (
        <p className="mt4">
          <Link className="link sm" to={reportPath('job', job.id)}>
            {t`Report this job`}
          </Link>
        </p>
      )}
      <Similar job={job} />
    </>
  );
}

function Similar({ job }: { job: Job }) {
  const { t } = useLingui();
  const { data } = useSimilarJobs(job.id);
  if (!data || data.length === 0) return null;
  return (
    <section className="mt8">
      <ApplyShortcut job={job} />
      <h2 className="h-m">{t`Similar jobs`}</h2>
      {data.some((card) => card.distanceM !== null) ? (
        <p className="sm mute mt1">{t`Distances from this job.`}</p>
      ) : null}
      <div className="col mt3">
        {data.map((card) => (
          <JobCard
            key={card.id}
            {...jobText(card)}
            to={`/job-desc/${card.id}`}
            action={<SaveButton job={card} />}
          />
        ))}
      </div>
    </section>
  );
}

function JobGone() {
  const { t } = useLingui();
  return (
    <EmptyState
      level="h1"
      title={t`This job is no longer available`}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/explore">
          {t`See jobs near you`}
        </ButtonLink>
      }
    >
      <p>{t`It was removed, or the link is incomplete. There are other jobs near you.`}</p>
    </EmptyState>
  );
}

/** Explains the worker's relation to the business. Empty if the business did not state it. */
export function JobEngagement({ relation }: Pick<Job, 'relation'>) {
  const { t } = useLingui();
  if (relation === null) return null;
  const meaning = {
    self_employed: t`You work for yourself: you invoice the business, and pay your own taxes and insurance.`,
    employed: t`The business employs you for this job, and takes care of payroll, taxes and social insurance.`,
    household: t`You work for a private person in their home. Who pays taxes and insurance depends on your country.`,
  };
  return (
    <section className="mt6">
      <h2 className="h-m">{t`How you’d be hired`}</h2>
      <p className="mt2 strong">{relationText(relation)}</p>
      <p className="mute">{meaning[relation]}</p>
    </section>
  );
}

export function JobNeeds({ job }: { job: Job }) {
  const { t } = useLingui();
  const mySkills = useMySkills();
  const papers = [
    ...(job.cvRequired ? [t`A CV`] : []),
    ...(job.questions.length > 0 ? [t`Answers to a few questions when you apply`] : []),
  ];
  if (job.skills.length + job.requirements.length + papers.length === 0) return null;
  return (
    <section className="mt6">
      <h2 className="h-m">{t`What you need`}</h2>
      <ul className="mt2">
        {job.skills.map((skill) => (
          <li className="li" key={skill}>
            <Icon name={categoryIcon(categoryOfSkill[skill])} />
            <span className="grow t">{skillText(skill)}</span>
            {mySkills?.has(skill) ? (
              <Badge tone="good" icon="check">
                {t`You have this`}
              </Badge>
            ) : mySkills && job.instantHire && !job.member ? (
              <Badge>{t`Not in your profile`}</Badge>
            ) : null}
          </li>
        ))}
        {job.requirements.map((need) => (
          <li className="li" key={need}>
            <Icon name="check" className="mute" />
            <span className="grow t" dir="auto">
              {need}
            </span>
          </li>
        ))}
        {papers.map((paper) => (
          <li className="li" key={paper}>
            <Icon name="article" className="mute" />
            <span className="grow t">{paper}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
