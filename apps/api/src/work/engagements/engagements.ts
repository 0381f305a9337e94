import { engagementPath } from '@nearhand/contract/app-paths';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import { type Engagement, type EngagementAction, engagements } from '@nearhand/contract/work/engagements';
import { z } from 'zod';
import { finishHold } from '../../money/holds/end-holds.ts';
import { requestRelease } from '../../money/holds/releases.ts';
import type { MoneyHooks, Payee, WorkToPay } from '../../money/hooks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import { workHooks } from '../hooks.ts';
import { cancellation, contestBy, momentProblem } from './engagement-actions.rules.ts';
import {
  type EngagementMover,
  type EngagementRow,
  makeEngagementMove,
  openEngagement,
  partiesOf,
  requireEngagementMove,
} from './engagement-transitions.ts';
import { engagementsOfBusiness, getEngagement, myEngagements, viewEngagement } from './engagement-views.ts';
import type { EngagementMoveName } from './engagements.rules.ts';
import { findClaimBy, findEngagementFacts, lockEngagement, lockJobOf, nextStep } from './engagements.sql.ts';

/** Hours before the start at which an unconfirmed shift is reported to the business (ADR 41). */
const warnHours = 12;

const confirmWatch = defineTask({
  name: 'engagements.confirm-watch',
  payload: z.object({ engagementId: z.uuid() }),
  run: (scope, { engagementId }) => runConfirmWatch(scope, engagementId),
});
const confirmWatchKeyOf = (engagementId: string) => `${confirmWatch.name}/${engagementId}`;
const hoursBefore = (startsAt: Date, hours: number) => new Date(startsAt.getTime() - hours * hourMs);

/** Sets the timer for confirmation, unless the hire is less than 36 hours before the start (ADR 41). */
export async function setConfirmWatch(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  shift: { engagementId: string; startsAt: Date },
): Promise<void> {
  const askAt = hoursBefore(shift.startsAt, scope.config.CONFIRM_ASKED_HOURS);
  if (askAt <= scope.clock.now()) return;
  const { engagementId } = shift;
  await enqueue(tx, confirmWatch, { engagementId }, { runAt: askAt, key: confirmWatchKeyOf(engagementId) });
}

/** Stops the questions about coming, once the worker has answered or is not coming. */
export async function stopConfirmWatch(tx: Tx, engagementId: string): Promise<void> {
  await cancelTask(tx, confirmWatchKeyOf(engagementId));
}

/** Asks the worker to confirm 36 hours before the start and notifies recruiters 12 hours before it. Idempotent. */
async function runConfirmWatch(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockEngagement(tx, engagementId, null);
    if (row?.status !== 'booked' || row.startsAt === null) return;
    const now = scope.clock.now();
    const startsAt = row.startsAt;
    const [askAt, warnAt] = [scope.config.CONFIRM_ASKED_HOURS, warnHours].map((hours) =>
      hoursBefore(startsAt, hours),
    ) as [Date, Date];
    const again = (runAt: Date) =>
      enqueue(tx, confirmWatch, { engagementId }, { runAt, key: confirmWatchKeyOf(engagementId) });
    if (now < askAt) return again(askAt);
    if (now >= startsAt) return;
    if (now < warnAt) {
      await notifyOfEngagement(tx, scope, engagementId, {
        worker: 'engagement-confirm-asked',
        data: { by: warnAt.toISOString() },
      });
      return again(warnAt);
    }
    await notifyOfEngagement(tx, scope, engagementId, {
      worker: 'engagement-not-confirmed',
      recruiters: 'engagement-not-confirmed',
      data: { by: startsAt.toISOString() },
    });
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
      runAt: new Date(shift.endsAt.getTime() + remindAfterMinutes * minuteMs),
      key: `${autoSubmit.name}/${shift.engagementId}`,
    },
  );
}

/** Queued tasks carry this name, so it must never change. */
const noShowEnd = defineTask({
  name: 'holds.no-show-end',
  payload: z.object({ engagementId: z.uuid() }),
  run: (scope, { engagementId }) => runNoShowEnd(scope, engagementId),
});
const keyOf = (engagementId: string) => `${noShowEnd.name}/${engagementId}`;

async function setNoShowEnd(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(tx, noShowEnd, { engagementId }, { runAt: at, key: keyOf(engagementId) });
}

