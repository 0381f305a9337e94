import { look, wrong } from './engagements.model.ts';
import { type Hours, openDispute, payOf, released, settle } from './pay.model.ts';
import {
  type Call,
  type Dispute,
  day,
  minute,
  type Operation,
  refuse,
  type Side,
  type Work,
  type World,
} from './records.ts';

/** Between the paid part and the planned or, if higher, claimed total. */
const bounds = (work: Work) => ({
  min: released(work),
  max: Math.max(work.terms.payTotalMinor, ...work.claims.map(({ amountMinor }) => amountMinor)),
});

function requireAmount(work: Work, call: Call): number {
  const amount = call.input.amountMinor as number;
  const { min, max } = bounds(work);
  return amount < min || amount > max ? refuse('dispute/amount-impossible') : amount;
}

const lastOf = (work: Work, side: Side) =>
  work.claims.filter(({ by }) => by === side).at(-1)?.amountMinor ?? null;

type Seen = { work: Work; dispute: Dispute; side: Side };
function lookAt(world: World, call: Call): Seen {
  try {
    const { work, side } = look(world, { ...call, version: undefined } as unknown as Call, null);
    const dispute = work.dispute as Dispute;
    if (dispute.version !== call.version) refuse('engagement/stale');
    return { work, dispute, side };
  } catch (error) {
    if (error instanceof Error && error.message === 'engagement/not-found')
      return refuse('dispute/not-found');
    throw error;
  }
}

const gate =
  (
    states: readonly string[],
    mayNot: (dispute: Dispute, side: Side) => boolean = () => false,
  ): Operation['gate'] =>
  (world, call) => {
    const { dispute, side } = lookAt(world, call);
    if (!states.includes(dispute.status)) refuse('dispute/wrong-state');
    return mayNot(dispute, side) ? refuse('dispute/not-allowed') : 'go';
  };

/** A step that keeps it open; an operator's dispute waits only for the hard stop. */
function step(world: World, { work, dispute }: Seen, status: string): void {
  dispute.status = status;
  dispute.version += 1;
  const days = status === 'proposed' ? 2 : 5;
  dispute.dueAt = status === 'with_operator' ? null : Math.min(world.now + days * day, dispute.stopAt);
  work.nextAt = dispute.dueAt ?? dispute.stopAt;
}

function end(work: Work, dispute: Dispute, amountMinor: number): void {
  dispute.status = 'settled';
  dispute.version += 1;
  dispute.dueAt = null;
  dispute.settledMinor = amountMinor;
  settle(work, amountMinor);
}

const arguable = ['submitted', 'counter_proposed', 'delivered', 'changes_requested'];

export const disputeOperations: Record<string, Operation> = {
  dispute: {
    gate: (world, call) => {
      const { work } = look(world, call, null);
      if (!arguable.includes(work.status)) return wrong();
      const { endsAt } = work.terms;
      const over = endsAt === null ? work.movedAt : Math.max(endsAt, work.checkedOutAt ?? endsAt);
      return world.now > over + 7 * day ? refuse('dispute/too-late') : 'go';
    },
    make: (world, call) => {
      const { work, side } = look(world, call, null);
      const amount = requireAmount(work, call);
      const task = work.terms.kind === 'task';
      const heldWork = {
        worker: task ? work.terms.payTotalMinor : lastOf(work, 'worker'),
        business: lastOf(work, 'business'),
      };
      openDispute(world, work, call.who, { ...heldWork, [side]: amount, filedBy: side, status: 'open' });
    },
  },
  answer: {
    gate: gate(['open'], ({ filedBy }, side) => filedBy === side),
    make: (world, call) => {
      const look = lookAt(world, call);
      const { work, dispute, side } = look;
      dispute[side] = requireAmount(work, call);
      step(world, look, 'answered');
      if (dispute.worker === dispute.business) end(work, dispute, dispute[side] as number);
    },
  },
  propose: {
    gate: gate(['answered', 'proposed', 'with_operator']),
    make: (world, call) => {
      const look = lookAt(world, call);
      look.dispute.proposal = { by: look.side, amountMinor: requireAmount(look.work, call) };
      step(world, look, look.dispute.status === 'with_operator' ? 'with_operator' : 'proposed');
    },
  },
  'accept-proposal': {
    gate: (world, call) => {
      const { dispute, side } = lookAt(world, call);
      const { status, proposal } = dispute;
      if (!['proposed', 'with_operator'].includes(status) || proposal === null)
        return refuse('dispute/wrong-state');
      return proposal.by === side ? refuse('dispute/not-allowed') : 'go';
    },
    make: (world, call) => {
      const { work, dispute } = lookAt(world, call);
      end(work, dispute, dispute.proposal?.amountMinor ?? 0);
    },
  },
};

