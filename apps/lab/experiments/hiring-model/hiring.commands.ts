import fc from 'fast-check';
import { isPossible, operationNames, type Target, targetOf } from './hiring.model.ts';
import { rebookable } from './rebook.model.ts';
import { type Call, day, hour, jobOf, minute, recruiterOf, type Work, type World } from './records.ts';
import { booksAtOnce } from './spots.model.ts';
import { nextTimer } from './timers.model.ts';

/**
 * Numbers that choose among records. `moment` waits for the next
 * change, `again` repeats the last call, `lag` delays the runner.
 */
export type Command =
  | { do: 'nothing' }
  | {
      do: 'guided' | 'wild';
      op: number;
      pick: number;
      who: number;
      seed: number;
      stale: boolean;
      lag: boolean;
    }
  | { do: 'clock'; ms: number }
  | { do: 'moment'; pick: number; after: number }
  | { do: 'again' };

const nat = fc.nat(1_000_000);
const call = (what: 'guided' | 'wild') =>
  fc.record({
    do: fc.constant(what),
    op: nat,
    pick: nat,
    who: nat,
    seed: nat,
    stale: fc.nat(9).map((n) => n === 9),
    lag: fc.nat(9).map((n) => n === 9),
  });
const wait = fc.oneof(
  fc.integer({ min: 1, max: 120 }).map((n) => n * minute),
  fc.integer({ min: 1, max: 48 }).map((n) => n * hour),
  fc.integer({ min: 1, max: 16 }).map((n) => n * day),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { withCrossShrink: true },
  { weight: 1, arbitrary: fc.constant({ do: 'nothing' as const }) },
  { weight: 600, arbitrary: call('guided') },
  { weight: 200, arbitrary: call('wild') },
  {
    weight: 110,
    arbitrary: fc.record({
      do: fc.constant('moment' as const),
      pick: nat,
      after: fc.integer({ min: -20, max: 80 }),
    }),
  },
  { weight: 25, arbitrary: fc.record({ do: fc.constant('clock' as const), ms: wait }) },
  { weight: 60, arbitrary: fc.record({ do: fc.constant('again' as const) }) },
);

export type Setting = { firstIn: number; instantSpots: number; apart: number };
export const setting: fc.Arbitrary<Setting> = fc.record({
  firstIn: fc.integer({ min: 20, max: 100 }),
  instantSpots: fc.integer({ min: 1, max: 2 }),
  apart: fc.integer({ min: 2, max: 10 }),
});

/** Shrinking turns commands into `nothing`, one by one. */
export const commandsOf = (count: number) => fc.array(command, { minLength: count, maxLength: count });

const seldom = new Set([
  'withdraw',
  'reject',
  'close',
  'archive',
  'pause',
  'cancel-work',
  'decline',
  'withdraw-offer',
  'unshortlist',
]);
const sideways = new Set(['edit', 'edit-job', 'view', 'leave-waitlist', 'bulk']);

type Place = Pick<Call, 'job' | 'application' | 'interview' | 'business' | 'version'>;

function* placesOf(world: World, target: Target): Generator<Place> {
  if (target === 'job') for (const [job, { version }] of world.jobs.entries()) yield { job, version };
  else if (target === 'business') {
    if (world.applications.length > 0) yield* [{ business: 0 }, { business: 1 }];
  } else
    for (const [application, candidate] of world.applications.entries()) {
      if (target === 'application') yield { application, version: candidate.version };
      if (target === 'interview')
        for (const [interview, { version }] of candidate.interviews.entries())
          yield { application, interview, version };
      if (target === 'offer' && candidate.offer) yield { application, version: candidate.offer.version };
      if (target === 'engagement' && candidate.work) yield { application, version: candidate.work.version };
      if (target === 'dispute' && candidate.work?.dispute)
        yield { application, version: candidate.work.dispute.version };
    }
}

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** Null if nothing can be called yet. */
export function resolve(world: World, command: Extract<Command, { op: number }>): Call | null {
  const people = world.workers + 2;
  if (command.do === 'guided') {
    const possible = new Map<string, Call[]>();
    for (const op of operationNames)
      for (const place of placesOf(world, targetOf(op)))
        for (let person = 0; person < people; person += 1) {
          const call = { op, who: person, ...place, input: {} };
          if (isPossible(world, call)) possible.set(op, [...(possible.get(op) ?? []), call]);
        }
    const leading = [...possible.keys()].filter((op) => !seldom.has(op));
    const names = leading.length > 0 && command.op % 7 > 0 ? leading : [...possible.keys()];
    const weighed = names.flatMap((op) => Array<string>(sideways.has(op) ? 1 : 4).fill(op));
    if (weighed.length === 0) return null;
    return filled(world, at(possible.get(at(weighed, command.op)) as Call[], command.pick), command);
  }
  const op = at(operationNames, command.op);
  const places = [...placesOf(world, targetOf(op))];
  if (places.length === 0) return null;
  const place = at(places, command.pick);
  const version = (place.version ?? 1) + (command.stale ? (place.version === 1 ? 1 : -1) : 0);
  // Half of the calls come from someone the record concerns. Otherwise nearly all would be 'not found'.
  const application = world.applications[place.application ?? -1];
  const concerned = application && [
    application.worker,
    recruiterOf(world, jobOf(world, application).business),
  ];
  const person = concerned && command.who % 4 > 0 ? at(concerned, command.who) : command.who % people;
  return filled(world, { op, who: person, ...place, version, input: {} }, command);
}

