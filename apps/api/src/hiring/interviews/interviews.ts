import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { interviewAnswerBy } from '@nearhand/contract/hiring/decide-by.rules';
import {
  type Interview,
  type InterviewAction,
  type InterviewMode,
  type InterviewOutcome,
  interviews,
} from '@nearhand/contract/hiring/interviews';
import { stillHires } from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { phone } from '@nearhand/contract/people/profiles';
import { relationTo } from '@nearhand/contract/people/team.rules';
import { otherSide, type Side } from '@nearhand/contract/sides';
import type { Updateable } from 'kysely';
import { z } from 'zod';
import { changedBy, lastMove } from '../../people/businesses/changed-by.ts';
import { hiringBusiness } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ClockConfigScope, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';

import type { Interviews } from '../../platform/tables.gen.ts';
import { cancelTasks, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { makeApplicationMove, postponeDecideBy } from '../applications/application-transitions.ts';
import { hiringHooks } from '../hooks.ts';
import { lockJobRows } from '../jobs/jobs.sql.ts';
import { rankWorker } from '../matching/ranking.ts';
import { notifyOfInterview } from './interview-notices.ts';
import { canInterview, getInterview, interviewSide, myInterviews } from './interview-views.ts';
import {
  attendanceContestBy,
  awaitedSide,
  decideAfter,
  type InterviewMoveName,
  interviewEnd,
  interviewNoShowFrom,
  interviewProblem,
  isAlwaysNew,
  nextInterviewStatus,
} from './interviews.rules.ts';
import {
  countProposedSince,
  coverApplications,
  findCovered,
  findProposalPlace,
  findSlot,
  findSlots,
  type InterviewRow,
  insertInterview,
  insertInterviewMove,
  type LockedInterview,
  lockForProposal,
  lockInterview,
  replaceSlots,
  updateInterview,
} from './interviews.sql.ts';

const hoursBefore = (at: Date, hours: number) => subtractMs(at, hours * hourMs);

const setLapse = (tx: Tx, interviewId: string, at: Date): Promise<void> =>
  enqueue(tx, lapseInterviewTask, { interviewId }, { runAt: at, key: lapseKey(interviewId) });

async function scheduleReminders(
  tx: Tx,
  scope: ClockConfigScope,
  row: { id: string; startsAt: Date; minutes: number },
): Promise<void> {
  const payload = { interviewId: row.id, startsAt: row.startsAt.toISOString() };
  await cancelTasks(tx, [lapseKey(row.id)]);
  for (const hours of scope.config.INTERVIEW_REMINDER_HOURS) {
    const runAt = hoursBefore(row.startsAt, hours);
    if (runAt > scope.clock.now())
      await enqueue(
        tx,
        remindOfInterviewTask,
        { ...payload, hours },
        { runAt, key: reminderKey(row.id, hours) },
      );
  }
  await enqueue(tx, askOutcomeTask, payload, { runAt: outcomeDueAt(row), key: outcomeKey(row.id) });
}

const outcomeDueAt = (row: { startsAt: Date; minutes: number }) =>
  addMs(interviewEnd(row) ?? row.startsAt, hiringLimits.interviewOutcomeDueHours * hourMs);

/** Ends an unanswered proposal. Idempotent; reschedules itself if it runs early. */
export async function lapseInterview(scope: TaskScope, interviewId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockInterview(tx, interviewId, null);
    if (!row?.answerBy) return;
    if (scope.clock.now() < row.answerBy) return setLapse(tx, interviewId, row.answerBy);
    const lapsedInterview = await moveInterview(tx, scope, row, {
      action: 'lapse',
      mover: { side: 'timer' },
    });
    await reshortlist(tx, scope, row, { side: 'timer' });
    await notifyOfInterview(tx, scope, {
      topic: 'interview-lapsed',
      to: ['worker', 'business'],
      interview: lapsedInterview,
    });
  });
}

/** Reminds both sides, once per scheduled time (ADR 36). */
export async function remindOfInterview(
  scope: TaskScope,
  { interviewId, startsAt, hours }: z.infer<typeof reminderPayload>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockInterview(tx, interviewId, null);
    if (!row || !isScheduledAt(row, startsAt)) return;
    const now = scope.clock.now();
    const runAt = hoursBefore(row.startsAt, hours);
    if (now >= row.startsAt) return;
    if (now < runAt)
      return enqueue(
        tx,
        remindOfInterviewTask,
        { interviewId, startsAt, hours },
        { runAt, key: reminderKey(interviewId, hours) },
      );
    await notifyOfInterview(tx, scope, {
      topic: 'interview-reminder',
      to: ['worker', 'business'],
      interview: row,
      event: `${startsAt}/${hours}`,
      data: { count: hours, mode: row.mode, where: row.whereText },
    });
  });
}

