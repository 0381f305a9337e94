import type { Engagement, EngagementAction } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { rankWorker, rankWorkerAt } from '../applications/ranking.service.ts';
import { finishHold, setNoShowEnd } from '../holds/hold-endings.service.ts';
import { requestRelease } from '../holds/releases.service.ts';
import { freeHiredSeat, lockSeats } from '../jobs/seats.service.ts';
import { seatFreed } from '../offers/waitlist-offers.service.ts';
import { stopConfirmWatch } from './confirm-watch.service.ts';
import { cancellation, contestBy, momentProblem } from './engagement-actions.rules.ts';
import {
  demandEngagementMove,
  type EngagementMover,
  type EngagementRow,
  makeEngagementMove,
  openEngagement,
} from './engagement-moves.service.ts';
import { tellOfEngagement } from './engagement-notices.service.ts';
import { viewEngagement } from './engagement-views.service.ts';
import type { EngagementMoveName } from './engagements.rules.ts';
import { findClaimBy, findJobOf } from './engagements.sql.ts';

type One = { engagementId: string; version: number };
type Mover = EngagementMover & { side: 'worker' | 'business' };

/** Whether there is something to do: false for a repeat. @throws what the table or the moment does not allow */
async function demandMove(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  action: EngagementAction & EngagementMoveName,
  mover: Mover,
): Promise<boolean> {
  if (demandEngagementMove(row, action, mover) === row.status) return false;
  const facts = { ...row, claim_by: await findClaimBy(tx, row.id) };
  const problem = momentProblem(facts, action, mover.side, scope.clock.now(), scope.config);
  if (problem) throw new AppError(problem, { status: row.status });
  return true;
}

/**
 * Says that one will come, before the start; the worker. Tells the recruiters.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
export async function confirmEngagement(tx: Tx, scope: Scope, input: One): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, side: 'worker', repeatOf: 'confirm' });
  if (await demandMove(tx, scope, row, 'confirm', mover)) {
    await makeEngagementMove(tx, scope, row, 'confirm', mover, { confirmed_at: scope.clock.now() });
    await stopConfirmWatch(tx, row.id);
    await tellOfEngagement(tx, scope, row.id, { recruiters: 'engagement-confirmed' });
  }
  return viewEngagement(tx, scope, row.id);
}

/**
 * Begins a task; the worker.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
export async function startEngagement(tx: Tx, scope: Scope, input: One): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, { ...input, side: 'worker', repeatOf: 'start' });
  if (await demandMove(tx, scope, row, 'start', mover))
    await makeEngagementMove(tx, scope, row, 'start', mover);
  return viewEngagement(tx, scope, row.id);
}

/**
 * Calls the work off, as either side: the worker before the start, recruiters until the end. Before the start, or before a task was begun, the seat is free
 * again and the waitlist is offered it. Late by the business, half of the pay (for a shift at most four hours of it) is asked to be paid as
 * compensation from the hold, and the rest of it goes back; minor units of the terms (ADR 0041).
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state
 */
export async function cancelEngagement(
  tx: Tx,
  scope: Scope,
  input: One & { reason: string },
): Promise<Engagement> {
  // The job before its engagement, as everybody who moves seats (ADR 0038).
  const jobId = await findJobOf(tx, input.engagementId, scope.actor.accountId);
  if (jobId === undefined) throw new AppError('engagement/not-found');
  await lockSeats(tx, jobId);
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    repeatOf: 'cancel',
  });
  if (!(await demandMove(tx, scope, row, 'cancel', mover))) return viewEngagement(tx, scope, row.id);
  const now = scope.clock.now();
  const { late, compensationMinor } = cancellation(row, row.terms, mover.side, now, scope.config);
  const seatIsFree = row.starts_at === null ? row.status === 'booked' : now < row.starts_at;
  await makeEngagementMove(
    tx,
    scope,
    row,
    'cancel',
    mover,
    { cancelled_late: late, compensation_minor: compensationMinor, next_what: null, next_at: null },
    input.reason,
  );
  await stopConfirmWatch(tx, row.id);
  if (mover.side === 'worker') await rankWorker(tx, row.worker_id);
  const { currency } = row.terms;
  await requestRelease(tx, scope, {
    engagementId: row.id,
    kind: 'compensation',
    amountMinor: compensationMinor,
    currency,
  });
  await finishHold(tx, scope, row.id);
  if (seatIsFree) {
    await freeHiredSeat(tx, scope, jobId);
    await seatFreed(tx, scope, jobId);
  }
  await tellOfEngagement(tx, scope, row.id, {
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
 * Reports that the worker did not come, from 60 minutes after the start and while nothing says that they did; recruiters. Uncontested for 24 hours it
 * stands.
 * @throws engagement/not-found, engagement/not-allowed, engagement/stale, engagement/wrong-state, engagement/too-early
 */
export async function reportNoShow(tx: Tx, scope: Scope, input: One): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    ...input,
    side: 'business',
    repeatOf: 'report-no-show',
  });
  if (await demandMove(tx, scope, row, 'report-no-show', mover)) {
    const now = scope.clock.now();
    await makeEngagementMove(tx, scope, row, 'report-no-show', mover, {
      no_show_at: now,
      next_what: null,
      next_at: null,
    });
    await tellOfEngagement(tx, scope, row.id, {
      worker: 'engagement-no-show',
      data: { by: contestBy(now, scope.config).toISOString() },
    });
    await rankWorker(tx, row.worker_id);
    await rankWorkerAt(tx, row.worker_id, contestBy(now, scope.config));
    await setNoShowEnd(tx, row.id, contestBy(now, scope.config));
  }
  return viewEngagement(tx, scope, row.id);
}

/**
 * Contests a reported no-show within 24 hours; the worker. Operators decide it.
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
  if (await demandMove(tx, scope, row, 'contest', mover)) {
    await makeEngagementMove(tx, scope, row, 'contest', mover, { contest: input.note }, input.note);
    await tellOfEngagement(tx, scope, row.id, {
      recruiters: 'engagement-contested',
      data: { reason: input.note },
    });
    await rankWorker(tx, row.worker_id);
  }
  return viewEngagement(tx, scope, row.id);
}