/** Returns the hold of an uncontested no-show. Idempotent; reschedules itself if it runs early. */
async function runNoShowEnd(scope: TaskScope, engagementId: string): Promise<void> {
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

/** Checks a move; returns false for a repeat. @throws if the state or the time doesn't allow the move */
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

/** Confirms a shift before its start. For its worker. */
export async function confirmEngagement(tx: Tx, scope: Scope, input: EngagementRef): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, side: 'worker', repeatOf: 'confirm' });
  if (await requireMove(tx, scope, row, 'confirm', mover)) {
    await makeEngagementMove(tx, scope, row, 'confirm', mover, { confirmedAt: scope.clock.now() });
    await stopConfirmWatch(tx, row.id);
    await notifyOfEngagement(tx, scope, row.id, { recruiters: 'engagement-confirmed' });
  }
  return viewEngagement(tx, scope, row.id);
}

/** Starts a task. For its worker. */
export async function startEngagement(tx: Tx, scope: Scope, input: EngagementRef): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, side: 'worker', repeatOf: 'start' });
  if (await requireMove(tx, scope, row, 'start', mover))
    await makeEngagementMove(tx, scope, row, 'start', mover);
  return viewEngagement(tx, scope, row.id);
}

/**
 * Cancels the work: the worker before the start, recruiters until the end. A late cancellation by the
 * business pays compensation: half of the pay, for a shift at most four hours (ADR 41).
 */