/** Asks recruiters for the outcome of an interview that has ended. */
export async function askOutcome(
  scope: TaskScope,
  { interviewId, startsAt }: z.infer<typeof scheduledTime>,
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockInterview(tx, interviewId, null);
    if (!row || !isScheduledAt(row, startsAt)) return;
    const runAt = outcomeDueAt(row);
    if (scope.clock.now() < runAt)
      return enqueue(tx, askOutcomeTask, { interviewId, startsAt }, { runAt, key: outcomeKey(interviewId) });
    await notifyOfInterview(tx, scope, {
      topic: 'interview-outcome-due',
      to: ['business'],
      interview: row,
      event: startsAt,
    });
  });
}

const isScheduledAt = <Row extends Pick<InterviewRow, 'status' | 'startsAt'>>(
  row: Row,
  startsAt: string,
): row is Row & { startsAt: Date } =>
  row.status === 'scheduled' && row.startsAt?.getTime() === Date.parse(startsAt);

const scheduledTime = z.object({ interviewId: z.uuid(), startsAt: z.iso.datetime() });
const reminderPayload = scheduledTime.extend({ hours: z.number().int() });

const lapseInterviewTask = defineTask({
  name: 'interviews.lapse',
  payload: z.object({ interviewId: z.uuid() }),
  run: (scope, { interviewId }) => lapseInterview(scope, interviewId),
});
const remindOfInterviewTask = defineTask({
  name: 'interviews.remind',
  payload: reminderPayload,
  run: remindOfInterview,
});
const askOutcomeTask = defineTask({
  name: 'interviews.ask-outcome',
  payload: scheduledTime,
  run: askOutcome,
});

const lapseKey = (interviewId: string): string => `interviews.lapse/${interviewId}`;
const reminderKey = (interviewId: string, hours: number): string =>
  `interviews.remind/${interviewId}/${hours}`;
const outcomeKey = (interviewId: string): string => `interviews.ask-outcome/${interviewId}`;

type InterviewRef = { interviewId: string; version: number };

/** Marks an interview as held, with a private outcome; possible once it has started. For recruiters. */
export async function completeInterview(
  tx: Tx,
  scope: Scope,
  input: InterviewRef & { outcome: InterviewOutcome; notes: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'complete');
  await moveInterview(tx, scope, row, {
    action: 'complete',
    mover,
    changes: { outcome: input.outcome, notes: input.notes },
  });
  return getInterview(tx, scope, input);
}

/** Reports a no-show, from 15 minutes after the start. */
export async function reportInterviewNoShow(tx: Tx, scope: Scope, input: InterviewRef): Promise<Interview> {
  const { row, mover, repeat } = await openInterview(tx, scope, input, 'report-no-show');
  if (!repeat) {
    const now = scope.clock.now();
    const moved = await moveInterview(tx, scope, row, {
      action: 'report-no-show',
      mover,
      changes: { noShowAt: now },
    });
    await reshortlist(tx, scope, row, mover);
    if (mover.side === 'business') {
      await rankWorker(tx, row.workerId);
      await rankWorker(tx, row.workerId, attendanceContestBy(now, scope.config));
    }
    await notifyOfInterview(tx, scope, {
      topic: 'interview-no-show',
      to: [otherSide(mover.side)],
      interview: moved,
      exceptAccountId: mover.accountId,
      data: { by: attendanceContestBy(now, scope.config).toISOString() },
    });
  }
  return getInterview(tx, scope, input);
}

/** Contests a no-show within 24 hours, once. For the reported side. */
async function contestInterview(
  tx: Tx,
  scope: Scope,
  input: InterviewRef & { note: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'contest');
  const moved = await moveInterview(tx, scope, row, {
    action: 'contest',
    mover,
    changes: { contest: input.note },
    reason: input.note,
  });
  await notifyOfInterview(tx, scope, {
    topic: 'interview-contested',
    to: [otherSide(mover.side)],
    interview: moved,
    exceptAccountId: mover.accountId,
    data: { reason: input.note },
  });
  return getInterview(tx, scope, input);
}

