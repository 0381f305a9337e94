import type { Evidence } from '@nearhand/contract/attendance';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { AttendanceEvent, AttendanceKind, Engagement } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import {
  changeEngagement,
  demandEngagementMove,
  type EngagementRow,
  makeEngagementMove,
  openEngagement,
} from '../engagements/engagement-moves.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { tellOfArrival } from './arrival-notices.service.ts';
import { locate, notBefore, type Reckoned, reckon } from './attendance.rules.ts';
import { findLastAt, hasEvent, insertAttendance } from './attendance.sql.ts';
import { demandPresence, type Proof, proofOfLeaving } from './presence.service.ts';

type Flags = AttendanceEvent['flags'];

/**
 * Arrives, from 60 minutes before the start until the end, by position or by the code shown at the place; the worker. The time is that of the device,
 * corrected by the server's clock, so that a check-in that waited offline keeps its time and is marked. A repeat changes nothing. Who has checked out
 * checks in again until the end: the first arrival stands, the time away is a break (ADR 0061).
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state, engagement/too-early (data: from), engagement/too-late (data: until),
 * attendance/time-impossible, attendance/no-evidence, attendance/too-far (data: distanceM, allowedM), attendance/wrong-code (data: left),
 * attendance/code-attempts
 */
export async function checkIn(tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  if (await isRepeat(tx, row, 'check_in', input)) return viewEngagement(tx, scope, row.id);
  if (demandEngagementMove(row, 'check-in', mover) === row.status) return viewEngagement(tx, scope, row.id);
  const { startsAt, endsAt } = spanOf(row);
  const again = row.status === 'checked_out';
  const reckoned = demandTime(scope, input, again ? await findLastAt(tx, row.id) : null);
  const opensAt = new Date(startsAt.getTime() - scope.config.CHECK_IN_OPENS_MINUTES * minuteMs);
  if (reckoned.at < opensAt) throw new AppError('engagement/too-early', { from: opensAt.toISOString() });
  if (reckoned.at > endsAt) throw new AppError('engagement/too-late', { until: endsAt.toISOString() });
  const proof = await demandPresence(tx, scope, row, input, reckoned.at);
  const late = Math.floor((reckoned.at.getTime() - startsAt.getTime()) / minuteMs);
  await keep(tx, scope, row, 'check_in', input, reckoned, proof, late > 0 && !again ? ['late'] : []);
  await makeEngagementMove(tx, scope, row, 'check-in', mover, {
    checked_in_at: row.checked_in_at ?? reckoned.at,
    checked_out_at: null,
  });
  if (!again) await tellOfArrival(tx, scope, row, reckoned.at, late);
  return viewEngagement(tx, scope, row.id);
}

/**
 * Leaves; the worker. Being far away is remarked, not refused; a code, where one is given, must be right. A break that goes on ends with it.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state (also while the check-in has not arrived: the device sends again after
 * it), engagement/too-late, attendance/time-impossible, attendance/wrong-code (data: left), attendance/code-attempts
 */
export async function checkOut(tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  if (await isRepeat(tx, row, 'check_out', input)) return viewEngagement(tx, scope, row.id);
  if (demandEngagementMove(row, 'check-out', mover) === row.status) return viewEngagement(tx, scope, row.id);
  const { endsAt } = spanOf(row);
  const reckoned = demandTime(scope, input, await findLastAt(tx, row.id));
  const until = new Date(endsAt.getTime() + scope.config.AUTO_SUBMIT_HOURS * hourMs);
  if (reckoned.at > until) throw new AppError('engagement/too-late', { until: until.toISOString() });
  const proof = await proofOfLeaving(tx, scope, row, input, reckoned.at);
  const early = Math.floor((endsAt.getTime() - reckoned.at.getTime()) / minuteMs);
  if (row.on_break_since)
    await keep(tx, scope, row, 'break_end', input, reckoned, { how: 'none', located: null }, []);
  await keep(tx, scope, row, 'check_out', input, reckoned, proof, [
    ...(proof.how !== 'code' && proof.located && !proof.located.near ? (['far'] as const) : []),
    ...(early > 0 ? (['early'] as const) : []),
  ]);
  await makeEngagementMove(tx, scope, row, 'check-out', mover, {
    checked_out_at: reckoned.at,
    on_break_since: null,
  });
  return viewEngagement(tx, scope, row.id);
}

