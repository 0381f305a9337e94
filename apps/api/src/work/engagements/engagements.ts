import { engagementPath } from '@nearhand/contract/app-paths';
import { addMs, minuteMs } from '@nearhand/contract/durations';
import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import type { Side } from '@nearhand/contract/sides';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { TopicData } from '@nearhand/contract/talk/topics/notice-facts';
import { confirmTimes } from '@nearhand/contract/work/confirm.rules';
import type { Engagement, EngagementAction } from '@nearhand/contract/work/engagements';
import { z } from 'zod';
import { finishHold } from '../../money/holds/end-holds.ts';
import { requestRelease } from '../../money/holds/releases.ts';
import type { MoneyEvents, MoneyNeeds, MoneyScope, Payee, WorkToPay } from '../../money/hooks.ts';
import { peopleHooks } from '../../people/hooks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockConfigScope, ClockScope, Scope } from '../../platform/http/scope.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import { workHooks } from '../hooks.ts';
import { confirmHours, contestBy, momentProblem } from './engagement-actions.rules.ts';
import {
  type EngagementMover,
  type EngagementRow,
  engagementParties,
  makeEngagementMove,
  openEngagement,
  requireEngagementMove,
} from './engagement-transitions.ts';
import { cancellationNow, viewEngagement } from './engagement-views.ts';
import type { EngagementMoveName } from './engagements.rules.ts';
import {
  findClaimBy,
  findEngagementFacts,
  lockEngagement,
  lockJobOf,
  nextStep,
  spotProblemOf,
} from './engagements.sql.ts';

/** `questions` is the number of questions sent. Tasks from before the second question existed have none. */
export const confirmWatchTask = defineTask({
  name: 'engagements.confirm-watch',
  payload: z.object({ engagementId: z.uuid(), questions: z.number().int().default(0) }),
  run: (scope, { engagementId, questions = 0 }) => watchConfirmation(scope, engagementId, questions),
});
const confirmWatchKeyOf = (engagementId: string) => `${confirmWatchTask.name}/${engagementId}`;

/** Sets the timer for confirmation, unless the hire is too late to ask (ADR 388). */
export async function setConfirmWatch(
  tx: Tx,
  scope: ClockConfigScope,
  shift: { engagementId: string; startsAt: Date; timeZone: string },
): Promise<void> {
  const { engagementId, startsAt, timeZone } = shift;
  const { askAt } = confirmTimes(startsAt, timeZone, confirmHours(scope.config));
  if (askAt <= scope.clock.now()) return;
  const payload = { engagementId, questions: 0 };
  await enqueue(tx, confirmWatchTask, payload, { runAt: askAt, key: confirmWatchKeyOf(engagementId) });
}

/** Stops the confirmation questions once the worker has answered or is not coming. */
export async function stopConfirmWatch(tx: Tx, engagementId: string): Promise<void> {
  await cancelTask(tx, confirmWatchKeyOf(engagementId));
}

/**
 * Asks the worker twice to confirm. At the deadline, the spot goes to others if the terms provide for it and
 * both questions were sent; otherwise both sides are notified and the booking stays. Idempotent.
 */
async function watchConfirmation(scope: TaskScope, engagementId: string, questions: number): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    // The job is locked before its engagement, as everywhere that spots change (ADR 38).
    const jobId = await lockJobOf(tx, engagementId, null);
    const row = await lockEngagement(tx, engagementId, null);
    if (jobId === undefined || row?.status !== 'booked' || row.startsAt === null) return;
    const now = scope.clock.now();
    const times = confirmTimes(row.startsAt, row.terms.timeZone, confirmHours(scope.config));
    const confirmBy = row.terms.confirmBy ? new Date(row.terms.confirmBy) : times.confirmBy;
    // A shift that moved is asked about again.
    const event = `${engagementId}/${row.startsAt.getTime()}`;
    const remindAgain = (runAt: Date, count: number) =>
      enqueue(
        tx,
        confirmWatchTask,
        { engagementId, questions: count },
        { runAt, key: confirmWatchKeyOf(engagementId) },
      );
    if (now < times.askAt) return remindAgain(times.askAt, questions);
    if (now >= row.startsAt) return;
    if (now >= confirmBy) {
      if (row.terms.confirmBy && questions >= 2) return dropUnconfirmed(tx, scope, row);
      return notifyOfEngagement(tx, scope, engagementId, {
        worker: 'engagement-not-confirmed',
        recruiters: 'engagement-not-confirmed',
        event,
        data: { by: row.startsAt.toISOString() },
      });
    }
    const isSecond = now >= times.askAgainAt;
    await notifyOfEngagement(tx, scope, engagementId, {
      worker: 'engagement-confirm-asked',
      event: isSecond ? `${event}/again` : event,
      data: { by: confirmBy.toISOString(), variant: row.terms.confirmBy ? 'or-lost' : undefined },
    });
    // After a downtime the first question is missing, and no answer then costs nothing.
    return isSecond ? remindAgain(confirmBy, questions + 1) : remindAgain(times.askAgainAt, 1);
  });
}