/**
 * Proposes one to five interview times within 90 days. `where` defaults to a public job place (ADR 8). In a
 * series it covers all shifts that the worker applied for and that are not decided.
 */
export async function proposeInterview(
  tx: Tx,
  scope: Scope,
  input: {
    applicationId: string;
    mode: InterviewMode;
    where?: string;
    minutes: number;
    slots: string[];
    message: string;
  },
): Promise<Interview> {
  const { accountId } = scope.actor;
  const { applicationId, mode, minutes, message } = input;
  const now = scope.clock.now();
  const { place, facts, coveredIds } = await lockApplicationToMeet(tx, { accountId, now }, applicationId);
  const limit = hiringLimits.interviewsPerDay;
  if ((await countProposedSince(tx, applicationId, subtractMs(now, dayMs))) >= limit)
    throw new AppError('interview/too-many', { limit });
  const { times, last } = requireSlots(input.slots, now);
  const { where, problem } = readWhere(mode, input.where, facts.address);
  if (problem !== null) throw new AppError(`interview/${problem}`);
  for (const id of [applicationId, ...coveredIds]) {
    const move = {
      applicationId: id,
      action: 'propose-interview',
      who: 'business',
      actor: accountId,
    } as const;
    await makeApplicationMove(tx, scope, move);
    await postponeDecideBy(tx, scope, id, decideAfter(last, minutes));
  }
  const interviewId = newId(now);
  const by = interviewAnswerBy(now, scope.config.INTERVIEW_ANSWER_HOURS, last, facts.timeZone);
  await insertInterview(tx, {
    id: interviewId,
    applicationId,
    jobId: place.jobId,
    businessId: place.businessId,
    workerId: place.workerId,
    status: 'proposed',
    mode,
    whereText: where,
    minutes,
    message,
    firstAt: times[0] ?? last,
    answerBy: by,
    createdAt: now,
    updatedAt: now,
  });
  await coverApplications(tx, interviewId, [applicationId, ...coveredIds]);
  await replaceSlots(tx, interviewId, withIds(times, now));
  await insertInterviewMove(tx, {
    id: newId(now),
    interviewId,
    actor: accountId,
    side: 'business',
    action: 'propose',
    fromStatus: null,
    toStatus: 'proposed',
    reason: null,
    at: now,
  });
  await setLapse(tx, interviewId, by);
  await notifyOfInterview(tx, scope, {
    topic: 'interview-proposed',
    to: ['worker'],
    interview: { id: interviewId, version: 1, startsAt: null, minutes },
    data: { by: by.toISOString(), count: times.length, mode },
  });
  return getInterview(tx, scope, { interviewId });
}

/** Locks business, jobs and applications, in this order (ADR 38). */
async function lockApplicationToMeet(
  tx: Tx,
  { accountId, now }: { accountId: string; now: Date },
  applicationId: string,
) {
  const place = await findProposalPlace(tx, applicationId, accountId);
  const relation = relationTo(place, accountId);
  if (!place || relation === null) throw new AppError('application/not-found');
  if (interviewSide(relation) !== 'business') throw new AppError('application/not-allowed');
  await hiringBusiness(tx, place.businessId);
  const covered = await findCovered(tx, applicationId, { accountId, now });
  const jobs = await lockJobRows(tx, [place.jobId, ...covered.map(({ jobId }) => jobId)]);
  const isHiringFor = ({ jobId }: { jobId: string }) =>
    jobs.some(({ id, status }) => id === jobId && stillHires(status));
  const status = jobs.find(({ id }) => id === place.jobId)?.status;
  if (!isHiringFor(place)) throw new AppError('job/wrong-state', { status: status ?? 'closed' });
  const otherIds = covered.filter(isHiringFor).map(({ id }) => id);
  const [facts, ...otherFacts] = await lockForProposal(
    tx,
    applicationId,
    otherIds.filter((id) => id !== applicationId),
  );
  if (facts?.id !== applicationId) throw new AppError('application/not-found');
  if (facts.live) throw new AppError('interview/already-open');
  return { place, facts, coveredIds: otherFacts.filter(({ live }) => !live).map(({ id }) => id) };
}

/**
 * Picks a proposed time. For the side whose turn it is; a side that suggested others may still pick one that the
 * other side proposed before. `timeZone` lets the business see the worker's time.
 */
