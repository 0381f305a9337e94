import {
  type Call,
  day,
  type Job,
  jobOf,
  type Operation,
  recruiterOf,
  refuse,
  type World,
} from './records.ts';
import {
  agreeBy,
  cancelInterviews,
  endOffer,
  move,
  spotFreed,
  termsOf,
  updateFilledStatus,
  waitsForAnswer,
  withFee,
} from './spots.model.ts';

const jobAt = (world: World, call: Call): Job => world.jobs[call.job ?? -1] as Job;

export const standing = (world: World, person: number, job: number) =>
  world.applications.find(
    (application) =>
      application.worker === person && application.job === job && application.status !== 'withdrawn',
  );

export function isSeen(world: World, person: number, job: Job): boolean {
  if (['open', 'filled', 'expired', 'closed'].includes(job.status)) return true;
  return job.status !== 'draft' && standing(world, person, world.jobs.indexOf(job)) !== undefined;
}

/** @throws Refusal for someone who does not recruit for it */
export function requireRecruiter(world: World, call: Call): Job {
  const job = jobAt(world, call);
  if (call.who !== recruiterOf(world, job.business))
    refuse(isSeen(world, call.who, job) ? 'job/not-allowed' : 'job/not-found');
  return job;
}

const plain =
  (from: readonly string[], to: string): Operation['gate'] =>
  (world, call) => {
    const job = requireRecruiter(world, call);
    if (job.status === to) return 'repeat';
    return from.includes(job.status) ? 'go' : refuse('job/wrong-state');
  };

const opens = (from: readonly string[]): Operation => ({
  gate: (world, call) => {
    const answer = plain(from, 'open')(world, call);
    const job = jobAt(world, call);
    if (answer === 'go' && agreeBy(job) <= world.now) refuse('job/starts-in-past');
    return answer;
  },
  make: (world, call) => {
    const job = jobAt(world, call);
    const isStillListed = job.status === 'paused' && job.expiresAt !== null && job.expiresAt > world.now;
    if (!isStillListed) job.expiresAt = Math.min(world.now + 30 * day, agreeBy(job));
    const reopened = job.status !== 'draft';
    job.status = 'open';
    if (reopened) spotFreed(world, job);
  },
});

/** Higher pay applies at once to booked work that has not started (ADR 384). */
function raiseBooked(world: World, job: Job): void {
  for (const application of world.applications) {
    const { work } = application;
    if (!work || jobOf(world, application) !== job || !['booked', 'confirmed'].includes(work.status))
      continue;
    if (work.terms.payMinor >= job.payMinor || (work.terms.startsAt ?? Infinity) <= world.now) continue;
    const terms = { ...work.terms, ...termsOf({ ...job, ...work.terms }, job.payMinor) };
    work.heldMinor += withFee(0, terms.payTotalMinor) - withFee(0, work.terms.payTotalMinor);
    work.terms = terms;
    work.amountMinor = terms.payTotalMinor;
    work.version += 1;
  }
}

function close(world: World, job: Job): void {
  job.status = 'closed';
  const own = world.applications.filter((application) => jobOf(world, application) === job);
  for (const application of own) {
    if (waitsForAnswer(application.status) || application.status === 'offered') {
      move(application, 'job_closed');
      cancelInterviews(world, application);
      endOffer(world, application, 'withdrawn');
    } else if (application.waitingSince !== null) {
      application.waitingSince = null;
      application.version += 1;
    }
  }
}

export const jobOperations: Record<string, Operation> = {
  publish: opens(['draft']),
  reopen: opens(['paused', 'expired']),
  pause: {
    gate: plain(['open'], 'paused'),
    make: (world, call) => {
      jobAt(world, call).status = 'paused';
    },
  },
  close: {
    gate: plain(['open', 'paused', 'filled', 'expired'], 'closed'),
    make: (world, call) => close(world, jobAt(world, call)),
  },
  archive: {
    gate: plain(['closed'], 'archived'),
    make: (world, call) => {
      jobAt(world, call).status = 'archived';
    },
  },
  'edit-job': {
    gate: (world, call) => {
      const job = requireRecruiter(world, call);
      if (!['draft', 'open', 'paused', 'filled', 'expired'].includes(job.status)) refuse('job/wrong-state');
      return job.version === call.version ? 'go' : refuse('job/stale');
    },
    make: (world, call) => {
      const job = jobAt(world, call);
      const { headCount = job.headCount, payMinor = job.payMinor } = call.input as Partial<Job>;
      if (job.hired + job.offered > 0) {
        if (headCount < job.hired + job.offered) refuse('job/head-count-below-hires');
        // Workers booked on a shift are asked, and keep their pay in the meantime (ADR 389).
        const canAsk = job.startsAt !== null && job.startsAt > world.now;
        if (job.hired > 0 && !canAsk && payMinor < job.payMinor) refuse('job/pay-fell-after-hire');
      }
      const changed = headCount !== job.headCount && job.status !== 'draft';
      const isRaised = payMinor > job.payMinor;
      job.version += 1;
      job.headCount = headCount;
      job.payMinor = payMinor;
      if (isRaised) raiseBooked(world, job);
      if (!changed) return;
      if (updateFilledStatus(world, job)) world.toFill.push(world.jobs.indexOf(job));
      else spotFreed(world, job);
    },
  },
};