/** Ends a booking that was not confirmed, as a late cancellation, and offers its spot to others. */
async function dropUnconfirmed(tx: Tx, scope: TaskScope, row: EngagementRow): Promise<void> {
  const ending = { cancelledLate: true, compensationMinor: 0, ...nextStep(null) };
  await makeEngagementMove(tx, scope, row, { action: 'lapse', mover: { side: 'timer' }, changes: ending });
  await endBooking(tx, scope, row, { side: 'worker', late: true, compensationMinor: 0, spotIsFree: true });
  await workHooks.on.spotUnconfirmed(tx, scope, { jobId: row.jobId, workerId: row.workerId });
  await notifyOfEngagement(tx, scope, row.id, {
    worker: 'engagement-not-confirmed',
    recruiters: 'engagement-not-confirmed',
    event: `${row.id}/lost`,
    data: { variant: 'lost', spotProblem: await spotProblemOf(tx, row.jobId, scope.clock.now()) },
  });
}

export const autoSubmit = {
  name: 'timesheets.auto-submit',
  payload: z.object({ engagementId: z.uuid() }),
};

const remindAfterMinutes = 60;

/** Sets or replaces the timer that submits a shift's hours (product.md, Constants). */
export async function setAutoSubmit(tx: Tx, shift: { engagementId: string; endsAt: Date }): Promise<void> {
  await enqueue(
    tx,
    autoSubmit,
    { engagementId: shift.engagementId },
    {
      runAt: addMs(shift.endsAt, remindAfterMinutes * minuteMs),
      key: `${autoSubmit.name}/${shift.engagementId}`,
    },
  );
}

export const noShowEndTask = defineTask({
  name: 'holds.no-show-end',
  payload: z.object({ engagementId: z.uuid() }),
  run: (scope, { engagementId }) => endNoShow(scope, engagementId),
});
const noShowEndKey = (engagementId: string) => `${noShowEndTask.name}/${engagementId}`;

async function setNoShowEnd(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(tx, noShowEndTask, { engagementId }, { runAt: at, key: noShowEndKey(engagementId) });
}

/** Returns the hold of an uncontested no-show. Idempotent; reschedules itself if it runs early. */
async function endNoShow(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockEngagement(tx, engagementId, null);
    if (row?.status !== 'no_show_reported' || !row.noShowAt) return;
    const at = contestBy(row.noShowAt, scope.config);
    if (at > scope.clock.now()) return setNoShowEnd(tx, engagementId, at);
    await finishHold(tx, scope, engagementId);
  });
}

type EngagementRef = { engagementId: string; version: number };
type Mover = EngagementMover & { side: 'worker' | 'business' };

/**
 * Checks a move; returns false for a repeat.
 * @throws if the state or the time doesn't allow the move
 */
async function requireMove(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  action: EngagementAction & EngagementMoveName,
  mover: Mover,
): Promise<boolean> {
  if (requireEngagementMove(row, action, mover) === row.status) return false;
  const facts = { ...row, claimBy: await findClaimBy(tx, row.id) };
  const problem = momentProblem(facts, action, mover.side, scope.clock.now(), scope.config);
  if (problem) throw new AppError(problem, { status: row.status });
  return true;
}

/**
 * Confirms a shift before its start, and others of the worker at the same business (`alsoFor`): those that no
 * longer await it are left out. For its worker.
 */
