import { type EngagementStatus, isUpcoming } from '@nearhand/contract/engagement-statuses';
import { type Mover, nextState } from '@nearhand/contract/moves';
import { type DayOffAnswer, dayOffMoves, type Engagement } from '@nearhand/contract/work/engagements';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { MoneyScope } from '../../money/hooks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { DaysOff } from '../../platform/tables.gen.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { workHooks } from '../hooks.ts';
import { dayOffAnswerBy, dayOffDeadline } from './engagement-actions.rules.ts';
import {
  type EngagementMover,
  type EngagementRow,
  makeEngagementMove,
  openEngagement,
} from './engagement-transitions.ts';
import { viewEngagement } from './engagement-views.ts';
import { hasOtherDays, lockEngagement, lockJobOf, nextStep, spotProblemOf } from './engagements.sql.ts';
import { endBooking, notifyOfEngagement } from './engagements.ts';

type DayOffRow = Selectable<DaysOff>;

/**
 * Asks for a day off a booked date of a series (ADR 406), at least `DAY_OFF_ASK_DAYS` before it. Its recruiters answer
 * within `DAY_OFF_ANSWER_HOURS`, by day; silence grants it. Once per date unless withdrawn. For its worker.
 * @throws engagement/too-late, engagement/wrong-state for a single shift, work that started and a repeat
 */
export async function askDayOff(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; version: number; reason: string },
): Promise<Engagement> {
  const { engagementId, version, reason } = input;
  const { row } = await openEngagement(tx, scope, { engagementId, version, side: 'worker' });
  const now = scope.clock.now();
  const deadline = dayOffDeadline(row, scope.config);
  const state = await findDayOffFacts(tx, engagementId);
  if (!isUpcoming(row.status) || deadline === null || !state?.hasOtherDays || state.hasAsked)
    throw new AppError('engagement/wrong-state', { status: row.status });
  if (now >= deadline) throw new AppError('engagement/too-late', { until: deadline.toISOString() });
  const answerBy = dayOffAnswerBy(row, now, scope.config);
  const { jobId, businessId, workerId } = row;
  const id = newId(now);
  await tx
    .insertInto('days_off')
    .values({
      id,
      engagementId,
      jobId,
      businessId,
      workerId,
      status: 'open',
      reason,
      answerBy,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  emitRecord(tx, 'engagement', row);
  await setSilence(tx, { dayOffId: id, answerBy });
  await notifyOfEngagement(tx, scope, engagementId, {
    recruiters: 'day-off-asked',
    event: id,
    data: { by: answerBy.toISOString(), reason },
  });
  return viewEngagement(tx, scope, engagementId);
}

/**
 * Answers an open request for a day off: recruiters grant it, or refuse it until `answerBy`; its worker withdraws it.
 * A repeat is a no-op.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state
 */
export async function answerDayOff(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; dayOffId: string; answer: DayOffAnswer },
): Promise<Engagement> {
  const { engagementId, dayOffId, answer } = input;
  // The job is locked before its engagement, as everywhere that spots change (ADR 38).
  if ((await lockJobOf(tx, engagementId, scope.actor.accountId)) === undefined)
    throw new AppError('engagement/not-found');
  const side = answer === 'withdraw' ? 'worker' : 'business';
  const { row, mover } = await openEngagement(tx, scope, { engagementId, side });
  const request = await lockDayOff(tx, { dayOffId });
  if (request?.engagementId !== engagementId) throw new AppError('engagement/not-found');
  const after = { grant: 'granted', refuse: 'refused', withdraw: 'withdrawn' }[answer];
  if (request.status === after) return viewEngagement(tx, scope, engagementId);
  // Silence has granted it by then, even if the timer is late.
  if (answer === 'refuse' && scope.clock.now() >= request.answerBy)
    throw new AppError('engagement/wrong-state', { status: row.status });
  if (answer === 'grant') await grantDayOff(tx, scope, { row, request, mover });
  else {
    await moveDayOff(tx, scope, request, { action: answer, who: side });
    await notifyOfEngagement(tx, scope, engagementId, {
      worker: answer === 'refuse' ? 'day-off-answered' : undefined,
      recruiters: answer === 'withdraw' ? 'day-off-answered' : undefined,
      event: dayOffId,
      data: { variant: answer === 'refuse' ? 'refused' : 'withdrawn' },
    });
  }
  return viewEngagement(tx, scope, engagementId);
}

/** Ends the booking as a cancellation in time, and offers its spot to the waitlist, then to colleagues. */
async function grantDayOff(
  tx: Tx,
  scope: MoneyScope,
  { row, request, mover }: { row: EngagementRow; request: DayOffRow; mover: EngagementMover },
): Promise<void> {
  await moveDayOff(tx, scope, request, { action: 'grant', who: mover.side });
  await makeEngagementMove(tx, scope, row, {
    action: 'excuse',
    mover,
    changes: { cancelledLate: false, compensationMinor: 0, ...nextStep(null) },
    reason: request.reason,
  });
  await endBooking(tx, scope, row, { side: 'worker', late: false, compensationMinor: 0, spotIsFree: true });
  await workHooks.on.spotUnconfirmed(tx, scope, { jobId: row.jobId, workerId: row.workerId });
  const isSilent = mover.side === 'timer';
  await notifyOfEngagement(tx, scope, row.id, {
    worker: 'day-off-answered',
    recruiters: isSilent ? 'day-off-answered' : undefined,
    event: request.id,
    data: {
      variant: isSilent ? 'silent' : 'granted',
      spotProblem: isSilent ? await spotProblemOf(tx, row.jobId, scope.clock.now()) : undefined,
    },
  });
}

/**
 * Ends the open request of work that is no longer upcoming, or that its worker confirmed, which recruiters are
 * notified of. The engagement is locked.
 */
export async function endDayOff(
  tx: Tx,
  scope: ClockScope,
  { engagementId, from, to }: { engagementId: string; from: EngagementStatus; to: EngagementStatus },
): Promise<void> {
  if (to === 'confirmed') return endUnneededDayOff(tx, scope, engagementId);
  if (!isUpcoming(from) || isUpcoming(to)) return;
  const request = await lockDayOff(tx, { engagementId });
  if (request) await moveDayOff(tx, scope, request, { action: 'end', who: 'timer' });
}

/**
 * Ends the open request of a worker who agreed to come after all: they confirmed, or accepted another start. Silence
 * would otherwise cancel that. Recruiters are notified. The engagement is locked.
 */
export async function endUnneededDayOff(tx: Tx, scope: ClockScope, engagementId: string): Promise<void> {
  const request = await lockDayOff(tx, { engagementId });
  if (!request) return;
  await moveDayOff(tx, scope, request, { action: 'end', who: 'timer' });
  await notifyOfEngagement(tx, scope, engagementId, {
    recruiters: 'day-off-answered',
    event: request.id,
    data: { variant: 'withdrawn' },
  });
}

export const dayOffSilenceTask = defineTask({
  name: 'engagements.day-off-silence',
  payload: z.object({ dayOffId: z.uuid() }),
  run: (scope, { dayOffId }) => grantBySilence(scope, dayOffId),
});
const silenceKey = (dayOffId: string): string => `${dayOffSilenceTask.name}/${dayOffId}`;

const setSilence = (tx: Tx, { dayOffId, answerBy }: { dayOffId: string; answerBy: Date }): Promise<void> =>
  enqueue(tx, dayOffSilenceTask, { dayOffId }, { runAt: answerBy, key: silenceKey(dayOffId) });

/** Grants a request that nobody answered. After a downtime that outlasted the start, the booking stays. Idempotent. */
async function grantBySilence(scope: TaskScope, dayOffId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const engagementId = await findEngagementOf(tx, dayOffId);
    if (engagementId === undefined || (await lockJobOf(tx, engagementId, null)) === undefined) return;
    const row = await lockEngagement(tx, engagementId, null);
    const request = await lockDayOff(tx, { dayOffId });
    if (!row || request?.status !== 'open') return;
    const now = scope.clock.now();
    if (now < request.answerBy) return setSilence(tx, { dayOffId, answerBy: request.answerBy });
    if (row.startsAt === null || now >= row.startsAt)
      await moveDayOff(tx, scope, request, { action: 'end', who: 'timer' });
    else await grantDayOff(tx, scope, { row, request, mover: { side: 'timer' } });
  });
}