/** Sent where the contract requires a version, and sometimes where it is optional. */
const versioned = new Set(['edit', 'edit-job', 'shortlist', 'unshortlist', 'reject']);
const unversioned = new Set(['check-in', 'check-out', 'start-break', 'end-break']);

function filled(world: World, call: Call, { seed, do: kind }: { seed: number; do: string }): Call {
  const target = targetOf(call.op);
  const drops =
    unversioned.has(call.op) ||
    (['job', 'application', 'business'].includes(target) &&
      (!versioned.has(call.op) || (target === 'application' && call.op !== 'edit' && seed % 2 === 0)));
  const { version, ...rest } = call;
  const chosen = drops || version === undefined ? rest : { ...rest, version };
  return { ...chosen, input: inputOf(world, call, seed, kind === 'wild') };
}

const slotsOf = (world: World, seed: number, wild: boolean): number[] => {
  const first = Math.ceil(world.now / minute) * minute + ((seed % 60) + 1) * hour;
  const slots = Array.from({ length: (seed % 3) + 1 }, (_, index) => first + index * 7 * hour);
  return wild && seed % 5 === 0 ? [...slots, world.now - hour] : slots;
};

function hoursOf(work: Work, seed: number) {
  const { startsAt, endsAt } = work.terms;
  const from = startsAt ?? 0;
  const to = endsAt ?? hour;
  return {
    startsAt: from + (seed % 5) * 15 * minute,
    endsAt: to + ((seed % 9) - 6) * 20 * minute,
    breakMinutes: (seed % 4) * 15,
  };
}

function inputOf(world: World, call: Call, seed: number, wild: boolean): Call['input'] {
  const application = world.applications[call.application ?? -1];
  const interview = application?.interviews[call.interview ?? -1];
  const job = world.jobs[call.job ?? application?.job ?? 0];
  const work = application?.work;
  switch (call.op) {
    case 'edit-job':
      return seed % 2 === 0
        ? { headCount: (seed % 3) + 1 }
        : { payMinor: Math.max(1, (job?.payMinor ?? 0) + ((seed % 7) - 1) * 25) };
    case 'apply':
      return { book: (job !== undefined && booksAtOnce(world, job)) !== (wild && seed % 5 === 0) };
    case 'bulk':
      return {
        action: at(['shortlist', 'unshortlist', 'reject', 'shortlist'], seed),
        applications: [
          seed % Math.max(1, world.applications.length),
          (seed >> 3) % Math.max(1, world.applications.length),
        ].filter((item, index, all) => all.indexOf(item) === index),
      };
    case 'propose-interview':
    case 'reschedule':
      return { slots: slotsOf(world, seed, wild) };
    case 'pick':
      return {
        slot: seed % Math.max(1, interview?.slots.length ?? 1),
        startsAt: at(interview?.slots ?? [], seed),
      };
    case 'offer':
      return seed % 4 === 0 ? { payMinor: (job?.payMinor ?? 0) + ((seed % 9) - 1) * 10 } : {};
    case 'rebook': {
      const fit = rebookable(world, call.job ?? 0);
      const worker = wild || fit.length === 0 ? seed % (world.workers + 2) : at(fit, seed);
      return {
        worker,
        ...(seed % 4 === 0 ? { payMinor: (job?.payMinor ?? 0) + ((seed % 9) - 1) * 10 } : {}),
      };
    }
    case 'check-in':
      return { where: wild ? at(['here', 'far', 'none'], seed) : 'here' };
    case 'submit-hours':
    case 'counter':
      return work ? hoursOf(work, seed) : {};
    case 'deliver':
      return { note: wild && seed % 2 === 0 ? '' : 'Done.' };
    case 'dispute':
    case 'answer':
    case 'propose':
      return { amountMinor: Math.max(0, (work?.amountMinor ?? 0) + ((seed % 5) - (wild ? 1 : 3)) * 700) };
    default:
      return {};
  }
}

function momentsOf(world: World): number[] {
  const moments = [nextTimer(world)];
  for (const { startsAt, endsAt } of world.jobs) moments.push(startsAt ?? 0, endsAt ?? 0);
  for (const { interviews, work } of world.applications) {
    for (const { startsAt } of interviews) moments.push(startsAt ?? 0);
    if (work) moments.push((work.terms.startsAt ?? 0) + hour, work.terms.endsAt ?? 0, work.nextAt ?? 0);
  }
  return [...new Set(moments)]
    .filter((moment) => moment > world.now && Number.isFinite(moment))
    .sort((a, b) => a - b);
}

export function clockAfter(world: World, command: Extract<Command, { do: 'clock' | 'moment' }>): number {
  if (command.do === 'clock') return world.now + command.ms;
  const moments = momentsOf(world);
  if (moments.length === 0) return world.now + hour;
  return Math.max(world.now + minute, at(moments.slice(0, 3), command.pick) + command.after * minute);
}
