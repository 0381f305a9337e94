import { useLingui } from '@lingui/react/macro';
import type { Job, JobAction, ListedJob } from '@nearhand/contract/hiring/jobs';
import { isStartedStanding, type JobStanding, jobStanding } from '@nearhand/contract/hiring/jobs.rules';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { shortBy } from '../../lib/forms/short-by.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { clockIn, plainTime } from '../../lib/words/zoned-time.ts';
import { useAskForBudget } from '../../money/budgets/budgets.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { acceptDoubts, costWhenFilled, jobDoubts, sameShiftDoubts, termsOfJob } from './job-doubts.ts';
import {
  plannedShifts,
  useArchiveJob,
  useCloseJob,
  useDeleteDraft,
  useDuplicateJob,
  usePauseJob,
  usePublishJob,
  useReopenJob,
} from './jobs.api.ts';

export type ActedJob = (Job | ListedJob) & { applicants: number };

const jobMoveActions = [
  'publish',
  'pause',
  'reopen',
  'duplicate',
  'close',
  'archive',
  'delete-draft',
] as const satisfies readonly JobAction[];
export type JobMoveAction = (typeof jobMoveActions)[number];

async function plannedDoubts({
  id,
  business,
  title,
  member,
  startsAt,
  endsAt,
  timeZone,
}: Job): Promise<string[]> {
  if (!startsAt || !endsAt) return [];
  const { day, time } = clockIn(startsAt, timeZone);
  const hours = { from: plainTime(time), to: plainTime(clockIn(endsAt, timeZone).time) };
  return sameShiftDoubts(business.id, { title, branchId: member?.branch?.id ?? null, ...hours }, [day], id);
}

/** Moves that a series makes as one. */
export const seriesMoves = ['pause', 'reopen', 'close'] as const satisfies readonly JobMoveAction[];
export type SeriesMove = (typeof seriesMoves)[number];

export const jobActionIcons: Record<JobMoveAction, IconName> = {
  publish: 'megaphone',
  pause: 'pause',
  reopen: 'play',
  duplicate: 'copy',
  close: 'x-circle',
  archive: 'archive',
  'delete-draft': 'trash',
};

const hasLaterOpen = ({ series, startsAt }: ActedJob): boolean =>
  series !== null && (startsAt ?? '') < series.lastStartsAt;

/** The shifts of its series that a move of `job` reaches: all of its block, the later ones if asked for, or itself. */
async function reachOf(job: ActedJob, action: 'pause' | 'reopen'): Promise<'block' | 'later' | 'one'> {
  if (action === 'pause') {
    if (job.series?.asBlock) return 'block';
    return hasLaterOpen(job) ? 'later' : 'one';
  }
  if (job.seriesId === null) return 'one';
  const shifts = await queryClient.fetchQuery(plannedShifts(job.id));
  const block = shifts.filter(({ asBlock }) => asBlock);
  if (block.length > 1 && block.some(({ jobId }) => jobId === job.id)) return 'block';
  const hasLater = shifts.some(
    ({ status, startsAt }) => status === 'paused' && startsAt > (job.startsAt ?? ''),
  );
  return hasLater ? 'later' : 'one';
}

/** Runs a job move: confirms irreversible ones, then reports success or the refusal. */
export function useJobActions() {
  const { t } = useLingui();
  const { labels, seriesLabels } = useMoveLabels();
  const confirm = useConfirmation();
  const finish = useMoveToasts();
  const showRefusal = useMoveRefusal();
  const moves = {
    publish: usePublishJob(),
    pause: usePauseJob(),
    reopen: useReopenJob(),
    duplicate: useDuplicateJob(),
    close: useCloseJob(),
    archive: useArchiveJob(),
    'delete-draft': useDeleteDraft(),
  };

  const seriesToastsOf = (job: ActedJob) => ({
    pause: t`All shifts of ${job.title} paused`,
    reopen: t`All shifts of ${job.title} reopened`,
    close: t`All shifts of ${job.title} without bookings closed`,
  });
  const run = async (action: JobMoveAction, job: ActedJob): Promise<boolean> => {
    try {
      const answer = await confirm(action, job);
      if (!answer) return false;
      const result = await moves[action].mutateAsync({
        jobId: job.id,
        following: answer === 'following' ? true : undefined,
      });
      finish(action, job, 'id' in result ? result : {}, answer === 'block' ? seriesToastsOf(job) : {});
      return true;
    } catch (error) {
      await showRefusal(action, job, error);
      return false;
    }
  };
  /** Runs a move for `job`, the first shift of its series that can make it, and the later ones. */
  const runSeries = async (action: SeriesMove, job: ActedJob): Promise<void> => {
    try {
      if (action === 'close') {
        const choice = await showAlert({
          title: t`Close ${job.title}?`,
          message: t`All shifts without bookings close. Open offers end, and everyone who applied is notified. You can’t reopen these shifts.`,
          buttons: [
            { value: 'yes', label: seriesLabels.close, kind: 'bad' },
            { value: 'no', label: t`Keep job` },
          ],
        });
        if (choice !== 'yes') return;
      }
      const moved = await moves[action].mutateAsync({ jobId: job.id, following: true });
      finish(action, job, moved, seriesToastsOf(job));
    } catch (error) {
      await showRefusal(action, job, error);
    }
  };
  return { run, runSeries, labels, seriesLabels, busy: Object.values(moves).some((move) => move.isPending) };
}

