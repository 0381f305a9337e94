import { requireRecruiter, standing } from './jobs.model.ts';
import { type Call, type Job, jobOf, type Operation, recruiterOf, refuse, type World } from './records.ts';
import { agreeBy, freeSpots, move, sendOffer, waitsForAnswer } from './spots.model.ts';

const isKnown = (world: World, business: number, worker: number): boolean =>
  worker !== recruiterOf(world, business) &&
  (world.mistake === 'rebook-strangers' ||
    world.applications.some(
      (application) =>
        application.worker === worker &&
        application.status !== 'withdrawn' &&
        jobOf(world, application).business === business,
    ));

/** Known workers without a decided application to the job (ADR 165). */
export const rebookable = (world: World, at: number): number[] => {
  const { business } = world.jobs[at] as Job;
  return Array.from({ length: world.workers + 2 }, (_, worker) => worker).filter((who) => {
    const own = standing(world, who, at);
    return isKnown(world, business, who) && (own === undefined || waitsForAnswer(own.status));
  });
};

type Input = { worker?: number; payMinor?: number };

export const rebookOperations: Record<string, Operation> = {
  /** Rebooks the first eligible worker if `worker` is absent. */
  rebook: {
    gate: (world, call) => {
      const job = requireRecruiter(world, call);
      const at = call.job as number;
      const { payMinor = job.payMinor, worker = rebookable(world, at)[0] } = call.input as Input;
      if (worker === undefined || !isKnown(world, job.business, worker)) refuse('profile/not-found');
      if (!rebookable(world, at).includes(worker as number)) refuse('application/wrong-state');
      if (!['open', 'paused', 'filled'].includes(job.status)) refuse('job/wrong-state');
      if (payMinor < job.payMinor) refuse('offer/pay-below-job');
      if (agreeBy(job) <= world.now) refuse('offer/starts-in-past');
      return freeSpots(job) > 0 ? 'go' : refuse('offer/no-spot');
    },
    make: (world, call) => {
      const at = call.job as number;
      const job = world.jobs[at] as Job;
      const { payMinor = job.payMinor, worker } = call.input as Input;
      const own = standing(world, worker as number, at);
      if (own) {
        move(own, 'offered');
        sendOffer(world, own, 'business', payMinor);
        return;
      }
      world.applications.push({
        id: '',
        job: at,
        worker: worker as number,
        status: 'offered',
        version: 1,
        decideBy: world.now,
        waitingSince: null,
        interviews: [],
        offer: null,
        work: null,
      });
      const application = world.applications.at(-1) as World['applications'][number];
      sendOffer(world, application, 'rebook', payMinor);
      application.decideBy = application.offer?.expiresAt ?? world.now;
    },
  },
};

export const rebookedIndex = (world: World, { job, input }: Call): number => {
  const own = standing(world, (input as Input).worker ?? -1, job ?? -1);
  return own ? world.applications.indexOf(own) : -1;
};
