import {
  applicationAt,
  type Call,
  jobOf,
  type Offer,
  type Operation,
  refuse,
  type Side,
  sideOf,
  type World,
} from './records.ts';
import {
  agreeBy,
  endOffer,
  freeSpots,
  hire,
  move,
  sendOffer,
  spotFreed,
  waitsForAnswer,
} from './spots.model.ts';

const gate =
  (needed: Side, finalStatus: string): Operation['gate'] =>
  (world: World, call: Call) => {
    const application = applicationAt(world, call);
    const side = sideOf(world, application, call.who);
    if (side === null) refuse('offer/not-found');
    if (side !== needed) refuse('offer/not-allowed');
    const { status, version, expiresAt } = application.offer as Offer;
    if (status === finalStatus) return 'repeat';
    const over = status === 'expired' || (status === 'sent' && expiresAt <= world.now);
    if (finalStatus === 'accepted' && over) refuse('offer/expired');
    if (version !== call.version) refuse('offer/stale');
    return status === 'sent' ? 'go' : refuse('offer/wrong-state');
  };

const ends =
  (status: string): Operation['make'] =>
  (world, call) => {
    const application = applicationAt(world, call);
    move(application, `offer_${status}`);
    endOffer(world, application, status);
    spotFreed(world, jobOf(world, application));
  };

export const offerOperations: Record<string, Operation> = {
  offer: {
    gate: (world, call) => {
      const application = applicationAt(world, call);
      const side = sideOf(world, application, call.who);
      if (side === null) refuse('application/not-found');
      if (side === 'worker') refuse('application/not-allowed');
      const job = jobOf(world, application);
      if (!['open', 'paused', 'filled'].includes(job.status)) refuse('job/wrong-state');
      if (!waitsForAnswer(application.status)) refuse('application/wrong-state');
      const payMinor = (call.input.payMinor as number | undefined) ?? job.payMinor;
      if (payMinor < job.payMinor) refuse('offer/pay-below-job');
      if (agreeBy(job) <= world.now) refuse('offer/starts-in-past');
      return freeSpots(job) > 0 ? 'go' : refuse('offer/no-spot');
    },
    make: (world, call) => {
      const application = applicationAt(world, call);
      const job = jobOf(world, application);
      move(application, 'offered');
      sendOffer(world, application, 'business', (call.input.payMinor as number | undefined) ?? job.payMinor);
    },
  },
  accept: {
    gate: gate('worker', 'accepted'),
    make: (world, call) => hire(world, applicationAt(world, call)),
  },
  decline: { gate: gate('worker', 'declined'), make: ends('declined') },
  'withdraw-offer': { gate: gate('business', 'withdrawn'), make: ends('withdrawn') },
};
