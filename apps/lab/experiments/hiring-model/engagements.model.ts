import {
  type Application,
  applicationAt,
  type Call,
  day,
  hour,
  jobOf,
  minute,
  type Operation,
  refuse,
  type Side,
  sideOf,
  type Work,
  type World,
} from './records.ts';
import { payFor, spotFreed, updateFilledStatus } from './spots.model.ts';

export type Seen = { work: Work; application: Application; side: Side };

/** Finds work for a call. `repeatedStatus` accepts an old version from the person who moved it to that status last. */
export function look(
  world: World,
  call: Call,
  needed: Side | null,
  repeatedStatus: string | null = null,
): Seen {
  const application = applicationAt(world, call);
  const work = application.work as Work;
  const side = sideOf(world, application, call.who);
  if (side === null) return refuse('engagement/not-found');
  if (needed !== null && side !== needed) refuse('engagement/not-allowed');
  const repeats =
    repeatedStatus !== null && work.last.who === call.who && work.last.action === repeatedStatus;
  if (call.version !== undefined && call.version !== work.version && !repeats) refuse('engagement/stale');
  return { work, application, side };
}
export const wrong = (): never => refuse('engagement/wrong-state');

export function turn(work: Work, status: string, actor: number, action: string): void {
  work.status = status;
  work.version += 1;
  work.last = { who: actor, action };
}

const simple = (
  action: string,
  from: readonly string[],
  to: string,
  can: (world: World, work: Work) => boolean = () => true,
): Operation => ({
  gate: (world, call) => {
    const { work } = look(world, call, 'worker', action);
    if (work.status === to) return 'repeat';
    return from.includes(work.status) && can(world, work) ? 'go' : wrong();
  },
  make: (world, call) => {
    const { work } = look(world, call, 'worker', action);
    turn(work, to, call.who, action);
    work.movedAt = world.now;
  },
});

const startOf = ({ terms }: Work): number => terms.startsAt ?? Number.NEGATIVE_INFINITY;
const isShift = ({ terms }: Work) => terms.kind === 'shift';
const happened = (work: Work, kind: string, at: number) =>
  work.events.some((event) => event.kind === kind && event.at === at);

const takesBreak = (kind: 'break_start' | 'break_end'): Operation => ({
  gate: (world, call) => {
    const { work } = look(world, call, 'worker');
    if (happened(work, kind, world.now)) return 'repeat';
    if (!isShift(work) || work.status !== 'checked_in') return wrong();
    if (kind === 'break_start' && work.breakSince !== null) refuse('attendance/on-break');
    if (kind === 'break_end' && work.breakSince === null) refuse('attendance/not-on-break');
    return 'go';
  },
  make: (world, call) => {
    const { work } = look(world, call, 'worker');
    work.version += 1;
    work.breakSince = kind === 'break_start' ? world.now : null;
    work.events.push({ kind, at: world.now });
  },
});

const cancelStates = ['booked', 'confirmed', 'in_progress'];

function cancel(world: World, call: Call): void {
  const { work, application, side } = look(world, call, null, 'cancel');
  const { terms } = work;
  // Free for five minutes after the booking, until the start.
  const undone = world.now < Math.min(work.bookedAt + 5 * minute, startOf(work));
  const late = isShift(work)
    ? world.now > startOf(work) - 24 * hour && !undone
    : work.status === 'in_progress';
  const half = Math.floor((terms.payTotalMinor + 1) / 2);
  const max = isShift(work) ? payFor(terms.payMinor, 4 * 60) : half;
  const free = isShift(work) ? world.now < startOf(work) : work.status === 'booked';
  const compensation = late && side === 'business' ? Math.min(half, max) : 0;
  turn(work, side === 'worker' ? 'cancelled_by_worker' : 'cancelled_by_merchant', call.who, 'cancel');
  work.late = late;
  work.compensationMinor = compensation;
  work.nextAt = null;
  if (compensation > 0)
    work.releases.push({ kind: 'compensation', amountMinor: compensation, state: 'released' });
  work.heldMinor = 0;
  if (!free) return;
  const job = jobOf(world, application);
  job.hired -= 1;
  updateFilledStatus(world, job);
  spotFreed(world, job);
}

