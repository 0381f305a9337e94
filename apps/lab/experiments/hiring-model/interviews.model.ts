import { otherSide } from '@nearhand/contract/sides';
import {
  type Application,
  applicationAt,
  type Call,
  hour,
  type Interview,
  minute,
  type Operation,
  refuse,
  type Side,
  sideOf,
  type World,
} from './records.ts';
import { answerEnd, decideAfter, move, offerEnd } from './spots.model.ts';

type Seen = { interview: Interview; application: Application; side: Side; over: boolean };

function look(world: World, call: Call, needed: Side | null = null): Seen {
  const application = applicationAt(world, call);
  const interview = application.interviews[call.interview ?? -1] as Interview;
  const side = sideOf(world, application, call.who);
  if (side === null) return refuse('interview/not-found');
  if (needed !== null && side !== needed) refuse('interview/not-allowed');
  // A second click by the same person is no conflict.
  const { last } = interview;
  const isRepeat = last.who === call.who && last.action === call.op && call.op !== 'contest-interview';
  if (call.version !== interview.version && !(isRepeat && (call.version ?? 0) < interview.version))
    refuse('interview/stale');
  return {
    interview,
    application,
    side,
    over: interview.answerBy !== null && world.now >= interview.answerBy,
  };
}
const wrong = (): never => refuse('interview/wrong-state');

export function interviewOver(application: Application): void {
  if (application.status === 'interviewing') move(application, 'shortlisted');
}

export function turn(interview: Interview, status: string): void {
  interview.status = status;
  interview.version += 1;
  interview.answerBy = null;
  interview.rescheduleBy = null;
  interview.slots = [];
}

const missed = { worker: 'no_show_business', business: 'no_show_worker' };

const make =
  (effect: (view: Seen, world: World, call: Call) => void): Operation['make'] =>
  (world, call) => {
    const view = look(world, call);
    effect(view, world, call);
    view.interview.last = { who: call.who, action: call.op };
  };

export const interviewOperations: Record<string, Operation> = {
  pick: {
    gate: (world, call) => {
      const { interview, side, over } = look(world, call);
      const proposal =
        (interview.status === 'proposed' && side === 'worker') ||
        (interview.status === 'reschedule_requested' && interview.rescheduleBy !== side);
      return proposal && !over ? 'go' : wrong();
    },
    make: make(({ interview }, world, call) => {
      const startsAt = call.input.startsAt as number;
      if (startsAt <= world.now) refuse('interview/slot-in-past');
      turn(interview, 'scheduled');
      interview.startsAt = startsAt;
      const application = applicationAt(world, call);
      const { offer } = application;
      if (offer?.status === 'sent')
        offer.expiresAt = Math.max(offer.expiresAt, offerEnd(world, application, offer.expiresAt));
    }),
  },
  reschedule: {
    gate: (world, call) => {
      const { interview } = look(world, call);
      if (interview.status !== 'scheduled' || interview.startsAt === null) return wrong();
      const max = world.mistake === 'three-reschedules' ? 3 : 2;
      if (interview.reschedules >= max) refuse('interview/reschedule-limit');
      return world.now > interview.startsAt - 12 * hour ? refuse('interview/reschedule-too-late') : 'go';
    },
    make: make(({ interview, application, side }, world, call) => {
      const slots = [...(call.input.slots as number[])].sort((a, b) => a - b);
      const currentStart = interview.startsAt as number;
      if (slots.includes(currentStart)) refuse('interview/slots-repeated');
      if (slots.some((at) => at <= world.now)) refuse('interview/slot-in-past');
      const last = slots.at(-1) as number;
      turn(interview, 'reschedule_requested');
      interview.slots = slots;
      interview.answerBy = answerEnd(world.now, Math.min(last, currentStart));
      interview.reschedules += 1;
      interview.rescheduleBy = side;
      if (application.status === 'interviewing')
        decideAfter(world, application, last + interview.minutes * minute);
    }),
  },
  keep: {
    gate: (world, call) => {
      const { interview, over } = look(world, call);
      if (interview.status === 'scheduled') return 'repeat';
      return interview.status === 'reschedule_requested' && !over ? 'go' : wrong();
    },
    make: make(({ interview }) => turn(interview, 'scheduled')),
  },
  'cancel-interview': {
    gate: (world, call) => {
      const { interview, over } = look(world, call);
      if (interview.status === 'cancelled') return 'repeat';
      if (!['proposed', 'scheduled', 'reschedule_requested'].includes(interview.status) || over)
        return wrong();
      const begun = interview.startsAt !== null && world.now >= interview.startsAt;
      return interview.status === 'scheduled' && begun ? wrong() : 'go';
    },
    make: make(({ interview, application }) => {
      turn(interview, 'cancelled');
      interviewOver(application);
    }),
  },
  complete: {
    gate: (world, call) => {
      const { interview } = look(world, call, 'business');
      if (interview.status !== 'scheduled' || interview.startsAt === null) return wrong();
      return world.now < interview.startsAt ? refuse('interview/too-early') : 'go';
    },
    make: make(({ interview }) => turn(interview, 'completed')),
  },
  'miss-interview': {
    gate: (world, call) => {
      const { interview, side } = look(world, call);
      if (interview.status === missed[side]) return 'repeat';
      if (interview.status !== 'scheduled' || interview.startsAt === null) return wrong();
      return world.now < interview.startsAt + 15 * minute ? refuse('interview/too-early') : 'go';
    },
    make: make(({ interview, application, side }, world) => {
      turn(interview, missed[side]);
      interview.noShowAt = world.now;
      interviewOver(application);
    }),
  },
  'contest-interview': {
    gate: (world, call) => {
      const { interview, side } = look(world, call);
      const other = otherSide(side);
      if (interview.status !== missed[other] || interview.contested) return wrong();
      const by = (interview.noShowAt as number) + 24 * hour;
      return world.now < by ? 'go' : refuse('interview/contest-over');
    },
    make: make(({ interview }) => {
      interview.version += 1;
      interview.contested = true;
    }),
  },
};