export async function confirmEngagement(
  tx: Tx,
  scope: Scope,
  input: EngagementRef & { alsoFor?: readonly string[] },
): Promise<Engagement> {
  const { engagementId, version } = input;
  const otherIds = [...new Set(input.alsoFor ?? [])].filter((id) => id !== engagementId);
  let first: EngagementRow | undefined;
  const rows: EngagementRow[] = [];
  for (const id of [engagementId, ...otherIds].toSorted()) {
    const isFirst = id === engagementId;
    const target = { engagementId: id, side: 'worker', repeatOf: 'confirm' } as const;
    const { row, mover } = await openEngagement(tx, scope, isFirst ? { ...target, version } : target);
    if (isFirst) first = row;
    else if (row.status !== 'booked' || !row.startsAt || row.startsAt <= scope.clock.now()) continue;
    if (!(await requireMove(tx, scope, row, 'confirm', mover))) continue;
    await makeEngagementMove(tx, scope, row, {
      action: 'confirm',
      mover,
      changes: { confirmedAt: scope.clock.now() },
    });
    await stopConfirmWatch(tx, row.id);
    rows.push(row);
  }
  if (rows.some(({ businessId }) => businessId !== first?.businessId))
    throw new AppError('engagement/not-found');
  const [leading] = rows.toSorted((a, b) => Number(a.startsAt) - Number(b.startsAt));
  if (leading)
    await notifyOfEngagement(tx, scope, leading.id, {
      recruiters: 'engagement-confirmed',
      data: { count: rows.length },
    });
  return viewEngagement(tx, scope, engagementId);
}

/** Starts a task. For its worker. */
export async function startEngagement(tx: Tx, scope: Scope, input: EngagementRef): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, side: 'worker', repeatOf: 'start' });
  if (await requireMove(tx, scope, row, 'start', mover))
    await makeEngagementMove(tx, scope, row, { action: 'start', mover });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Cancels the work: the worker before the start, recruiters until the end. A late cancellation by the
 * business pays compensation: half of the pay, for a shift at most four hours (ADR 41). Free shortly after
 * the booking (ADR 388). `closeJob` closes the job too, for recruiters.
 * @throws job/wrong-state for a job that cannot be closed
 */
