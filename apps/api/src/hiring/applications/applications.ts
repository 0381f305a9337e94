import { applicantsPath } from '@nearhand/contract/app-paths';
import {
  type ApplicationInput,
  applications,
  type MyApplication,
} from '@nearhand/contract/hiring/applications';
import { liveApplicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import { decideByAt } from '@nearhand/contract/hiring/decide-by.rules';
import type { ShareChannel } from '@nearhand/contract/hiring/job-shares.rules';
import { type Job, jobCard } from '@nearhand/contract/hiring/jobs';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { z } from 'zod';
import { findOwnFile } from '../../people/files/files.ts';
import { AppError } from '../../platform/app-error.ts';
import { inOneRoundTrip } from '../../platform/database/pipelined.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTask } from '../../platform/tasks/tasks.ts';
import { postSystemMessage } from '../../talk/messages/system-messages.ts';
import { type ReaderRow, recruitersOf } from '../../talk/notification-settings/notification-settings.ts';
import { notifyReaders } from '../../talk/notifications/notifications.ts';
import { bookingsDuringJob } from '../../work/engagements/booking.ts';
import { hiringHooks } from '../hooks.ts';
import { markInvitationApplied } from '../invitations/invitations.ts';
import { findJob, requireWholeBlock } from '../jobs/job-transitions.ts';
import { viewJob } from '../jobs/job-views.ts';
import { findQuestions, lockJobRows } from '../jobs/jobs.sql.ts';
import { matchAtSubmit } from '../matching/match-scores.ts';
import { applicationActionsFor, requireApplicant, requireMove } from './application-access.ts';
import { notifyOf, postEndedLines } from './application-notices.ts';
import { getApplication, myApplications } from './application-views.ts';
import { answerProblems, decideByState, givenAnswers } from './applications.rules.ts';
import {
  findApplicationsOfJob,
  findRestOfBlocks,
  insertApplication,
  type LockedApplication,
  lockSubmissions,
  moveApplication,
  rewriteApplication,
} from './applications.sql.ts';

type ApplicationRef = { applicationId: string };
type Submission = ApplicationInput & {
  jobId: string;
  book?: boolean;
  channel?: ShareChannel;
  alsoFor?: string[];
  answeredJobId?: string;
};

async function readForSubmission(tx: Tx, scope: Scope, { jobId }: Pick<Submission, 'jobId'>) {
  const workerId = scope.actor.accountId;
  // Each query must run after the lock, to see concurrent commits.
  const [facts, job, bookings, recruiters] = await inOneRoundTrip(tx, (pipelined) =>
    Promise.all([
      lockSubmissions(pipelined, workerId, jobId),
      viewJob(pipelined, workerId, jobId, { withDates: false }),
      bookingsDuringJob(pipelined, workerId, jobId),
      recruitersOf(pipelined, jobId, 'application-received', scope.clock.now()),
    ]),
  );
  return { facts, job, bookings, recruiters };
}

type ReadForSubmission = Awaited<ReturnType<typeof readForSubmission>>;

/**
 * Applies in the caller's transaction, as instant hire does.
 * @throws as `submitApplication`
 */
export const applyForJob = async (tx: Tx, scope: Scope, input: Submission): Promise<MyApplication> =>
  submitApplication(tx, scope, input, await readForSubmission(tx, scope, input));

/**
 * Applies for an open job, and for the shifts of its series in `alsoFor`: all or none, in one conversation
 * and with one notice. A block requires all its dates (ADR 414). The answer to all of them is due before the
 * first starts. `answers` are to the questions of `answeredJobId`, a shift of the series; if absent, to the job's own.
 */
async function submitApplication(
  tx: Tx,
  scope: Scope,
  { alsoFor = [], answeredJobId, ...submission }: Submission,
  read: ReadForSubmission,
): Promise<MyApplication> {
  const givenAnswers = await readAnswered(tx, submission, read.job, answeredJobId);
  const forShift = (job: Job) => ({ ...submission, jobId: job.id, answers: answersTo(job, givenAnswers) });
  const input = forShift(read.job);
  if (alsoFor.length === 0) {
    if (read.job.seriesId !== null) await requireWholeBlock(tx, scope, [await findJob(tx, input.jobId)]);
    return submitForShift(tx, scope, input, read);
  }
  const jobs = await lockJobRows(tx, [input.jobId, ...alsoFor]);
  const seriesIds = new Set(jobs.map(({ seriesId }) => seriesId));
  if (jobs.length <= alsoFor.length || seriesIds.size > 1 || seriesIds.has(null) || input.book)
    throw new AppError('application/date-differs');
  await requireWholeBlock(tx, scope, jobs);
  const otherShifts: ReadForSubmission[] = [];
  for (const jobId of alsoFor) otherShifts.push(await readForSubmission(tx, scope, { jobId }));
  const starts = [read, ...otherShifts].flatMap(({ job }) =>
    job.startsAt === null ? [] : [Date.parse(job.startsAt)],
  );
  const shifts = { count: otherShifts.length + 1, firstStartsAt: new Date(Math.min(...starts)) };
  const application = await submitForShift(tx, scope, input, read, shifts);
  for (const shift of otherShifts)
    await submitForShift(tx, scope, forShift(shift.job), shift, { ...shifts, notifies: false });
  return application;
}

type Answered = Pick<Job, 'questions'> & Pick<Submission, 'jobId' | 'answers'>;

/** @throws job/not-found, application/date-differs, application/answers-invalid (data: issues) */
async function readAnswered(
  tx: Tx,
  { jobId, answers }: Submission,
  job: Job,
  answeredJobId = jobId,
): Promise<Answered> {
  if (answeredJobId === jobId) return { jobId, answers, questions: job.questions };
  const [{ seriesId }, shift] = [await findJob(tx, answeredJobId), await findJob(tx, jobId)];
  if (seriesId === null || seriesId !== shift.seriesId) throw new AppError('application/date-differs');
  const questions = await findQuestions(tx, [answeredJobId]);
  requireAnswers(questions, answers);
  return { jobId: answeredJobId, answers, questions };
}

/**
 * Each shift of a series has its own questions.
 * @throws application/date-differs if they are not the same
 */
const answersTo = (job: Job, { jobId, answers, questions }: Answered): ApplicationInput['answers'] =>
  job.id === jobId
    ? answers
    : job.questions.flatMap(({ id, prompt, kind }) => {
        const sameQuestion = questions.find(
          (question) => question.prompt === prompt && question.kind === kind,
        );
        if (!sameQuestion) throw new AppError('application/date-differs');
        return answers.flatMap(({ questionId, value }) =>
          questionId === sameQuestion.id ? [{ questionId: id, value }] : [],
        );
      });

/** The shifts of a series that someone applies for at once. Only the first `notifies`. */
type Shifts = { count: number; firstStartsAt: Date; notifies?: boolean };

/**
 * Applies for an open job; with `book`, a qualified worker is hired at once. An answer is due in 14 days
 * (product.md).
 * @throws job/not-found, job/not-open, job/filled, engagement/overlap, application/booking-required,
 * application/not-bookable, application/own-business, application/already-applied (data: applicationId),
 * application/name-required, application/cv-required, application/answers-invalid (data: issues),
 * application/daily-limit (data: limit), file/not-found, file/wrong-type
 */
async function submitForShift(
  tx: Tx,
  scope: Scope,
  input: Submission,
  read: ReadForSubmission,
  shifts: Shifts | null = null,
): Promise<MyApplication> {
  const { jobId } = input;
  const workerId = scope.actor.accountId;
  const { facts, job, bookings, recruiters } = read;
  if (facts?.ownBusiness) throw new AppError('application/own-business');
  requireApplicable(job);
  // The business must be able to address its applicants.
  if (!facts?.workerName.trim()) throw new AppError('application/name-required');
  requireContent(job, input);
  const cv = input.cvFileId === null ? null : await findOwnFile(tx, workerId, input.cvFileId, 'cv');
  requireFree(bookings);
  // Locks the job before the application is written, to serialize a race for the last spot (ADR 39).
  const isHiredAtOnce =
    job.instantHire && (await hiringHooks.needs.wouldHireAtOnce(tx, scope, { jobId, workerId }));
  if (isHiredAtOnce && !input.book) throw new AppError('application/booking-required');
  if (!isHiredAtOnce && input.book) throw new AppError('application/not-bookable');
  const now = scope.clock.now();
  const decideBy = decideByAt(
    now,
    scope.config.DECIDE_BY_DAYS,
    shifts?.firstStartsAt ?? (job.startsAt === null ? null : new Date(job.startsAt)),
    job.timeZone,
  );
  const notifies = shifts?.notifies ?? true;
  const applicationId = newId(now);
  const answers = givenAnswers(input.answers);
  const row = {
    id: applicationId,
    moveId: newId(now),
    jobId,
    workerId,
    coverNote: input.coverNote,
    answers,
    questions: job.questions,
    cvFileId: cv?.id ?? null,
    channel: input.channel ?? null,
    now,
    decideBy,
    ...(await matchAtSubmit(tx, scope, workerId, job, facts)),
  };
  const options = {
    perDay: scope.config.APPLICATIONS_PER_DAY,
    clockTask: clockTaskName,
    clockKey: clockKey(applicationId),
    clockAt: decideByState(now, { submittedAt: now, decideBy }, hiringLimits.nudgeDays).next,
    isInvited: facts.invitation !== null,
  };
  const submitted = { id: applicationId, at: now, decideBy };
  // If no application is inserted, the transaction also rolls back the chat message and the notices.
  const [application] = await inOneRoundTrip(tx, (pipelined) =>
    Promise.all([
      insertApplication(pipelined, row, options),
      ...(notifies
        ? [
            postSystemMessage(pipelined, scope, {
              jobId,
              workerId,
              line: 'applied',
              data: shifts ? { count: shifts.count } : {},
              key: applicationId,
            }),
          ]
        : []),
      ...(notifies && !isHiredAtOnce
        ? [
            notifyOfNew(pipelined, scope, job, {
              ...submitted,
              workerName: facts.workerName,
              count: shifts?.count ?? 1,
              recruiters,
            }),
          ]
        : []),
    ]),
  );
  if (!application) {
    requireApplicable(await viewJob(tx, workerId, jobId, { withDates: false }));
    throw new AppError('application/daily-limit', { limit: scope.config.APPLICATIONS_PER_DAY });
  }
  if (facts.invitation === 'sent') await markInvitationApplied(tx, scope, { jobId, workerId });
  if (isHiredAtOnce) {
    await hiringHooks.needs.hireAtOnce(tx, scope, { applicationId, jobId, workerId });
    return getApplication(tx, scope, { applicationId });
  }
  return toSubmittedApplication(job, submitted, { coverNote: input.coverNote, answers, cv });
}

type Submitted = { id: string; at: Date; decideBy: Date };

const notifyOfNew = (
  tx: Tx,
  scope: Scope,
  job: Job,
  {
    id,
    decideBy,
    workerName,
    count,
    recruiters,
  }: Submitted & {
    workerName: string;
    count: number;
    recruiters: ReadonlyMap<string, ReaderRow>;
  },
): Promise<void> =>
  notifyReaders(
    tx,
    scope,
    [...recruiters.keys()].map((accountId) => ({
      accountId,
      topic: 'application-received',
      data: {
        jobTitle: job.title,
        businessName: job.business.name,
        workerName,
        decideBy: decideBy.toISOString(),
        timeZone: job.timeZone,
        side: 'business',
        count: count > 1 ? count : undefined,
      },
      path: applicantsPath(job.id, id),
      dedupeKey: `application-received/${id}`,
    })),
    recruiters,
  );

function toSubmittedApplication(
  job: Job,
  { id, at, decideBy }: Submitted,
  content: Pick<MyApplication, 'coverNote' | 'answers' | 'cv'>,
): MyApplication {
  return {
    id,
    version: 1,
    status: 'submitted',
    origin: 'applied',
    ...content,
    submittedAt: at.toISOString(),
    viewedAt: null,
    decideBy: decideBy.toISOString(),
    steps: [{ status: 'submitted', at: at.toISOString(), reason: null, rejectReason: null }],
    interview: null,
    offer: null,
    engagementId: null,
    workEnding: null,
    waitlist: null,
    actions: applicationActionsFor('worker', 'submitted'),
    job: myJobCard(job),
  };
}

const cardKeys = [
  ...Object.keys(jobCard.shape),
  'status',
  'seriesId',
  'questions',
] as (keyof MyApplication['job'])[];

const myJobCard = (job: Job): MyApplication['job'] =>
  Object.fromEntries(cardKeys.map((key) => [key, job[key]])) as MyApplication['job'];

function requireApplicable(job: Job): void {
  if (job.member !== null) throw new AppError('application/own-business');
  if (job.myApplication !== null)
    throw new AppError('application/already-applied', { applicationId: job.myApplication.id });
  if (job.status === 'filled') throw new AppError('job/filled');
  if (job.status !== 'open') throw new AppError('job/not-open', { status: job.status });
}

function requireFree([booking]: Awaited<ReturnType<typeof bookingsDuringJob>>): void {
  if (!booking) return;
  throw new AppError('engagement/overlap', {
    title: booking.title,
    startsAt: booking.startsAt,
    endsAt: booking.endsAt,
  });
}

function requireContent(
  job: Pick<Job, 'cvRequired' | 'questions'>,
  input: Pick<ApplicationInput, 'answers' | 'cvFileId'>,
): void {
  if (job.cvRequired && input.cvFileId === null) throw new AppError('application/cv-required');
  requireAnswers(job.questions, input.answers);
}

function requireAnswers(questions: Job['questions'], answers: ApplicationInput['answers']): void {
  const issues = answerProblems(questions, answers);
  if (issues.length > 0) throw new AppError('application/answers-invalid', { issues });
}

/** Edits the caller's application until it is viewed; absent fields stay. */
async function updateApplication(
  tx: Tx,
  scope: Scope,
  input: Partial<ApplicationInput> & { applicationId: string; version: number },
): Promise<MyApplication> {
  const workerId = scope.actor.accountId;
  const { row } = await requireMove(tx, scope, input.applicationId, 'edit', input.version);
  const job = await viewJob(tx, workerId, row.jobId);
  const coverNote = input.coverNote ?? row.coverNote;
  const answers = input.answers ?? storedAnswers(row, job);
  const cvFileId = input.cvFileId === undefined ? row.cvFileId : input.cvFileId;
  requireContent(job, { answers, cvFileId });
  if (cvFileId !== null && cvFileId !== row.cvFileId) await findOwnFile(tx, workerId, cvFileId, 'cv');
  const now = scope.clock.now();
  const isUpdated = await rewriteApplication(tx, {
    id: row.id,
    moveId: newId(now),
    version: row.version,
    workerId,
    coverNote,
    answers: givenAnswers(answers),
    questions: job.questions,
    cvFileId,
    at: now,
  });
  if (!isUpdated) throw new AppError('application/stale');
  const day = now.toISOString().slice(0, 10);
  await notifyOf(tx, scope, signalsTo(row), { recruiters: 'application-changed', event: `${row.id}/${day}` });
  return getApplication(tx, scope, input);
}

const storedAnswers = (row: LockedApplication, job: Job) =>
  row.answers.filter(({ questionId }) => job.questions.some(({ id }) => id === questionId));

/**
 * Withdraws the caller's application before a hire, those for the rest of its block, and their applications to the shifts
 * in `alsoFor` of the same series: all or none.
 */
export async function withdrawApplication(
  tx: Tx,
  scope: Scope,
  { applicationId, alsoFor = [] }: ApplicationRef & { alsoFor?: string[] },
): Promise<MyApplication> {
  const { accountId } = scope.actor;
  const namedIds = [...new Set([applicationId, ...alsoFor])];
  const applicationIds = [...namedIds, ...(await findRestOfBlocks(tx, namedIds))];
  const jobIds: string[] = [];
  for (const id of applicationIds) jobIds.push((await requireApplicant(tx, accountId, id, 'withdraw')).jobId);
  // An ended offer frees its spot, and spots may change only under the job's lock (ADR 38).
  const jobs = await lockJobRows(tx, jobIds);
  const [first] = jobs;
  if (jobIds.length > 1 && jobs.some(({ seriesId }) => seriesId === null || seriesId !== first?.seriesId))
    throw new AppError('application/date-differs');
  const withdrawn: LockedApplication[] = [];
  for (const id of applicationIds.toSorted()) {
    const row = await withdrawShift(tx, scope, id);
    if (row) withdrawn.push(row);
  }
  const [firstWithdrawn] = withdrawn;
  if (firstWithdrawn) {
    await postEndedLines(tx, scope, [firstWithdrawn], 'withdrawn', { count: withdrawn.length });
    await notifyOf(tx, scope, signalsTo(firstWithdrawn), { recruiters: 'application-withdrawn' });
  }
  return getApplication(tx, scope, { applicationId });
}

async function withdrawShift(tx: Tx, scope: Scope, applicationId: string): Promise<LockedApplication | null> {
  const { accountId } = scope.actor;
  const { row, to } = await requireMove(tx, scope, applicationId, 'withdraw');
  if (to === row.status) return null;
  const now = scope.clock.now();
  const change = {
    id: newId(now),
    applicationId,
    actor: accountId,
    action: 'withdraw',
    from: row.status,
    to,
  };
  if (!(await moveApplication(tx, { ...change, at: now }))) throw new AppError('application/wrong-state');
  await cancelTask(tx, clockKey(applicationId));
  await hiringHooks.on.applicationsEnded(tx, scope, [applicationId], { by: accountId, reason: null });
  await hiringHooks.on.offersEnded(tx, scope, [applicationId], {
    by: accountId,
    to: 'declined',
    reason: null,
  });
  return row;
}

const signalsTo = (row: LockedApplication) => ({
  id: row.id,
  jobId: row.jobId,
  workerId: row.workerId,
  decideBy: row.decideBy,
});

const clockTaskName = 'applications.clock';
/** Deduplicates the deadline task: one per application, moved rather than added. */
export const clockKey = (applicationId: string): string => `${clockTaskName}/${applicationId}`;

export const applicationTimerTask = { name: clockTaskName, payload: z.object({ applicationId: z.uuid() }) };

export async function liveApplicantsOf(
  db: Db,
  jobId: string,
): Promise<{ applicationId: string; workerId: string }[]> {
  const rows = await findApplicationsOfJob(db, jobId, liveApplicationStatuses);
  return rows.map((row) => ({ applicationId: row.id, workerId: row.workerId }));
}

export const applicationsRoutes = {
  submit: write(applications.submit, submitApplication, { first: readForSubmission }),
  mine: read(applications.mine, myApplications),
  get: read(applications.get, getApplication),
  update: write(applications.update, updateApplication),
  withdraw: write(applications.withdraw, withdrawApplication),
};
