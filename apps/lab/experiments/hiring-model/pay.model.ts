import { sumOf } from '@nearhand/contract/arithmetic';
import { look, turn, wrong } from './engagements.model.ts';
import { type Call, day, hour, minute, type Operation, refuse, type Work, type World } from './records.ts';
import { payFor, withFee } from './spots.model.ts';

export const timer = -1;

export type Hours = { startsAt: number; endsAt: number; breakMinutes: number };

export const released = (work: Work): number => sumOf(work.releases, ({ amountMinor }) => amountMinor);
export const payOf = (work: Work, hours: Hours): number =>
  payFor(
    work.terms.payMinor,
    Math.max(0, Math.round((hours.endsAt - hours.startsAt) / minute) - hours.breakMinutes),
  );

/** Pays as far as the hold goes, filled up from the balance by a quarter of the plan; the rest is owed. */
export function release(work: Work, kind: string, amountMinor: number): void {
  if (amountMinor <= 0) return;
  const before = released(work);
  const plan = work.terms.payTotalMinor;
  const maxAdded = withFee(plan, Math.floor((plan * 2_500 + 5_000) / 10_000)) - work.addedMinor;
  const lacks = withFee(before, amountMinor) - work.heldMinor;
  const available = work.heldMinor + Math.max(0, Math.min(lacks, maxAdded));
  let paid = Math.min(amountMinor, available);
  while (paid > 0 && withFee(before, paid) > available) paid -= 1;
  const added = Math.max(0, withFee(before, paid) - work.heldMinor);
  work.addedMinor += added;
  work.heldMinor += added - withFee(before, paid);
  if (paid > 0) work.releases.push({ kind, amountMinor: paid, state: 'released' });
  if (paid < amountMinor) work.releases.push({ kind, amountMinor: amountMinor - paid, state: 'not_funded' });
}

function covers(work: Work, amountMinor: number): boolean {
  const paid = sumOf(work.releases, (release) => (release.state === 'released' ? release.amountMinor : 0));
  return withFee(paid, Math.max(amountMinor, released(work)) - paid) <= work.heldMinor;
}

/** Approves an amount, releases the rest and completes the work. */
export function settle(work: Work, amountMinor: number, by = { who: timer, action: 'settle' }): void {
  release(work, 'rest', amountMinor - released(work));
  work.heldMinor = 0;
  work.status = 'completed';
  work.version += 2;
  work.amountMinor = amountMinor;
  work.nextAt = null;
  work.last = by;
}

export function openDispute(
  world: World,
  work: Work,
  person: number,
  opening: Pick<NonNullable<Work['dispute']>, 'filedBy' | 'worker' | 'business' | 'status'>,
): void {
  turn(work, 'disputed', person, 'dispute');
  work.nextAt = world.now + 5 * day;
  work.dispute = {
    id: '',
    version: 1,
    ...opening,
    proposal: null,
    settledMinor: null,
    dueAt: world.now + 5 * day,
    stopAt: world.now + 30 * day,
  };
}

function requireHours(world: World, work: Work, hours: Hours): number {
  const { startsAt, endsAt } = work.terms;
  if (startsAt === null || endsAt === null) return wrong();
  const impossible =
    hours.endsAt <= hours.startsAt ||
    hours.startsAt < startsAt - 2 * hour ||
    hours.endsAt > endsAt + 12 * hour ||
    hours.endsAt > world.now ||
    hours.breakMinutes * minute >= hours.endsAt - hours.startsAt;
  if (impossible) refuse('timesheet/hours-impossible');
  return payOf(work, hours);
}

const countersOf = (work: Work) => work.claims.filter(({ by }) => by === 'business');