export async function pickInterview(
  tx: Tx,
  scope: Scope,
  input: InterviewRef & { slotId: string; timeZone?: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'pick');
  const zone = knownZone(input.timeZone);
  const startsAt = await findSlot(tx, row.id, input.slotId, awaitedSide(row) !== mover.side);
  if (!startsAt) throw new AppError('interview/slot-not-found');
  const now = scope.clock.now();
  if (startsAt <= now) throw new AppError('interview/slot-in-past');
  const moved = await moveInterview(tx, scope, row, {
    action: 'pick',
    mover,
    changes: {
      startsAt,
      workerZone: mover.side === 'worker' && zone !== null ? zone : undefined,
    },
  });
  const interview = { ...moved, startsAt };
  await scheduleReminders(tx, scope, interview);
  await hiringHooks.on.interviewAgreed(tx, scope, row);
  await notifyOfInterview(tx, scope, {
    topic: 'interview-scheduled',
    to: [otherSide(mover.side)],
    interview,
    exceptAccountId: mover.accountId,
  });
  return getInterview(tx, scope, input);
}

/**
 * Answers proposed times with one to five others, for the other side to answer. For the side whose turn it is; both
 * together at most four times. `timeZone` lets the business see the worker's time.
 */
async function suggestInterviewTimes(
  tx: Tx,
  scope: Scope,
  input: InterviewRef & { slots: string[]; note: string; timeZone?: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'suggest');
  const zone = knownZone(input.timeZone);
  const now = scope.clock.now();
  const { times, last } = requireSlots(input.slots, now, {
    standing: await findSlots(tx, row.id),
    workStartsAt: row.workStartsAt,
  });
  const by = interviewAnswerBy(now, scope.config.INTERVIEW_ANSWER_HOURS, last, row.timeZone);
  const moved = await moveInterview(tx, scope, row, {
    action: 'suggest',
    mover,
    changes: {
      answerBy: by,
      firstAt: times[0] ?? last,
      proposedBy: mover.side,
      suggestions: row.suggestions + 1,
      workerZone: mover.side === 'worker' && zone !== null ? zone : undefined,
    },
    reason: input.note || null,
    slots: times,
  });
  for (const id of row.interviewingIds) await postponeDecideBy(tx, scope, id, decideAfter(last, row.minutes));
  await setLapse(tx, row.id, by);
  await notifyOfInterview(tx, scope, {
    topic: 'interview-times-suggested',
    to: [otherSide(mover.side)],
    interview: moved,
    exceptAccountId: mover.accountId,
    data: { by: by.toISOString(), count: times.length, mode: row.mode, reason: input.note },
  });
  return getInterview(tx, scope, input);
}