export async function cancelEngagement(
  tx: Tx,
  scope: Scope,
  input: EngagementRef & { reason: string },
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
  const { late, compensationMinor } = cancellation(row, row.terms, mover.side, now, scope.config);
  const spotIsFree = row.startsAt === null ? row.status === 'booked' : now < row.startsAt;
  await makeEngagementMove(
    tx,
    scope,
    row,
    'cancel',
    mover,
    { cancelledLate: late, compensationMinor, ...nextStep(null) },
    input.reason,
  );
  await stopConfirmWatch(tx, row.id);
  if (mover.side === 'worker') await workHooks.on.reliabilityChanged(tx, { workerId: row.workerId });
  const { currency } = row.terms;
  if (late) await workHooks.on.workEnded(tx, scope, partiesOf(row));
  await requestRelease(tx, scope, payeeOf(row), { kind: 'compensation', amountMinor: compensationMinor });
  await finishHold(tx, scope, row.id);
  if (spotIsFree) await workHooks.on.spotFreed(tx, scope, { jobId });
  await notifyOfEngagement(tx, scope, row.id, {
    ...(mover.side === 'worker'
      ? { recruiters: 'engagement-cancelled' as const }
      : { worker: 'engagement-cancelled' as const }),
    data: {
      reason: input.reason,
      what: late ? 'late' : 'in-time',
      ...(compensationMinor > 0 ? { amountMinor: compensationMinor, currency } : {}),
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/** Reports a no-show, some time after the start. Final unless contested within 24 hours. */
export async function reportNoShow(tx: Tx, scope: Scope, input: EngagementRef): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    ...input,
    side: 'business',
    repeatOf: 'report-no-show',
  });
  if (await requireMove(tx, scope, row, 'report-no-show', mover)) {
    const now = scope.clock.now();
    await makeEngagementMove(tx, scope, row, 'report-no-show', mover, {
      noShowAt: now,
      ...nextStep(null),
    });
    await notifyOfEngagement(tx, scope, row.id, {
      worker: 'engagement-no-show',
      data: { by: contestBy(now, scope.config).toISOString() },
    });
    const workerId = row.workerId;
    await workHooks.on.reliabilityChanged(tx, { workerId });
    // The no-show counts once it can no longer be contested (ADR 45).
    await workHooks.on.reliabilityChanged(tx, { workerId, from: contestBy(now, scope.config) });
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
    await makeEngagementMove(tx, scope, row, 'contest', mover, { contest: input.note }, input.note);
    await notifyOfEngagement(tx, scope, row.id, {
      recruiters: 'engagement-contested',
      data: { reason: input.note },
    });
    await workHooks.on.reliabilityChanged(tx, { workerId: row.workerId });
  }
  return viewEngagement(tx, scope, row.id);
}

export const payeeOf = (row: EngagementRow): Payee => ({
  engagementId: row.id,
  workerId: row.workerId,
  plannedMinor: row.terms.payTotalMinor,
  funding: row.funding,
});

export const workToPay = (
  row: EngagementRow,
  { clock, config }: Pick<Scope, 'clock'> & { config: Pick<Config, 'CONTEST_HOURS'> },
): WorkToPay => ({ ...payeeOf(row), isOver: isOver(row, clock.now(), config) });

function isOver(row: EngagementRow, now: Date, config: Pick<Config, 'CONTEST_HOURS'>): boolean {
  if (row.status !== 'no_show_reported')
    return ['completed', 'cancelled_by_worker', 'cancelled_by_merchant', 'handed_on'].includes(row.status);
  // The contested no-show was reported again because an operator upheld it.
  if (row.contest !== null) return true;
  return row.noShowAt !== null && contestBy(row.noShowAt, config) <= now;
}

/** Locks the engagement before money locks its hold. */
export const lockWork: MoneyHooks['lockWork'] = async (tx, scope, engagementId) => {
  const row = await lockEngagement(tx, engagementId, null);
  return row ? workToPay(row, scope) : null;
};

/** Notifies recruiters of agreed pay that the hold does not cover. */
export const notifyOfMissingPay: MoneyHooks['payMissing'] = (tx, scope, pay) =>
  notifyOfEngagement(tx, scope, pay.engagementId, {
    recruiters: 'payment-missing',
    event: pay.releaseId,
    data: { amountMinor: pay.amountMinor, currency: pay.currency },
  });

/** Notifies the worker of released pay, unless the approval's notice includes it. */
export const notifyOfReleasedPay: MoneyHooks['payReleased'] = async (tx, scope, pay) => {
  const { what, amountMinor, currency, clearsAt } = pay;
  if (what === 'rest') return;
  await notifyOfEngagement(tx, scope, pay.engagementId, {
    worker: 'payment-released',
    event: pay.releaseId,
    data: { amountMinor, currency, what, ...(clearsAt ? { by: clearsAt.toISOString() } : {}) },
  });
};

export const notifyOfReversedPay: MoneyHooks['payReversed'] = (tx, scope, pay) =>
  notifyOfEngagement(tx, scope, pay.engagementId, {
    worker: 'payment-reversed',
    recruiters: 'payment-reversed',
    event: pay.entryId,
    data: { amountMinor: pay.amountMinor, currency: pay.currency, reason: pay.reason },
  });

export const notifyOfTip: MoneyHooks['tipPaid'] = (tx, scope, tip) =>
  notifyOfEngagement(tx, scope, tip.engagementId, {
    worker: 'tip-received',
    event: tip.tipId,
    data: {
      amountMinor: tip.amountMinor,
      currency: tip.currency,
      what: tip.kind,
      ...(tip.note ? { reason: tip.note } : {}),
    },
  });

/**
 * Notifies the worker, the business's recruiters, or both.
 * @param options `event` is the deduplication key, the engagement by default; `but` is the account that caused it
 */
export async function notifyOfEngagement(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  engagementId: string,
  options: {
    worker?: NotificationTopic;
    recruiters?: NotificationTopic;
    data?: Notice['data'];
    event?: string;
    but?: string;
  },
): Promise<void> {
  const facts = await findEngagementFacts(tx, engagementId);
  if (!facts) return;
  const data = {
    jobTitle: facts.jobTitle,
    businessName: facts.businessName,
    workerName: facts.workerName,
    timeZone: facts.timeZone,
    ...(facts.startsAt ? { startsAt: facts.startsAt.toISOString() } : {}),
    ...(facts.endsAt ? { endsAt: facts.endsAt.toISOString() } : {}),
    ...options.data,
  };
  const noticeFor = (accountId: string, topic: NotificationTopic, side: 'worker' | 'business'): Notice => ({
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
      ...(recruiters ? facts.recruiters.map((id) => noticeFor(id, recruiters, 'business')) : []),
    ].filter(({ accountId }) => accountId !== options.but),
  );
}

export const engagementsTasks = [confirmWatch, noShowEnd];

export const engagementsRoutes = {
  mine: read(engagements.mine, myEngagements),
  forBusiness: read(engagements.forBusiness, engagementsOfBusiness),
  get: read(engagements.get, getEngagement),
  confirm: write(engagements.confirm, confirmEngagement),
  start: write(engagements.start, startEngagement),
  cancel: write(engagements.cancel, cancelEngagement),
  reportNoShow: write(engagements.reportNoShow, reportNoShow),
  contest: write(engagements.contest, contestNoShow),
};