export async function cancelEngagement(
  tx: Tx,
  scope: Scope,
  input: EngagementRef & {
    reason: string;
    closeJob?: boolean;
    expects?: { late: boolean; compensationMinor: number };
  },
): Promise<Engagement> {
  // The job is locked before its engagement, as everywhere that spots change (ADR 38).
  const jobId = await lockJobOf(tx, input.engagementId, scope.actor.accountId);
  if (jobId === undefined) throw new AppError('engagement/not-found');
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    repeatOf: 'cancel',
  });
  if (!(await requireMove(tx, scope, row, 'cancel', mover))) return viewEngagement(tx, scope, row.id);
  const now = scope.clock.now();
  const cost = await cancellationNow(tx, scope, row, mover.side);
  const isFree = cost.freeUntil !== null;
  const isLate = cost.late && !isFree;
  const compensationMinor = isFree ? 0 : cost.compensationMinor;
  const { expects } = input;
  if (expects && ((isLate && !expects.late) || compensationMinor > expects.compensationMinor))
    throw new AppError('engagement/costs-more', { late: isLate, compensationMinor });
  const spotIsFree = row.startsAt === null ? row.status === 'booked' : now < row.startsAt;
  await makeEngagementMove(tx, scope, row, {
    action: 'cancel',
    mover,
    changes: { cancelledLate: isLate, compensationMinor, ...nextStep(null) },
    reason: input.reason,
  });
  await endBooking(tx, scope, row, { side: mover.side, late: isLate, compensationMinor, spotIsFree });
  if (input.closeJob && mover.side === 'business') await peopleHooks.needs.closeJobs(tx, scope, [jobId]);
  const { currency } = row.terms;
  const compensation = compensationMinor > 0 ? { amountMinor: compensationMinor, currency } : undefined;
  await notifyOfEngagement(tx, scope, row.id, {
    worker: mover.side === 'worker' ? undefined : 'engagement-cancelled',
    recruiters: mover.side === 'worker' ? 'engagement-cancelled' : undefined,
    data: {
      reason: input.reason,
      variant: isLate ? 'late' : 'in-time',
      spotProblem: mover.side === 'worker' ? await spotProblemOf(tx, row.jobId, now) : undefined,
      ...compensation,
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/** Applies what a cancelled booking entails: record, reviews, compensation, hold and spot. The job is locked. */
export async function endBooking(
  tx: Tx,
  scope: MoneyScope,
  row: EngagementRow,
  ending: { side: Side; late: boolean; compensationMinor: number; spotIsFree: boolean },
): Promise<void> {
  const { side, late, compensationMinor, spotIsFree } = ending;
  await stopConfirmWatch(tx, row.id);
  if (side === 'worker') await workHooks.on.reliabilityChanged(tx, row.workerId);
  if (late) await workHooks.on.workEnded(tx, scope, engagementParties(row));
  await requestRelease(tx, scope, payeeOf(row), { kind: 'compensation', amountMinor: compensationMinor });
  await finishHold(tx, scope, row.id);
  if (spotIsFree) await workHooks.on.hireEnded(tx, scope, row.jobId);
}

/**
 * Notifies both sides that the pay of a booked shift is not set aside, and at the deadline ends the booking without
 * a mark for its worker (ADR 399).
 */
export const followLateFunding: MoneyEvents['fundingLate'] = async (tx, scope, late) => {
  const row = late.engagementId === null ? undefined : await lockEngagement(tx, late.engagementId, null);
  if (!row || !isUpcoming(row.status)) return;
  if (late.stage === 'over') {
    const changes = { cancelledLate: false, compensationMinor: 0, ...nextStep(null) };
    await makeEngagementMove(tx, scope, row, { action: 'end-unfunded', mover: { side: 'timer' }, changes });
    const spotIsFree = row.startsAt !== null && scope.clock.now() < row.startsAt;
    await endBooking(tx, scope, row, { side: 'business', late: false, compensationMinor: 0, spotIsFree });
  }
  const isForBoth = late.stage !== 'failed';
  await notifyOfEngagement(tx, scope, row.id, {
    worker: isForBoth ? 'pay-not-set-aside' : undefined,
    recruiters: 'pay-not-set-aside',
    event: `${late.holdId}/${late.stage}/${late.fundBy.toISOString()}`,
    data: {
      variant: late.stage,
      spotProblem: late.stage === 'over' ? await spotProblemOf(tx, row.jobId, scope.clock.now()) : undefined,
      by: late.fundBy.toISOString(),
      amountMinor: late.amountMinor,
      currency: late.currency,
    },
  });
};

/** Reports a no-show, some time after the start. Final unless contested within 24 hours. For recruiters. */
export async function reportNoShow(tx: Tx, scope: Scope, input: EngagementRef): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    ...input,
    side: 'business',
    repeatOf: 'report-no-show',
  });
  if (await requireMove(tx, scope, row, 'report-no-show', mover)) {
    const now = scope.clock.now();
    await makeEngagementMove(tx, scope, row, {
      action: 'report-no-show',
      mover,
      changes: {
        noShowAt: now,
        ...nextStep(null),
      },
    });
    await notifyOfEngagement(tx, scope, row.id, {
      worker: 'engagement-no-show',
      data: { by: contestBy(now, scope.config).toISOString() },
    });
    const workerId = row.workerId;
    await workHooks.on.reliabilityChanged(tx, workerId);
    // The no-show counts once it can no longer be contested (ADR 45).
    await workHooks.on.reliabilityChanged(tx, workerId, contestBy(now, scope.config));
    await setNoShowEnd(tx, row.id, contestBy(now, scope.config));
  }
  return viewEngagement(tx, scope, row.id);
}

/** Contests a no-show within 24 hours. For its worker. */
export async function contestNoShow(
  tx: Tx,
  scope: Scope,
  input: EngagementRef & { note: string },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'worker',
    repeatOf: 'contest',
  });
  if (await requireMove(tx, scope, row, 'contest', mover)) {
    await makeEngagementMove(tx, scope, row, {
      action: 'contest',
      mover,
      changes: { contest: input.note },
      reason: input.note,
    });
    await notifyOfEngagement(tx, scope, row.id, {
      recruiters: 'engagement-contested',
      data: { reason: input.note },
    });
    await workHooks.on.reliabilityChanged(tx, row.workerId);
  }
  return viewEngagement(tx, scope, row.id);
}

export const payeeOf = (row: EngagementRow): Payee => ({
  engagementId: row.id,
  workerId: row.workerId,
  plannedMinor: row.terms.payTotalMinor,
  funding: row.funding,
});

/** The facts by which `settlement` bounds the pay of this work. Minor units. */
export const workToPay = (
  row: EngagementRow,
  { clock, config }: ClockScope & { config: Pick<Config, 'CONTEST_HOURS'> },
): WorkToPay => ({ ...payeeOf(row), isOver: isOver(row, clock.now(), config) });