/**
 * Begins a break, while checked in; the worker.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state, attendance/on-break, attendance/time-impossible
 */
export async function startBreak(tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> {
  return takeBreak(tx, scope, input, 'break_start');
}

/**
 * Ends a break; the worker.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state, attendance/not-on-break, attendance/time-impossible
 */
export async function endBreak(tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> {
  return takeBreak(tx, scope, input, 'break_end');
}

async function takeBreak(
  tx: Tx,
  scope: Scope,
  input: Evidence,
  kind: 'break_start' | 'break_end',
): Promise<Engagement> {
  const { row } = await openEngagement(tx, scope, { engagementId: input.engagementId, side: 'worker' });
  if (await isRepeat(tx, row, kind, input)) return viewEngagement(tx, scope, row.id);
  if (row.kind !== 'shift' || row.status !== 'checked_in')
    throw new AppError('engagement/wrong-state', { status: row.status });
  if (kind === 'break_start' && row.on_break_since) throw new AppError('attendance/on-break');
  if (kind === 'break_end' && !row.on_break_since) throw new AppError('attendance/not-on-break');
  const { place } = row.terms;
  const located = input.position && locate(input.position, place, scope.config);
  const reckoned = demandTime(scope, input, await findLastAt(tx, row.id));
  const proof = { how: located ? ('position' as const) : ('none' as const), located };
  await keep(tx, scope, row, kind, input, reckoned, proof, []);
  await changeEngagement(tx, scope, row, { on_break_since: kind === 'break_start' ? reckoned.at : null });
  return viewEngagement(tx, scope, row.id);
}

/** The planned span of a shift; a task has none, and the table has let none through. */
function spanOf(row: EngagementRow): { startsAt: Date; endsAt: Date } {
  if (!row.starts_at || !row.ends_at) throw new AppError('engagement/wrong-state', { status: row.status });
  return { startsAt: row.starts_at, endsAt: row.ends_at };
}

/** When it happened by our clock, and not before what came before it. @throws attendance/time-impossible */
function demandTime(scope: Scope, input: Evidence, earliest: Date | null = null): Reckoned {
  const reckoned = reckon(input, scope.clock.now());
  const at = reckoned && (earliest === null ? reckoned.at : notBefore(reckoned.at, earliest));
  if (!reckoned || !at) throw new AppError('attendance/time-impossible');
  return { ...reckoned, at };
}

/** Whether this very message has arrived before: a device that heard no answer sends it again. */
const isRepeat = (tx: Tx, row: EngagementRow, kind: AttendanceKind, input: Evidence): Promise<boolean> => {
  const deviceAt = new Date(input.at);
  return Number.isNaN(deviceAt.getTime()) ? Promise.resolve(false) : hasEvent(tx, row.id, kind, deviceAt);
};

async function keep(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  kind: AttendanceKind,
  input: Evidence,
  reckoned: Reckoned,
  { how, located }: Proof,
  flags: Flags,
): Promise<void> {
  const now = scope.clock.now();
  await insertAttendance(tx, {
    id: newId(now),
    engagement_id: row.id,
    kind,
    at: reckoned.at,
    received_at: now,
    device_at: reckoned.deviceAt,
    how,
    lat: input.position?.lat ?? null,
    lng: input.position?.lng ?? null,
    accuracy_m: located?.accuracyM ?? null,
    distance_m: located?.distanceM ?? null,
    flags: [...reckoned.flags, ...flags],
  });
}
