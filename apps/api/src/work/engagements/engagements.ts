import { type Engagement, type EngagementAction, engagements } from '@nearhand/contract/work/engagements';
import { finishHold } from '../../money/holds/end-holds.ts';
import { requestRelease } from '../../money/holds/releases.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { workHooks } from '../hooks.ts';
import { confirmWatch, runConfirmWatch, stopConfirmWatch } from './confirm-watch.ts';
import { cancellation, contestBy, momentProblem } from './engagement-actions.rules.ts';
import { findClaimBy, lockJobOf, nextStep } from './engagement-lines.ts';
import { notifyOfEngagement } from './engagement-notices.ts';
import { payeeOf } from './engagement-pay.ts';
import { noShowEnd, runNoShowEnd, setNoShowEnd } from './engagement-timers.ts';
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

type One = { engagementId: string; version: number };
type Mover = EngagementMover & { side: 'worker' | 'business' };

/** Whether the move still has to be made; false for a repeat. @throws when the state or the time doesn't allow it */
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
 * The worker confirms a shift before its start; recruiters are notified.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
export async function confirmEngagement(tx: Tx, scope: Scope, input: One): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, side: 'worker', repeatOf: 'confirm' });
  if (await requireMove(tx, scope, row, 'confirm', mover)) {
    await makeEngagementMove(tx, scope, row, 'confirm', mover, { confirmedAt: scope.clock.now() });
    await stopConfirmWatch(tx, row.id);
    await notifyOfEngagement(tx, scope, row.id, { recruiters: 'engagement-confirmed' });
  }
  return viewEngagement(tx, scope, row.id);
}

/**
 * The worker starts a task.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
export async function startEngagement(tx: Tx, scope: Scope, input: One): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, side: 'worker', repeatOf: 'start' });
  if (await requireMove(tx, scope, row, 'start', mover))
    await makeEngagementMove(tx, scope, row, 'start', mover);
  return viewEngagement(tx, scope, row.id);
}

/**
 * Cancels the work: the worker before the start, recruiters until the end. Before the start the spot opens up again and goes to the waitlist. A late
 * cancellation by the business pays half of the pay (for a shift at most four hours) from the hold as compensation (ADR 41).
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
export async function cancelEngagement(
  tx: Tx,
  scope: Scope,
  input: One & { reason: string },
): Promise<Engagement> {
  // The job is locked before its engagement, as everywhere that seats change (ADR 38).
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
  const seatIsFree = row.startsAt === null ? row.status === 'booked' : now < row.startsAt;
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
  if (seatIsFree) await workHooks.on.seatFreed(tx, scope, { jobId });
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

/**
 * A recruiter reports a no-show, from 60 minutes after the start and without a check-in. Final if not contested within 24 hours.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, engagement/too-early
 */
export async function reportNoShow(tx: Tx, scope: Scope, input: One): Promise<Engagement> {
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

/**
 * The worker contests a no-show report within 24 hours; an operator then decides.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, engagement/contest-over
 */
export async function contestNoShow(
  tx: Tx,
  scope: Scope,
  input: One & { note: string },
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

/** Set at booking; reschedules itself between its two times. */
const confirmWatchTask = defineTask({
  ...confirmWatch,
  run: (scope, { engagementId }) => runConfirmWatch(scope, engagementId),
});

/** Set when a no-show is reported. */
const noShowEndTask = defineTask({
  ...noShowEnd,
  run: (scope, { engagementId }) => runNoShowEnd(scope, engagementId),
});

export const engagementsTasks = [confirmWatchTask, noShowEndTask];

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
