import { addMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import type { VariantOf } from '@nearhand/contract/talk/topics/notice-facts';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import {
  changeEngagement,
  type EngagementRow,
  logEngagementNote,
  makeEngagementMove,
  openEngagement,
  requireActionMoment,
  requireContestable,
  requireEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { nextStep } from '../engagements/engagements.sql.ts';
import { notifyOfEngagement } from '../engagements/engagements.ts';
import { silentStep } from '../settlement/pay-bounds.ts';
import { contestEvent, findEvent, insertAttendance } from './attendance.sql.ts';

type Recorded = { engagementId: string; version: number; reason: string };

/** Checks in a worker without a phone, now. The worker may contest it. For recruiters. */
export async function checkInFor(tx: Tx, scope: Scope, input: Recorded): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'business',
    repeatOf: 'check-in-for',
  });
  if (requireEngagementMove(row, 'check-in-for', mover) === row.status)
    return viewEngagement(tx, scope, row.id);
  await requireActionMoment(tx, scope, row, 'check-in-for', mover.side);
  const now = scope.clock.now();
  const late = row.startsAt === null ? 0 : Math.floor((now.getTime() - row.startsAt.getTime()) / minuteMs);
  await saveRecorded(tx, scope, row, {
    kind: 'check_in',
    reason: input.reason,
    flags: late > 0 ? ['late'] : [],
  });
  const came = { checkedInAt: now, checkedOutAt: null };
  await makeEngagementMove(tx, scope, row, {
    action: 'check-in-for',
    mover,
    changes: came,
    reason: input.reason,
  });
  await notifyOfRecord(tx, scope, row, 'check_in', input.reason);
  return viewEngagement(tx, scope, row.id);
}

/** Checks out a worker without a phone, or sends them home early, now. For recruiters. */
export async function checkOutFor(
  tx: Tx,
  scope: Scope,
  input: Recorded & { sentHome?: boolean },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    version: input.version,
    side: 'business',
    repeatOf: 'check-out-for',
  });
  if (requireEngagementMove(row, 'check-out-for', mover) === row.status)
    return viewEngagement(tx, scope, row.id);
  const now = scope.clock.now();
  const until = row.endsAt && addMs(row.endsAt, scope.config.AUTO_SUBMIT_HOURS * hourMs);
  if (until && now > until) throw new AppError('engagement/too-late', { until: until.toISOString() });
  if (row.onBreakSince)
    await saveRecorded(tx, scope, row, { kind: 'break_end', reason: input.reason, flags: [] });
  const isEarly = row.endsAt !== null && now < row.endsAt;
  const isSentHome = isEarly && input.sentHome === true;
  const flags = [...(isEarly ? ['early'] : []), ...(isSentHome ? ['sent_home'] : [])];
  await saveRecorded(tx, scope, row, { kind: 'check_out', reason: input.reason, flags });
  const changes = { checkedOutAt: now, onBreakSince: null };
  await makeEngagementMove(tx, scope, row, { action: 'check-out-for', mover, changes, reason: input.reason });
  await notifyOfRecord(tx, scope, row, isSentHome ? 'sent_home' : 'check_out', input.reason);
  return viewEngagement(tx, scope, row.id);
}

/** Contests a time that a recruiter recorded, until the hours are agreed; the time stays on the record. */
export async function contestRecord(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; eventId: string; note: string },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  const event = await findEvent(tx, row.id, input.eventId);
  if (!event) throw new AppError('engagement/not-found');
  if (event.how !== 'manager') throw new AppError('attendance/not-contestable');
  if (event.contest !== null) {
    if (event.contest === input.note) return viewEngagement(tx, scope, row.id);
    throw new AppError('attendance/not-contestable');
  }
  requireContestable(row);
  const now = scope.clock.now();
  await contestEvent(tx, event.id, input.note, now);
  // The version rises, so that an older one can't be approved. A contested record no longer decides a
  // counter-proposal, and no rule approves it (ADR 43).
  const isUndecided = row.status === 'counter_proposed' || row.nextWhat === 'approve-planned';
  await changeEngagement(tx, scope, row, isUndecided ? nextStep(await silentStep(tx, scope, row)) : {});
  await logEngagementNote(tx, scope, row, mover, { action: 'contest-record', reason: input.note });
  await notifyOfEngagement(tx, scope, row.id, {
    recruiters: 'engagement-time-contested',
    event: event.id,
    data: { variant: event.kind, reason: input.note },
  });
  return viewEngagement(tx, scope, row.id);
}

async function saveRecorded(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  event: { kind: 'check_in' | 'break_end' | 'check_out'; reason: string; flags: string[] },
): Promise<void> {
  const now = scope.clock.now();
  await insertAttendance(tx, {
    id: newId(now),
    engagementId: row.id,
    ...event,
    how: 'manager',
    at: now,
    receivedAt: now,
    deviceAt: now,
  });
}

const notifyOfRecord = (
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  variant: VariantOf<'engagement-time-recorded'>,
  reason: string,
): Promise<void> =>
  notifyOfEngagement(tx, scope, row.id, {
    worker: 'engagement-time-recorded',
    event: `${row.id}/${row.version}`,
    data: { variant, reason },
  });
