import { addMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { attendance, type Evidence } from '@nearhand/contract/work/attendance';
import {
  checkInReachM,
  checkInWindow,
  type LateChoice,
  windowProblem,
} from '@nearhand/contract/work/attendance.rules';
import type { AttendanceEvent, AttendanceKind, Engagement } from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import { AppError, CommittedRefusal } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';
import {
  changeEngagement,
  type EngagementRow,
  logEngagementNote,
  makeEngagementMove,
  openEngagement,
  requireActionMoment,
  requireEngagementMove,
} from '../engagements/engagement-transitions.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { notifyOfEngagement } from '../engagements/engagements.ts';
import {
  clampToEarliest,
  distanceToPlace,
  type EventTime,
  eventTime,
  type Located,
  minuteEnd,
  minuteOf,
  minutesAround,
} from './attendance.rules.ts';
import {
  countWrongCodes,
  findLastAt,
  findPartAtSite,
  findSites,
  hasEvent,
  insertAttempt,
  insertAttendance,
  insertWrongCode,
} from './attendance.sql.ts';
import { checkInFor, checkOutFor, contestRecord } from './recorded-time.ts';

const triesWithinMs = workLimits.siteCodeTriesMinutes * minuteMs;

/** Six digits per site and minute since 1970, derived from the server's secret. */
function codeInMinute(mac: Mac, site: string, minute: number): string {
  const number = mac('site-code', `${site} ${minute}`).readUInt32BE(0) % 1_000_000;
  return String(number).padStart(6, '0');
}

type SiteCodes = { code: string; validUntil: string; ahead: string[] };

/** Returns the check-in codes of the next hours. For recruiters. */
async function siteCode(db: Db, scope: Scope, { jobId }: { jobId: string }): Promise<SiteCodes> {
  const part = await findPartAtSite(db, jobId, scope.actor.accountId);
  if (!part || (part.role === null && !part.booked)) throw new AppError('job/not-found');
  if (!roleMay(part.role, 'work')) throw new AppError('job/not-allowed');
  return siteCodes(scope, part.site);
}

/** The current check-in code of a site, which is a branch or a job without one, and those of the next hours. */
export function siteCodes(scope: Pick<Scope, 'clock' | 'sign'>, site: string): SiteCodes {
  const minute = minuteOf(scope.clock.now());
  const codeAt = (later: number) => codeInMinute(scope.sign, site, minute + later);
  const ahead = Array.from({ length: workLimits.siteCodeAheadMinutes }, (_, index) => codeAt(index + 1));
  return { code: codeAt(0), validUntil: minuteEnd(minute).toISOString(), ahead };
}

/**
 * Requires a recent check-in code.
 * @throws attendance/wrong-code (data: left), attendance/code-attempts (data: retryAfterSeconds)
 */
const requireCode = (tx: Tx, scope: Scope, row: EngagementRow, code: string, at: Date): Promise<void> =>
  requireCodeOrPin(tx, scope, {
    engagementId: row.id,
    onKiosk: false,
    isRight: async () => {
      const sites = await findSites(tx, row.jobId);
      return minutesAround(at).some((minute) =>
        sites.some((site) => isAccepted(scope.sign, code, (mac) => codeInMinute(mac, site, minute))),
      );
    },
  });

/**
 * Requires a right code on a phone, or PIN on a kiosk. Five wrong ones block that way, even after a refusal, and leave
 * the other one open: anyone can type PINs at the door (ADR 42). The engagement must be locked.
 * @throws attendance/wrong-code (data: left), attendance/code-attempts (data: retryAfterSeconds)
 */
export async function requireCodeOrPin(
  tx: Tx,
  scope: ClockScope,
  { engagementId, onKiosk, isRight }: { engagementId: string; onKiosk: boolean; isRight(): Promise<boolean> },
): Promise<void> {
  const now = scope.clock.now();
  const wrong = await countWrongCodes(tx, engagementId, { since: subtractMs(now, triesWithinMs), onKiosk });
  if (wrong >= workLimits.siteCodeTries)
    throw new AppError('attendance/code-attempts', { retryAfterSeconds: triesWithinMs / 1_000 });
  if (await isRight()) return;
  await insertWrongCode(tx, { engagementId, at: now, onKiosk });
  throw new CommittedRefusal('attendance/wrong-code', { left: workLimits.siteCodeTries - wrong - 1 });
}

/**
 * Announces that the worker will be late, from 12 hours before the start; a no-show can then be reported only
 * that much later.
 */
async function sayLate(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; minutes: LateChoice | null; note: string },
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  await requireActionMoment(tx, scope, row, 'say-late', mover.side);
  const { minutes } = input;
  const note = input.note === '' ? null : input.note;
  if (row.lateAt !== null && row.lateMinutes === minutes && row.lateNote === note)
    return viewEngagement(tx, scope, row.id);
  const now = scope.clock.now();
  await changeEngagement(tx, scope, row, { lateMinutes: minutes, lateNote: note, lateAt: now });
  await logEngagementNote(tx, scope, row, mover, {
    action: minutes === null ? 'running-late' : `running-late-${minutes}`,
    reason: note,
  });
  await notifyOfEngagement(tx, scope, row.id, {
    recruiters: 'engagement-running-late',
    event: `${row.id}/${row.version}`,
    data: {
      variant: minutes === null ? undefined : `${minutes}`,
      reason: note ?? undefined,
    },
  });
  return viewEngagement(tx, scope, row.id);
}