function submit(world: World, call: Call): void {
  const { work } = look(world, call, 'worker');
  const amountMinor = requireHours(world, work, call.input as Hours);
  if (amountMinor < released(work)) refuse('timesheet/below-paid');
  const counters = countersOf(work);
  work.claims.push({ by: 'worker', amountMinor });
  const counter = counters.at(-1)?.amountMinor ?? null;
  if (counters.length >= 3) {
    if (amountMinor === counter) settle(work, amountMinor, { who: call.who, action: 'accept-counter' });
    else
      openDispute(world, work, timer, {
        filedBy: 'timer',
        worker: amountMinor,
        business: counter,
        status: 'answered',
      });
    return;
  }
  turn(work, 'submitted', call.who, 'submit-hours');
  work.amountMinor = amountMinor;
  work.breakSince = null;
  work.nextAt = world.now + 72 * hour;
}

function counter(world: World, call: Call): void {
  const { work } = look(world, call, 'business');
  const amountMinor = requireHours(world, work, call.input as Hours);
  const claim = work.claims.filter(({ by }) => by !== 'business').at(-1)?.amountMinor ?? 0;
  if (amountMinor >= claim) refuse('timesheet/counter-higher');
  if (amountMinor < released(work)) refuse('timesheet/below-paid');
  work.claims.push({ by: 'business', amountMinor });
  turn(work, 'counter_proposed', call.who, 'counter');
  work.nextAt = world.now + 72 * hour;
  if (world.mistake !== 'undisputed-part-kept') release(work, 'undisputed', amountMinor - released(work));
}

const gate =
  (needed: 'worker' | 'business', from: (work: Work) => boolean): Operation['gate'] =>
  (world, call) =>
    from(look(world, call, needed).work) ? 'go' : wrong();

/** A repeated click, with the version of the first, changes nothing. */
const agreed =
  (needed: 'worker' | 'business', action: string, from: (work: Work) => boolean): Operation['gate'] =>
  (world, call) => {
    const { work } = look(world, call, needed, action);
    if (call.version !== work.version && work.status === 'completed') return 'repeat';
    return from(work) ? 'go' : wrong();
  };

const isShift = (work: Work) => work.terms.kind === 'shift';
const claimable = ['booked', 'confirmed', 'checked_in', 'checked_out', 'submitted', 'counter_proposed'];

export const payOperations: Record<string, Operation> = {
  'submit-hours': {
    gate: (world, call) => {
      const { work } = look(world, call, 'worker');
      if (!isShift(work) || !claimable.includes(work.status)) return wrong();
      return world.now < (work.terms.startsAt as number) ? refuse('engagement/too-early') : 'go';
    },
    make: submit,
  },
  counter: { gate: gate('business', (work) => isShift(work) && work.status === 'submitted'), make: counter },
  'accept-counter': {
    gate: agreed('worker', 'accept-counter', (work) => work.status === 'counter_proposed'),
    make: (world, call) => {
      const { work } = look(world, call, 'worker');
      settle(work, countersOf(work).at(-1)?.amountMinor ?? 0, { who: call.who, action: 'accept-counter' });
    },
  },
  approve: {
    gate: agreed('business', 'approve', (work) => ['submitted', 'delivered'].includes(work.status)),
    make: (world, call) => {
      const { work } = look(world, call, 'business');
      const amountMinor = isShift(work) ? (work.claims.at(-1)?.amountMinor ?? 0) : work.terms.payTotalMinor;
      if (!covers(work, amountMinor)) refuse('payment/hold-short');
      settle(work, amountMinor, { who: call.who, action: 'approve' });
    },
  },
  deliver: {
    gate: gate(
      'worker',
      (work) => !isShift(work) && ['booked', 'in_progress', 'changes_requested'].includes(work.status),
    ),
    make: (world, call) => {
      const { work } = look(world, call, 'worker');
      if (call.input.note === '') refuse('timesheet/no-delivery');
      turn(work, 'delivered', call.who, 'deliver');
      work.movedAt = world.now;
      work.nextAt = world.now + 14 * day;
    },
  },
  'request-changes': {
    gate: gate('business', (work) => work.status === 'delivered'),
    make: (world, call) => {
      const { work } = look(world, call, 'business');
      turn(work, 'changes_requested', call.who, 'request-changes');
      work.movedAt = world.now;
      work.nextAt = null;
    },
  },
};