/** Asks to reschedule an interview; at most twice, not within 12 hours of its start. For either side. */
export async function rescheduleInterview(
  tx: Tx,
  scope: Scope,
  input: InterviewRef & { slots: string[]; reason: string },
): Promise<Interview> {
  const { row, mover } = await openInterview(tx, scope, input, 'reschedule');
  const standing = row.startsAt;
  if (!standing) throw new AppError('interview/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const { times, last } = requireSlots(input.slots, now, { standing: [standing] });
  const by = interviewAnswerBy(
    now,
    scope.config.INTERVIEW_ANSWER_HOURS,
    new Date(Math.min(+last, +standing)),
    row.timeZone,
  );
  const moved = await moveInterview(tx, scope, row, {
    action: 'reschedule',
    mover,
    changes: {
      answerBy: by,
      reschedules: row.reschedules + 1,
      rescheduleBy: mover.side,
      rescheduleReason: input.reason,
    },
    reason: input.reason || null,
    slots: times,
  });
  for (const id of row.interviewingIds) await postponeDecideBy(tx, scope, id, decideAfter(last, row.minutes));
  await setLapse(tx, row.id, by);
  await notifyOfInterview(tx, scope, {
    topic: 'interview-reschedule-asked',
    to: [otherSide(mover.side)],
    interview: moved,
    exceptAccountId: mover.accountId,
    data: { by: by.toISOString(), count: times.length, reason: input.reason },
  });
  return getInterview(tx, scope, input);
}

/** Keeps the old time, either in reply to a request or by withdrawing one. For either side. */
async function keepInterview(tx: Tx, scope: Scope, input: InterviewRef): Promise<Interview> {
  const { row, mover, repeat } = await openInterview(tx, scope, input, 'keep');
  if (!repeat && row.startsAt) {
    const moved = await moveInterview(tx, scope, row, { action: 'keep', mover });
    const interview = { ...moved, startsAt: row.startsAt };
    await scheduleReminders(tx, scope, interview);
    await notifyOfInterview(tx, scope, {
      topic: 'interview-kept',
      to: [otherSide(mover.side)],
      interview,
      exceptAccountId: mover.accountId,
    });
  }
  return getInterview(tx, scope, input);
}

/** Cancels an interview before its start. For either side. */
export async function cancelInterview(
  tx: Tx,
  scope: Scope,
  input: InterviewRef & { reason: string },
): Promise<Interview> {
  const { row, mover, repeat } = await openInterview(tx, scope, input, 'cancel');
  if (!repeat) {
    const moved = await moveInterview(tx, scope, row, {
      action: 'cancel',
      mover,
      reason: input.reason || null,
    });
    await reshortlist(tx, scope, row, mover);
    await notifyOfInterview(tx, scope, {
      topic: 'interview-cancelled',
      to: [otherSide(mover.side)],
      interview: moved,
      exceptAccountId: mover.accountId,
      data: { reason: input.reason },
    });
  }
  return getInterview(tx, scope, input);
}

type SlotBounds = { standing?: readonly Date[]; workStartsAt?: Date | null };

function requireSlots(slots: readonly string[], now: Date, bounds: SlotBounds = {}) {
  const { times, problem } = readSlots(slots, now, bounds);
  const last = times.at(-1);
  if (problem !== null || !last) throw new AppError(`interview/${problem ?? 'slot-in-past'}`);
  return { times, last };
}

const withIds = (times: readonly Date[], now: Date) => times.map((at) => ({ id: newId(now), startsAt: at }));

type SlotProblem = 'slot-in-past' | 'slot-too-far' | 'slots-repeated' | 'slot-after-start';

function readSlots(
  slots: readonly string[],
  now: Date,
  { standing = [], workStartsAt = null }: SlotBounds,
): { times: Date[]; problem: SlotProblem | null } {
  const minutes = slots.map((text) => Math.floor(new Date(text).getTime() / minuteMs) * minuteMs);
  const times = minutes.sort((a, b) => a - b).map((at) => new Date(at));
  const distinct = new Set(minutes);
  for (const time of standing) distinct.delete(time.getTime());
  if (distinct.size < slots.length) return { times, problem: 'slots-repeated' };
  if (times.some((at) => at <= now)) return { times, problem: 'slot-in-past' };
  if (workStartsAt && times.some((at) => at >= workStartsAt)) return { times, problem: 'slot-after-start' };
  const farthest = now.getTime() + hiringLimits.interviewAheadDays * dayMs;
  return { times, problem: times.some((at) => at.getTime() > farthest) ? 'slot-too-far' : null };
}

type WhereProblem = 'where-missing' | 'where-invalid';

/** Rejects a link with credentials, because it shows one host and leads to another. */
function readWhere(
  mode: InterviewMode,
  address: string | undefined,
  place: string,
): { where: string; problem: WhereProblem | null } {
  if (address === undefined)
    return mode === 'in_person' && place !== ''
      ? { where: place, problem: null }
      : { where: '', problem: 'where-missing' };
  if (mode === 'in_person') return { where: address, problem: null };
  if (mode === 'phone') {
    const parsed = phone.safeParse(address);
    return parsed.success ? { where: parsed.data, problem: null } : { where: '', problem: 'where-invalid' };
  }
  const link = URL.canParse(address) ? new URL(address) : null;
  const isSafeLink =
    link?.protocol === 'https:' && link.username === '' && link.password === '' && link.hostname !== '';
  return isSafeLink ? { where: link.href, problem: null } : { where: '', problem: 'where-invalid' };
}

/** @throws request/invalid */
function knownZone(name: string | undefined): string | null {
  const zone = name === undefined ? null : validZone(name);
  if (name !== undefined && zone === null)
    throw new AppError('request/invalid', { issues: [{ path: 'timeZone', message: 'a known time zone' }] });
  return zone;
}

function validZone(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

type InterviewMover = { side: Side; accountId: string } | { side: 'timer' };

/**
 * Locks an interview for a move of the caller; a `repeat` writes nothing.
 * @throws interview/not-found, interview/not-allowed, interview/stale (data: status, by),
 * interview/wrong-state (data: status), interview/too-early (data: from),
 * interview/suggestion-limit, interview/reschedule-limit, interview/reschedule-too-late, interview/contest-over
 */
async function openInterview(
  tx: Tx,
  scope: Scope,
  input: { interviewId: string; version: number },
  action: InterviewAction,
): Promise<{ row: LockedInterview; mover: { side: Side; accountId: string }; repeat: boolean }> {
  const { accountId } = scope.actor;
  const row = await lockInterview(tx, input.interviewId, accountId);
  const relation = relationTo(row, accountId);
  const side = interviewSide(relation);
  if (!row || side === null) throw new AppError('interview/not-found');
  if (!canInterview(side, action)) throw new AppError('interview/not-allowed');
  if (input.version !== row.version) {
    const last = await lastMove(tx, 'interview_moves', row.id);
    // The second click of a double click sends the version before the caller's own move (product.md, States).
    const repeats =
      last?.actor === accountId &&
      last.action === action &&
      !isAlwaysNew(action) &&
      nextInterviewStatus(row.status, action, side) === row.status;
    if (!repeats || input.version > row.version)
      throw new AppError('interview/stale', {
        status: row.status,
        ...(await changedBy(tx, row, side, last)),
      });
  }
  const problem = interviewProblem(row, action, side, scope.clock.now(), scope.config);
  if (problem !== null)
    throw new AppError(
      `interview/${problem}`,
      problem === 'too-early' && row.startsAt
        ? {
            from: (action === 'complete'
              ? row.startsAt
              : interviewNoShowFrom(row.startsAt, scope.config)
            ).toISOString(),
          }
        : { status: row.status },
    );
  const to = nextInterviewStatus(row.status, action, side);
  return { row, mover: { side, accountId }, repeat: to === row.status && !isAlwaysNew(action) };
}

/**
 * Makes and logs one move of a locked interview. Returns the row with its new version; other columns are as before.
 * @throws interview/wrong-state, interview/stale
 */
async function moveInterview(
  tx: Tx,
  scope: ClockScope,
  row: LockedInterview,
  {
    action,
    mover,
    changes = {},
    reason = null,
    slots = [],
  }: {
    action: InterviewMoveName;
    mover: InterviewMover;
    changes?: Updateable<Interviews>;
    reason?: string | null;
    slots?: readonly Date[];
  },
): Promise<LockedInterview> {
  const to = nextInterviewStatus(row.status, action, mover.side);
  if (to === null) throw new AppError('interview/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const table = { answerBy: null, rescheduleBy: null, rescheduleReason: null };
  const updated = await updateInterview(tx, row, { ...table, ...changes, status: to, updatedAt: now });
  if (!updated) throw new AppError('interview/stale', { status: row.status });
  await replaceSlots(
    tx,
    row.id,
    slots.map((at) => ({ id: newId(now), startsAt: at })),
    action === 'suggest',
  );
  await insertInterviewMove(tx, {
    id: newId(now),
    interviewId: row.id,
    actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    side: mover.side,
    action,
    fromStatus: row.status,
    toStatus: to,
    reason,
    at: now,
  });
  return { ...row, version: row.version + 1 };
}

/** Returns the applications it covers to `shortlisted`, where their decide-by timers run again. */
async function reshortlist(
  tx: Tx,
  scope: ClockScope,
  row: LockedInterview,
  mover: InterviewMover,
): Promise<void> {
  for (const applicationId of row.interviewingIds)
    await makeApplicationMove(tx, scope, {
      applicationId,
      action: 'interview-over',
      who: mover.side,
      actor: mover.side === 'timer' ? 'timer' : mover.accountId,
    });
}

export const interviewsTasks = [lapseInterviewTask, remindOfInterviewTask, askOutcomeTask];

export const interviewsRoutes = {
  propose: write(interviews.propose, proposeInterview),
  mine: read(interviews.mine, myInterviews),
  get: read(interviews.get, getInterview),
  pick: write(interviews.pick, pickInterview),
  suggest: write(interviews.suggest, suggestInterviewTimes),
  reschedule: write(interviews.reschedule, rescheduleInterview),
  keep: write(interviews.keep, keepInterview),
  cancel: write(interviews.cancel, cancelInterview),
  complete: write(interviews.complete, completeInterview),
  reportNoShow: write(interviews.reportNoShow, reportInterviewNoShow),
  contest: write(interviews.contest, contestInterview),
};