type Flags = AttendanceEvent['flags'];

/**
 * Checks the worker in by location or code, from shortly before the start until the end, including after time
 * away. A queued check-in keeps its time, corrected by the server's clock, and is flagged. For its worker.
 */
export const checkIn = (tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> =>
  recordArrival(tx, scope, input, (row, time) => requirePresence(tx, scope, row, input, time));

/** Checks the worker in with the proof that `prove` returns. For its worker, or the tablet at the door for them. */
export async function recordArrival(
  tx: Tx,
  scope: Scope,
  input: Evidence,
  prove: Prove,
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  if (await isRepeat(tx, row, 'check_in', input)) return viewEngagement(tx, scope, row.id);
  if (requireEngagementMove(row, 'check-in', mover) === row.status) return viewEngagement(tx, scope, row.id);
  const { startsAt, endsAt } = shiftSpan(row);
  const isReturn = row.status === 'checked_out';
  const time = requireTime(scope, input, isReturn ? await findLastAt(tx, row.id) : null);
  const window = checkInWindow({ startsAt, endsAt }, scope.config.CHECK_IN_OPENS_MINUTES);
  const problem = windowProblem(time.at, window);
  if (problem === 'too-early')
    throw new AppError('engagement/too-early', { from: window.from.toISOString() });
  if (problem === 'too-late')
    throw new AppError('engagement/too-late', { until: window.until.toISOString() });
  const proof = await prove(row, time);
  const late = Math.floor((time.at.getTime() - startsAt.getTime()) / minuteMs);
  await saveEvent(tx, scope, row, {
    kind: 'check_in',
    input,
    time,
    proof,
    flags: late > 0 && !isReturn ? ['late'] : [],
  });
  await makeEngagementMove(tx, scope, row, {
    action: 'check-in',
    mover,
    changes: {
      checkedInAt: row.checkedInAt ?? time.at,
      checkedOutAt: null,
    },
  });
  if (!isReturn) await notifyOfArrival(tx, scope, row, time.at, late);
  return viewEngagement(tx, scope, row.id);
}

/**
 * Checks the worker out. Being far away is flagged, not refused; a given code must be right. For its worker.
 */
export const checkOut = (tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> =>
  recordLeaving(tx, scope, input, (row, time) => proofOfLeaving(tx, scope, row, input, time));

/** Checks the worker out with the proof that `prove` returns. For its worker, or the tablet at the door for them. */
export async function recordLeaving(
  tx: Tx,
  scope: Scope,
  input: Evidence,
  prove: Prove,
): Promise<Engagement> {
  const { row, mover } = await openEngagement(tx, scope, {
    engagementId: input.engagementId,
    side: 'worker',
  });
  if (await isRepeat(tx, row, 'check_out', input)) return viewEngagement(tx, scope, row.id);
  if (requireEngagementMove(row, 'check-out', mover) === row.status) return viewEngagement(tx, scope, row.id);
  const { endsAt } = shiftSpan(row);
  const time = requireTime(scope, input, await findLastAt(tx, row.id));
  const until = addMs(endsAt, scope.config.AUTO_SUBMIT_HOURS * hourMs);
  if (time.at > until) throw new AppError('engagement/too-late', { until: until.toISOString() });
  const proof = await prove(row, time);
  const early = Math.floor((endsAt.getTime() - time.at.getTime()) / minuteMs);
  if (row.onBreakSince)
    await saveEvent(tx, scope, row, {
      kind: 'break_end',
      input,
      time,
      proof: { how: 'none', located: null },
      flags: [],
    });
  const isFar = proof.how === 'position' && proof.located !== null && !proof.located.near;
  const flags: Flags = [...(isFar ? (['far'] as const) : []), ...(early > 0 ? (['early'] as const) : [])];
  await saveEvent(tx, scope, row, { kind: 'check_out', input, time, proof, flags });
  await makeEngagementMove(tx, scope, row, {
    action: 'check-out',
    mover,
    changes: {
      checkedOutAt: time.at,
      onBreakSince: null,
    },
  });
  return viewEngagement(tx, scope, row.id);
}

/** Starts a break of a checked-in worker. For its worker. */
export const startBreak = (tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> =>
  recordBreak(tx, scope, 'break_start', input, (row) => positionOf(scope, row, input));

/** Ends a break. For its worker. */
const endBreak = (tx: Tx, scope: Scope, input: Evidence): Promise<Engagement> =>
  recordBreak(tx, scope, 'break_end', input, (row) => positionOf(scope, row, input));

/** Starts or ends a break with the proof that `prove` returns. For its worker, or the tablet at the door for them. */
export async function recordBreak(
  tx: Tx,
  scope: Scope,
  kind: 'break_start' | 'break_end',
  input: Evidence,
  prove: Prove,
): Promise<Engagement> {
  const { row } = await openEngagement(tx, scope, { engagementId: input.engagementId, side: 'worker' });
  if (await isRepeat(tx, row, kind, input)) return viewEngagement(tx, scope, row.id);
  if (row.kind !== 'shift' || row.status !== 'checked_in')
    throw new AppError('engagement/wrong-state', { status: row.status });
  if (kind === 'break_start' && row.onBreakSince) throw new AppError('attendance/on-break');
  if (kind === 'break_end' && !row.onBreakSince) throw new AppError('attendance/not-on-break');
  const time = requireTime(scope, input, await findLastAt(tx, row.id));
  if (kind === 'break_start' && row.startsAt && time.at < row.startsAt)
    throw new AppError('engagement/too-early', { from: row.startsAt.toISOString() });
  await saveEvent(tx, scope, row, { kind, input, time, proof: await prove(row, time), flags: [] });
  await changeEngagement(tx, scope, row, { onBreakSince: kind === 'break_start' ? time.at : null });
  return viewEngagement(tx, scope, row.id);
}

async function positionOf(scope: Scope, row: EngagementRow, { position }: Evidence): Promise<Proof> {
  const located = position && distanceToPlace(position, row.terms.place, scope.config);
  return { how: located ? 'position' : 'none', located };
}

function shiftSpan(row: EngagementRow): { startsAt: Date; endsAt: Date } {
  if (!row.startsAt || !row.endsAt) throw new AppError('engagement/wrong-state', { status: row.status });
  return { startsAt: row.startsAt, endsAt: row.endsAt };
}

/**
 * The event's time by the server's clock, not before the previous event.
 * @throws attendance/time-impossible
 */
function requireTime(scope: Scope, input: Evidence, earliest: Date | null = null): EventTime {
  const time = eventTime(input, scope.clock.now());
  const at = time && (earliest === null ? time.at : clampToEarliest(time.at, earliest));
  if (!time || !at) throw new AppError('attendance/time-impossible');
  return { ...time, at };
}

/** A device repeats a message if it got no response. */
const isRepeat = (tx: Tx, row: EngagementRow, kind: AttendanceKind, input: Evidence): Promise<boolean> => {
  const deviceAt = new Date(input.at);
  return Number.isNaN(deviceAt.getTime()) ? Promise.resolve(false) : hasEvent(tx, row.id, kind, deviceAt);
};

type NewEvent = { kind: AttendanceKind; input: Evidence; time: EventTime; proof: Proof; flags: Flags };

async function saveEvent(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  { kind, input, time, proof: { how, located }, flags }: NewEvent,
): Promise<void> {
  const now = scope.clock.now();
  await insertAttendance(tx, {
    id: newId(now),
    engagementId: row.id,
    kind,
    at: time.at,
    receivedAt: now,
    deviceAt: time.deviceAt,
    how,
    lat: input.position?.lat ?? null,
    lng: input.position?.lng ?? null,
    accuracyM: located?.accuracyM ?? null,
    distanceM: located?.distanceM ?? null,
    flags: [...time.flags, ...flags],
  });
}

/** Notifies recruiters of a shift's first arrival and of late ones (ADR 42). */
async function notifyOfArrival(
  tx: Tx,
  scope: ClockScope,
  row: EngagementRow,
  at: Date,
  late: number,
): Promise<void> {
  const isLate = late > workLimits.lateArrivalMinutes;
  await notifyOfEngagement(tx, scope, row.id, {
    recruiters: 'engagement-checked-in',
    event: isLate ? row.id : `first/${row.jobId}/${row.startsAt?.toISOString()}`,
    data: {
      variant: isLate ? 'late' : 'first',
      checkedInAt: at.toISOString(),
      count: isLate ? late : undefined,
    },
  });
}

export type Proof = { how: AttendanceEvent['how']; located: Located | null };
type Prove = (row: EngagementRow, time: EventTime) => Promise<Proof>;

/**
 * Requires a close position, otherwise the code; a position too far away is kept as evidence; with a good
 * position a wrong code costs nothing.
 * @throws attendance/no-evidence, attendance/too-far
 * (data: distanceM, allowedM), attendance/wrong-code, attendance/code-attempts
 */
async function requirePresence(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  { position, code }: Evidence,
  { at }: EventTime,
): Promise<Proof> {
  const located = position && distanceToPlace(position, row.terms.place, scope.config);
  if (located?.near) return { how: 'position', located };
  if (code !== null) {
    await requireCode(tx, scope, row, code, at);
    return { how: 'code', located };
  }
  if (!located) throw new AppError('attendance/no-evidence');
  const { distanceM, accuracyM } = located;
  const allowedM = checkInReachM(scope.config.CHECK_IN_RADIUS_M, accuracyM);
  const now = scope.clock.now();
  await insertAttempt(tx, {
    id: newId(now),
    engagementId: row.id,
    at,
    receivedAt: now,
    distanceM,
    accuracyM,
    allowedM,
  });
  throw new CommittedRefusal('attendance/too-far', { distanceM, allowedM });
}

/**
 * Optional for a check-out, but a given code must be right.
 * @throws attendance/wrong-code, attendance/code-attempts
 */
async function proofOfLeaving(
  tx: Tx,
  scope: Scope,
  row: EngagementRow,
  { position, code }: Evidence,
  { at }: EventTime,
): Promise<Proof> {
  const located = position && distanceToPlace(position, row.terms.place, scope.config);
  if (located?.near || (located && code === null)) return { how: 'position', located };
  if (code === null) return { how: 'none', located: null };
  await requireCode(tx, scope, row, code, at);
  return { how: 'code', located };
}

export const attendanceRoutes = {
  checkIn: write(attendance.checkIn, checkIn),
  checkOut: write(attendance.checkOut, checkOut),
  startBreak: write(attendance.startBreak, startBreak),
  endBreak: write(attendance.endBreak, endBreak),
  sayLate: write(attendance.sayLate, sayLate),
  checkInFor: write(attendance.checkInFor, checkInFor),
  checkOutFor: write(attendance.checkOutFor, checkOutFor),
  contestRecord: write(attendance.contestRecord, contestRecord),
  siteCode: read(attendance.siteCode, siteCode),
};