function isOver(row: EngagementRow, now: Date, config: Pick<Config, 'CONTEST_HOURS'>): boolean {
  if (row.status !== 'no_show_reported')
    return ['completed', 'cancelled_by_worker', 'cancelled_by_merchant', 'given_away'].includes(row.status);
  // An operator upheld the contested no-show, which set the status back to reported.
  if (row.contest !== null) return true;
  return row.noShowAt !== null && contestBy(row.noShowAt, config) <= now;
}

/** Locks the engagement before money locks its hold. */
export const lockWork: MoneyNeeds['lockWork'] = async (tx, scope, engagementId) => {
  const row = await lockEngagement(tx, engagementId, null);
  return row ? workToPay(row, scope) : null;
};

/** Notifies recruiters of agreed pay that the hold does not cover. */
export const notifyOfMissingPay: MoneyEvents['payMissing'] = (tx, scope, pay) =>
  notifyOfEngagement(tx, scope, pay.engagementId, {
    recruiters: 'payment-missing',
    needs: 'settle',
    event: pay.releaseId,
    data: { amountMinor: pay.amountMinor, currency: pay.currency },
  });

/** Notifies the worker of released pay, unless the approval's notice includes it. */
export const notifyOfReleasedPay: MoneyEvents['payReleased'] = async (tx, scope, pay) => {
  const { variant, amountMinor, currency, clearsAt } = pay;
  if (variant === 'rest') return;
  await notifyOfEngagement(tx, scope, pay.engagementId, {
    worker: 'payment-released',
    event: pay.releaseId,
    data: { amountMinor, currency, variant, by: clearsAt?.toISOString() },
  });
};

/** Money hook: a correction took released pay back. */
export const notifyOfReversedPay: MoneyEvents['payReversed'] = (tx, scope, pay) =>
  notifyOfEngagement(tx, scope, pay.engagementId, {
    worker: 'payment-reversed',
    recruiters: 'payment-reversed',
    needs: 'settle',
    event: pay.entryId,
    data: { amountMinor: pay.amountMinor, currency: pay.currency, reason: pay.reason },
  });

/** Money hook: a tip or bonus reached the worker's balance. */
export const notifyOfTip: MoneyEvents['tipPaid'] = (tx, scope, tip) =>
  notifyOfEngagement(tx, scope, tip.engagementId, {
    worker: 'tip-received',
    event: tip.tipId,
    data: {
      amountMinor: tip.amountMinor,
      currency: tip.currency,
      variant: tip.kind,
      reason: tip.note || undefined,
    },
  });

/**
 * Notifies the worker, the business's recruiters, or both.
 * @param options `event` is the deduplication key, the engagement by default; `exceptAccountId` is the account that caused it
 */
export async function notifyOfEngagement<Topic extends NotificationTopic>(
  tx: Tx,
  scope: ClockScope,
  engagementId: string,
  options: {
    worker?: Topic;
    recruiters?: Topic;
    data?: TopicData<Topic>;
    event?: string;
    /** The capability of the members to notify. Coordinators hear of work, and not of pay. */
    needs?: 'work' | 'settle';
    exceptAccountId?: string;
  },
): Promise<void> {
  const facts = await findEngagementFacts(tx, engagementId, options.needs ?? 'work');
  if (!facts) return;
  const data = {
    jobTitle: facts.jobTitle,
    businessName: facts.businessName,
    workerName: facts.workerName,
    timeZone: facts.timeZone,
    startsAt: facts.startsAt?.toISOString(),
    endsAt: facts.endsAt?.toISOString(),
    ...options.data,
  };
  const noticeFor = (accountId: string, topic: Topic, side: 'worker' | 'business'): Notice<Topic> => ({
    accountId,
    topic,
    data: { ...data, side },
    path: engagementPath(engagementId, side),
    dedupeKey: `${topic}/${options.event ?? engagementId}`,
  });
  const { worker, recruiters } = options;
  await notifyAll(
    tx,
    scope,
    [
      ...(worker ? [noticeFor(facts.workerId, worker, 'worker')] : []),
      ...(recruiters ? facts.members.map((id) => noticeFor(id, recruiters, 'business')) : []),
    ].filter(({ accountId }) => accountId !== options.exceptAccountId),
  );
}