/** Open intervals run to the end of the span. */
function lasted({ events }: Work, begins: string, endEvent: string, from: number, to: number): number {
  let sum = 0;
  let since = null as number | null;
  const add = (start: number, stop: number) => {
    sum += Math.max(0, Math.min(stop, to) - Math.max(start, from));
  };
  for (const { kind, at } of events) {
    if (kind === begins) since = since ?? at;
    if (kind === endEvent && since !== null) {
      add(since, at);
      since = null;
    }
  }
  if (since !== null) add(since, to);
  return sum;
}
/** Time between a check-out and the next check-in. */
const elapsed = (work: Work, from: number, to: number): number =>
  lasted(work, 'check_out', 'check_in', from, to);

/** The planned break counts as the middle of the planned hours. */
function plannedBreak({ terms }: Work, from: number, to: number): number {
  const middle = ((terms.startsAt ?? 0) + (terms.endsAt ?? 0)) / 2;
  const half = (terms.breakMinutes * minute) / 2;
  return Math.max(0, Math.min(middle + half, to) - Math.max(middle - half, from));
}

/** Subtracts recorded breaks and time away, or otherwise the planned break (ADR 43). Null when away for all of it. */
function hoursOf(work: Work, startsAt: number, endsAt: number): Hours | null {
  const away = elapsed(work, startsAt, endsAt);
  if (endsAt <= startsAt || away >= endsAt - startsAt) return null;
  const recorded = lasted(work, 'break_start', 'break_end', startsAt, endsAt) + away;
  const rested = recorded > 0 ? recorded : plannedBreak(work, startsAt, endsAt);
  return { startsAt, endsAt, breakMinutes: Math.floor(rested / minute) };
}

export const wholeRecord = (work: Work): Hours | null =>
  work.checkedInAt === null || work.checkedOutAt === null
    ? null
    : hoursOf(work, work.checkedInAt, work.checkedOutAt);

export function withinPlan(work: Work): Hours | null {
  const { startsAt, endsAt } = work.terms;
  if (work.checkedInAt === null || startsAt === null || endsAt === null) return null;
  const left = work.checkedOutAt ?? endsAt;
  return hoursOf(work, Math.max(work.checkedInAt, startsAt), Math.min(left, endsAt));
}

/** Never more than planned: a break shorter than planned is no overtime. */
export function payByRecord(work: Work): number {
  const hours = withinPlan(work);
  return hours ? Math.min(payOf(work, hours), work.terms.payTotalMinor) : 0;
}

/** Escalates an unanswered dispute, and ends it after thirty days. */
export function runDispute(world: World, work: Work): void {
  const { dispute } = work;
  if (!dispute) return;
  if (world.now < dispute.stopAt) {
    step(world, { work, dispute, side: 'worker' }, 'with_operator');
    return;
  }
  const { min, max } = bounds(work);
  const { worker, business } = dispute;
  const low = Math.max(min, business ?? 0);
  const high = Math.max(low, Math.min(max, worker ?? max));
  if (work.terms.kind === 'shift') {
    end(work, dispute, Math.min(Math.max(payByRecord(work), low), high));
    return;
  }
  const middle = Math.ceil(((worker ?? business ?? low) + (business ?? worker ?? low)) / 2);
  end(work, dispute, Math.min(Math.max(middle, min), max));
}