type MoveLabels = Record<JobMoveAction, { label: string; note: string }>;

function useMoveLabels(): { labels: MoveLabels; seriesLabels: Record<SeriesMove, string> } {
  const { t } = useLingui();
  return {
    labels: {
      publish: { label: t`Publish`, note: t`Show it to workers nearby.` },
      pause: { label: t`Pause`, note: t`Hide it for now. Applicants stay.` },
      reopen: { label: t`Reopen`, note: t`Show it to workers again.` },
      duplicate: { label: t`Duplicate`, note: t`Post it again on another day.` },
      close: { label: t`Close job`, note: t`End the job and notify applicants.` },
      archive: { label: t`Archive`, note: t`Move it out of your list.` },
      'delete-draft': { label: t`Delete draft`, note: t`You can't undo this.` },
    },
    seriesLabels: {
      pause: t`Pause all shifts`,
      reopen: t`Reopen all shifts`,
      close: t`Close all shifts without bookings`,
    },
  };
}

/** Returns a function that asks before a move: false for no, and in a series how far it goes. */
function useConfirmation() {
  const { t } = useLingui();

  const confirmClose = async (job: ActedJob): Promise<boolean | 'following'> => {
    const hasLater = hasLaterOpen(job);
    const choice = await showAlert({
      title: t`Close ${job.title}?`,
      message:
        job.applicants > 0
          ? t`Applicants are notified that the job is closed. You can't reopen a closed job, but you can duplicate it.`
          : t`You can't reopen a closed job, but you can duplicate it.`,
      buttons: [
        { value: 'yes', label: hasLater ? t`Close only this shift` : t`Close job`, kind: 'bad' },
        ...(hasLater
          ? [
              {
                value: 'following' as const,
                label: t`Close this and later shifts without bookings`,
                kind: 'bad' as const,
              },
            ]
          : []),
        { value: 'no', label: t`Keep job` },
      ],
    });
    return choice === 'following' ? choice : choice === 'yes';
  };

  const confirmInSeries = async (
    action: 'pause' | 'reopen',
    job: ActedJob,
  ): Promise<boolean | 'following' | 'block'> => {
    const reach = await reachOf(job, action);
    if (reach === 'one') return true;
    if (reach === 'block') {
      const answer = await showAlert({
        title: action === 'pause' ? t`Pause ${job.title}?` : t`Reopen ${job.title}?`,
        message:
          action === 'pause'
            ? t`The dates of this job go together, so all of them are hidden from workers. Applicants stay.`
            : t`The dates of this job go together, so workers can find and apply for all of them again.`,
        buttons: [
          { value: 'yes', label: action === 'pause' ? t`Pause all dates` : t`Reopen all dates` },
          { value: 'no', label: t`Go back` },
        ],
      });
      return answer === 'yes' && 'block';
    }
    const choice = await showAlert({
      title: action === 'pause' ? t`Pause ${job.title}?` : t`Reopen ${job.title}?`,
      message:
        action === 'pause'
          ? t`Paused shifts are hidden from workers. Applicants stay.`
          : t`Workers can find and apply for reopened shifts again.`,
      buttons: [
        { value: 'yes', label: t`Only this shift` },
        { value: 'following', label: t`This and the later ones`, kind: 'out' },
        { value: 'no', label: t`Go back` },
      ],
    });
    return choice === 'following' ? choice : choice === 'yes';
  };

  const confirmPublish = async (job: ActedJob): Promise<boolean> => {
    const fullJob = 'member' in job ? job : await api.jobs.get({ jobId: job.id });
    const doubts = jobDoubts(termsOfJob(fullJob), new Date());
    // A form has shown the cost and the other shifts of the day; the menu of a list has not.
    if ('member' in job) return acceptDoubts(doubts, t`Publish as it is`);
    doubts.push(...(await plannedDoubts(fullJob)));
    const cost = costWhenFilled(fullJob);
    if (doubts.length > 0) return acceptDoubts([...doubts, ...cost], t`Publish as it is`);
    return acceptDoubts(cost, t`Publish`, t`Publish this job?`);
  };

  const confirmDelete = async (job: ActedJob): Promise<boolean> => {
    const choice = await showAlert({
      title: t`Delete this draft?`,
      message: t`${job.title} will be deleted for your whole team. You can't undo this.`,
      buttons: [
        { value: 'yes', label: t`Delete draft`, kind: 'bad' },
        { value: 'no', label: t`Keep draft` },
      ],
    });
    return choice === 'yes';
  };

  return async (action: JobMoveAction, job: ActedJob): Promise<boolean | 'following' | 'block'> => {
    if (action === 'close') return confirmClose(job);
    if (action === 'pause' || action === 'reopen') return confirmInSeries(action, job);
    if (action === 'publish') return confirmPublish(job);
    return action === 'delete-draft' ? confirmDelete(job) : true;
  };
}