/** Makes a move of a locked request. @throws engagement/wrong-state */
async function moveDayOff(
  tx: Tx,
  scope: ClockScope,
  row: DayOffRow,
  { action, who }: { action: (typeof dayOffMoves)[number][1]; who: Mover },
): Promise<void> {
  const to = row.status === 'open' ? nextState(dayOffMoves, row.status, action, who) : null;
  if (to === null) throw new AppError('engagement/wrong-state', { status: row.status });
  await tx
    .updateTable('days_off')
    .set({ status: to, updatedAt: scope.clock.now() })
    .where('id', '=', row.id)
    .execute();
  emitRecord(tx, 'engagement', { ...row, id: row.engagementId });
  await cancelTask(tx, silenceKey(row.id));
}

async function lockDayOff(
  tx: Tx,
  filter: { dayOffId: string } | { engagementId: string },
): Promise<DayOffRow | undefined> {
  const place =
    'dayOffId' in filter
      ? sql`id = ${filter.dayOffId}`
      : sql`engagement_id = ${filter.engagementId} and status = 'open'`;
  const { rows } = await sql<DayOffRow>`select * from days_off where ${place} for update`.execute(tx);
  return rows[0];
}

async function findEngagementOf(db: Db, dayOffId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('days_off')
    .select('engagementId')
    .where('id', '=', dayOffId)
    .executeTakeFirst();
  return row?.engagementId;
}

async function findDayOffFacts(
  db: Db,
  engagementId: string,
): Promise<{ hasOtherDays: boolean; hasAsked: boolean } | undefined> {
  const { rows } = await sql<{ hasOtherDays: boolean; hasAsked: boolean }>`
    select ${hasOtherDays(sql`engagement`)} as has_other_days,
      exists (select from days_off where engagement_id = engagement.id and status <> 'withdrawn') as has_asked
    from engagements engagement where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}
