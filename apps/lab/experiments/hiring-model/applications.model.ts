import { isSeen, standing } from './jobs.model.ts';
import {
  type Application,
  applicationAt,
  type Call,
  jobOf,
  minute,
  type Operation,
  recruiterOf,
  refuse,
  type Side,
  sideOf,
  type World,
} from './records.ts';
import {
  answerEnd,
  booksAtOnce,
  cancelInterviews,
  decideAfter,
  decideBy,
  endOffer,
  hire,
  isBusy,
  isLiveInterview,
  move,
  sendOffer,
  spotFreed,
  waitsForAnswer,
} from './spots.model.ts';

function requireSide(world: World, call: Call, needed: Side): Application {
  const application = applicationAt(world, call);
  const side = sideOf(world, application, call.who);
  if (side === null) refuse('application/not-found');
  if (side !== needed) refuse('application/not-allowed');
  return application;
}

const waiting = ['submitted', 'viewed', 'shortlisted', 'interviewing'];
const lanes: Record<string, { from: readonly string[]; to: string }> = {
  view: { from: ['submitted'], to: 'viewed' },
  shortlist: { from: ['submitted', 'viewed'], to: 'shortlisted' },
  unshortlist: { from: ['shortlisted'], to: 'viewed' },
  reject: { from: waiting, to: 'rejected' },
};

function toLane(world: World, application: Application, op: string): void {
  const { to } = lanes[op] as { to: string };
  const { version } = application;
  move(application, to);
  // Viewing is no decision, so the version does not rise.
  if (op === 'view') application.version = version;
  if (op === 'reject') cancelInterviews(world, application);
}

const lane = (op: string): Operation => ({
  gate: (world, call) => {
    const application = requireSide(world, call, 'business');
    const { from, to } = lanes[op] as { from: readonly string[]; to: string };
    if (application.status === to) return 'repeat';
    if (call.version !== undefined && call.version !== application.version) refuse('application/stale');
    return from.includes(application.status) ? 'go' : refuse('application/wrong-state');
  },
  make: (world, call) => toLane(world, applicationAt(world, call), op),
});

export const applicationOperations: Record<string, Operation> = {
  apply: {
    gate: (world, call) => {
      const at = call.job as number;
      const job = world.jobs[at] as World['jobs'][number];
      if (call.who === recruiterOf(world, job.business)) refuse('application/own-business');
      if (!isSeen(world, call.who, job)) refuse('job/not-found');
      if (standing(world, call.who, at)) refuse('application/already-applied');
      if (job.status === 'filled') refuse('job/filled');
      if (job.status !== 'open') refuse('job/not-open');
      if (isBusy(world, call.who, job)) refuse('engagement/overlap');
      if (job.instant && job.hired >= job.headCount) refuse('job/filled');
      const books = booksAtOnce(world, job);
      if ((call.input.book ?? books) !== books)
        refuse(books ? 'application/booking-required' : 'application/not-bookable');
      return 'go';
    },
    make: (world, call) => {
      const at = call.job as number;
      const job = world.jobs[at] as World['jobs'][number];
      const books = booksAtOnce(world, job);
      const application: Application = {
        id: '',
        job: at,
        worker: call.who,
        status: 'submitted',
        version: 1,
        decideBy: decideBy(world.now, job),
        waitingSince: null,
        interviews: [],
        offer: null,
        work: null,
      };
      world.applications.push(application);
      if (books) {
        sendOffer(world, application, 'instant', job.payMinor);
        hire(world, application);
      }
    },
  },
  edit: {
    gate: (world, call) => {
      const application = requireSide(world, call, 'worker');
      if (application.status !== 'submitted') refuse('application/wrong-state');
      return call.version === application.version ? 'go' : refuse('application/stale');
    },
    make: (world, call) => {
      applicationAt(world, call).version += 1;
    },
  },
  withdraw: {
    gate: (world, call) => {
      const { status } = requireSide(world, call, 'worker');
      if (status === 'withdrawn') return 'repeat';
      const can = waitsForAnswer(status) || ['offered', 'position_filled'].includes(status);
      return can ? 'go' : refuse('application/wrong-state');
    },
    make: (world, call) => {
      const application = applicationAt(world, call);
      const hadOffer = application.status === 'offered';
      move(application, 'withdrawn');
      cancelInterviews(world, application);
      endOffer(world, application, 'declined');
      if (hadOffer) spotFreed(world, jobOf(world, application));
    },
  },
  view: lane('view'),
  shortlist: lane('shortlist'),
  unshortlist: lane('unshortlist'),
  reject: lane('reject'),
  bulk: {
    gate: (world, call) =>
      call.who === recruiterOf(world, call.business as number) ? 'go' : refuse('business/not-found'),
    make: (world, call) => {
      const { action, applications } = call.input as { action: string; applications: number[] };
      const { from, to } = lanes[action] as { from: readonly string[]; to: string };
      const codes = applications.map((at) => {
        const application = world.applications[at] as Application;
        if (jobOf(world, application).business !== call.business) return 'application/not-found';
        if (application.status === to || from.includes(application.status)) return null;
        return 'application/wrong-state';
      });
      for (const [index, at] of applications.entries()) {
        const application = world.applications[at] as Application;
        if (codes[index] === null && application.status !== to) toLane(world, application, action);
      }
      return codes;
    },
  },
  'join-waitlist': {
    gate: (world, call) => {
      const application = requireSide(world, call, 'worker');
      if (application.status !== 'position_filled') refuse('application/wrong-state');
      if (application.waitingSince !== null) return 'repeat';
      return jobOf(world, application).status === 'filled' ? 'go' : refuse('application/not-waiting');
    },
    make: (world, call) => {
      const application = applicationAt(world, call);
      application.waitingSince = world.now;
      application.version += 1;
    },
  },
  'leave-waitlist': {
    gate: (world, call) => {
      const application = requireSide(world, call, 'worker');
      if (application.status !== 'position_filled') refuse('application/wrong-state');
      return application.waitingSince === null ? 'repeat' : 'go';
    },
    make: (world, call) => {
      const application = applicationAt(world, call);
      application.waitingSince = null;
      application.version += 1;
    },
  },
  'propose-interview': {
    gate: (world, call) => {
      const application = requireSide(world, call, 'business');
      if (!['open', 'paused', 'filled'].includes(jobOf(world, application).status)) refuse('job/wrong-state');
      if (application.interviews.some(({ status }) => isLiveInterview(status)))
        refuse('interview/already-open');
      if (((call.input.slots ?? []) as number[]).some((at) => at <= world.now))
        refuse('interview/slot-in-past');
      return waitsForAnswer(application.status) ? 'go' : refuse('application/wrong-state');
    },
    make: (world, call) => {
      const application = applicationAt(world, call);
      const slots = [...(call.input.slots as number[])].sort((a, b) => a - b);
      const last = slots.at(-1) as number;
      if (application.status !== 'interviewing') move(application, 'interviewing');
      decideAfter(world, application, last + 30 * minute);
      application.interviews.push({
        id: '',
        status: 'proposed',
        version: 1,
        minutes: 30,
        startsAt: null,
        answerBy: answerEnd(world.now, last),
        slots,

        reschedules: 0,
        rescheduleBy: null,
        noShowAt: null,
        contested: false,
        last: { who: call.who, action: 'propose' },
      });
    },
  },
};