/** Returns a function that reports a successful move, and opens a new draft. */
function useMoveToasts() {
  const { t } = useLingui();
  const navigate = useNavigate();
  return (
    action: JobMoveAction,
    job: ActedJob,
    result: { id?: string; status?: string },
    seriesToasts: Partial<Record<JobMoveAction, string>> = {},
  ): void => {
    if (result.status === 'in_review') {
      showToast(t`We're checking ${job.title} before workers see it`);
      return;
    }
    const toasts: Record<JobMoveAction, string> = {
      publish: t`${job.title} published`,
      pause: t`${job.title} paused`,
      reopen: t`${job.title} reopened`,
      duplicate: t`Draft created`,
      close: t`${job.title} closed`,
      archive: t`${job.title} archived`,
      'delete-draft': t`Draft deleted`,
    };
    showToast(seriesToasts[action] ?? toasts[action]);
    if (action === 'duplicate' && result.id) navigate(`/create-job?job=${result.id}`);
  };
}

/** Returns a function that says why a move was refused, and offers the way to where it can be fixed. */
function useMoveRefusal() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const mayVerify = roleMay(useCurrentBusiness().business?.role ?? null, 'details');
  const ask = useAskForBudget();
  const refusals: Record<JobMoveAction, string> = {
    publish: t`The job wasn't published`,
    pause: t`The job wasn't paused`,
    reopen: t`The job wasn't reopened`,
    duplicate: t`The job wasn't duplicated`,
    close: t`The job wasn't closed`,
    archive: t`The job wasn't archived`,
    'delete-draft': t`The draft wasn't deleted`,
  };
  return async (action: JobMoveAction, job: ActedJob, error: unknown): Promise<void> => {
    const isFixable = isApiError(error, 'job/incomplete', 'job/starts-in-past', 'job/too-far-ahead');
    const limit = isApiError(error, 'job/open-limit');
    const short = shortBy(error);
    const over = isApiError(error, 'payment/over-budget') ? error.data : undefined;
    const choice = await showAlert({
      title: refusals[action],
      message: short
        ? t`An instant hire sets the pay aside. Add ${formatMoney(short.missingMinor, short.currency)} to your balance.`
        : errorText(error),
      tone: 'bad',
      buttons: [
        ...(isFixable ? [{ value: 'edit', label: t`Finish the job post` }] : []),
        ...(short ? [{ value: 'add', label: t`Add money` }] : []),
        ...(over ? [{ value: 'ask', label: t`Ask an owner` }] : []),
        ...(limit && mayVerify ? [{ value: 'verify', label: t`See verification` }] : []),
        { value: 'ok', label: t`OK` },
      ],
    });
    if (choice === 'edit')
      navigate(job.status === 'draft' ? `/create-job?job=${job.id}` : `/edit-job/${job.id}`);
    if (choice === 'add' && short) navigate(`/my-business?add=${short.missingMinor}`);
    if (choice === 'verify') navigate('/edit-business');
    if (choice === 'ask' && over)
      try {
        await ask.mutateAsync({ jobId: over.jobId, period: over.period, amountMinor: over.amountMinor });
        showToast(t`You asked the owners. We’ll notify you when they decide.`);
      } catch (failure) {
        showToast(errorText(failure));
      }
  };
}

export const movesOf = (job: ActedJob): JobMoveAction[] =>
  jobMoveActions.filter(
    (action) =>
      (job.actions as readonly string[]).includes(action) &&
      // The server would refuse to reopen a past shift.
      (action !== 'reopen' || !isStartedStanding(standingOf(job))),
  );

export const standingOf = (job: ActedJob): JobStanding =>
  jobStanding(job, 'hired' in job ? job.hired : (job.member?.hired ?? 0), new Date());