export const engagementOperations: Record<string, Operation> = {
  confirm: simple(
    'confirm',
    ['booked'],
    'confirmed',
    (world, work) => isShift(work) && world.now < startOf(work),
  ),
  start: simple('start', ['booked'], 'in_progress', (_, work) => !isShift(work)),
  'cancel-work': {
    gate: (world, call) => {
      const { work, side } = look(world, call, null, 'cancel');
      if (work.status === (side === 'worker' ? 'cancelled_by_worker' : 'cancelled_by_merchant'))
        return 'repeat';
      if (!cancelStates.includes(work.status)) return wrong();
      const until =
        side === 'worker' && world.mistake !== 'worker-cancels-late'
          ? work.terms.startsAt
          : work.terms.endsAt;
      return until !== null && world.now >= until ? wrong() : 'go';
    },
    make: cancel,
  },
  /** `far` and `none`: the device's reported position. */
  'check-in': {
    gate: (world, call) => {
      const { work } = look(world, call, 'worker');
      if (happened(work, 'check_in', world.now) || work.status === 'checked_in') return 'repeat';
      if (!isShift(work) || !['booked', 'confirmed', 'checked_out'].includes(work.status)) return wrong();
      if (world.now < startOf(work) - 60 * minute) refuse('engagement/too-early');
      if (world.now > (work.terms.endsAt as number)) refuse('engagement/too-late');
      return 'go';
    },
    make: (world, call) => {
      const { work } = look(world, call, 'worker');
      if (call.input.where === 'none') refuse('attendance/no-evidence');
      if (call.input.where === 'far') refuse('attendance/too-far');
      turn(work, 'checked_in', call.who, 'check-in');
      // Returning after leaving: the first arrival counts.
      work.checkedInAt ??= world.now;
      work.checkedOutAt = null;
      work.events.push({ kind: 'check_in', at: world.now });
    },
  },
  'start-break': takesBreak('break_start'),
  'end-break': takesBreak('break_end'),
  'check-out': {
    gate: (world, call) => {
      const { work } = look(world, call, 'worker');
      if (happened(work, 'check_out', world.now) || work.status === 'checked_out') return 'repeat';
      if (!isShift(work) || work.status !== 'checked_in') return wrong();
      return world.now > (work.terms.endsAt as number) + 12 * hour ? refuse('engagement/too-late') : 'go';
    },
    make: (world, call) => {
      const { work } = look(world, call, 'worker');
      if (work.breakSince !== null) work.events.push({ kind: 'break_end', at: world.now });
      turn(work, 'checked_out', call.who, 'check-out');
      work.checkedOutAt = world.now;
      work.breakSince = null;
      work.events.push({ kind: 'check_out', at: world.now });
    },
  },
  'miss-work': {
    gate: (world, call) => {
      const { work } = look(world, call, 'business', 'report-no-show');
      if (work.status === 'no_show_reported') return 'repeat';
      if (!isShift(work) || !['booked', 'confirmed', 'submitted'].includes(work.status)) return wrong();
      if (work.checkedInAt !== null) return wrong();
      if (work.status === 'submitted' && work.claims.at(-1)?.by !== 'timer') return wrong();
      return world.now < startOf(work) + 60 * minute ? refuse('engagement/too-early') : 'go';
    },
    make: (world, call) => {
      const { work } = look(world, call, 'business', 'report-no-show');
      turn(work, 'no_show_reported', call.who, 'report-no-show');
      work.noShowAt = world.now;
      work.nextAt = null;
    },
  },
  'contest-work': {
    gate: (world, call) => {
      const { work } = look(world, call, 'worker', 'contest');
      if (work.status === 'contested') return 'repeat';
      if (work.status !== 'no_show_reported') return wrong();
      return world.now < (work.noShowAt as number) + day ? 'go' : refuse('engagement/contest-over');
    },
    make: (world, call) =>
      turn(look(world, call, 'worker', 'contest').work, 'contested', call.who, 'contest'),
  },
};
