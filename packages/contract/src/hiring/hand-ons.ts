import { z } from 'zod';
import { currency } from '../money.ts';
import type { Move } from '../moves.ts';
import { id, instant, operation, version } from '../operation.ts';
import { handOnModes } from '../people/branches.rules.ts';

/** `waiting`: someone took it, and a manager has to agree. Without that rule, taking it makes it `done`. */
export const handOnStatuses = ['open', 'waiting', 'done', 'refused', 'expired', 'withdrawn'] as const;
export type HandOnStatus = (typeof handOnStatuses)[number];

/** People who may take the shift: colleagues with its skills, or applicants on the job's waitlist. */
export const handOnAudiences = ['colleagues', 'waitlist'] as const;
export type HandOnAudience = (typeof handOnAudiences)[number];

/** A shift is offered at most this often, so that colleagues are not notified again and again. */
export const handOnsPerShift = 3;

export const handOnActions = ['take', 'step-back', 'withdraw', 'approve', 'refuse'] as const;
export type HandOnAction = (typeof handOnActions)[number];

export type HandOnMoveName = HandOnAction | 'take-over' | 'expire' | 'end';

/** The states of a shift that its worker hands on (product.md, States: Hand-on). `worker`: the giver or the taker. */
export const handOnMoves: readonly Move<HandOnStatus, HandOnMoveName>[] = [
  ['open', 'take', 'worker', 'waiting'],
  ['open', 'take-over', 'worker', 'done'],
  ['waiting', 'step-back', 'worker', 'open'],
  ['waiting', 'approve', 'business', 'done'],
  ['waiting', 'refuse', 'business', 'refused'],
  ['open', 'withdraw', 'worker', 'withdrawn'],
  ['waiting', 'withdraw', 'worker', 'withdrawn'],
  // The shift was cancelled, or its worker checked in.
  ['open', 'end', 'timer', 'withdrawn'],
  ['waiting', 'end', 'timer', 'withdrawn'],
  // An open or waiting one expires when the shift starts.
  ['open', 'expire', 'timer', 'expired'],
  ['waiting', 'expire', 'timer', 'expired'],
];

export const isLiveHandOn = (status: HandOnStatus): boolean => status === 'open' || status === 'waiting';

/** A booked shift that its worker hands on (ADR 385). Amounts in minor units. */
export const handOn = z.object({
  id,
  version,
  status: z.enum(handOnStatuses),
  audience: z.enum(handOnAudiences),
  needsApproval: z.boolean(),
  /** The caller: who hands the shift on, someone who may take or took it, or the business. */
  side: z.enum(['giver', 'taker', 'business']),
  jobId: id,
  business: z.object({ id, name: z.string() }),
  title: z.string(),
  /** Only the booked worker sees the exact place. */
  area: z.string(),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  breakMinutes: z.number().int(),
  paidMinutes: z.number().int(),
  /** Pay of the whole shift after the worker's fee. It is the giver's, frozen with their offer. */
  workerGetsMinor: z.number().int(),
  currency,
  /** Minutes paid at least if a taker is sent home (ADR 388); null in terms from before the rule. */
  minimumMinutes: z.number().int().nullable(),
  /** The deadline to confirm for a taker who is booked now; null if there is none or it is too late to ask twice. */
  confirmBy: instant.nullable(),
  /** Null for workers, who never learn each other's names. */
  giver: z.object({ id, name: z.string() }).nullable(),
  taker: z.object({ id, name: z.string() }).nullable(),
  /**
   * The caller's own booking: the giver's, or the taker's once done. The business has both; the first one
   * counts.
   */
  engagementId: id.nullable(),
  actions: z.array(z.enum(handOnActions)),
  createdAt: instant,
});
export type HandOn = z.infer<typeof handOn>;

/** The ways to hand on a shift. Numbers of people are at most 50, and null for the business. */
export const handOnOptions = z.object({
  mode: z.enum(handOnModes),
  colleagues: z.number().int().nullable(),
  waiting: z.number().int().nullable(),
  /** The latest hand-on of the shift, including one that ended. */
  handOn: handOn.nullable(),
});
export type HandOnOptions = z.infer<typeof handOnOptions>;

const handOnRef = z.object({ handOnId: id });
/** The version shows which taker the recruiter decided about. */
const handOnDecision = handOnRef.extend({ version });
const takeErrors = [
  'hand-on/not-found',
  'hand-on/wrong-state',
  'hand-on/not-eligible',
  'hand-on/not-funded',
] as const;

/** Booked shifts handed on to colleagues or the waitlist. They stay their worker's until someone took them. */
export const handOns = {
  options: operation({ access: 'verified', errors: ['engagement/not-found'] })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}/hand-on',
      summary:
        'Get the ways to hand on a booked shift, and its latest hand-on; for its worker and recruiters',
    })
    .input(z.object({ engagementId: id }))
    .output(handOnOptions),
  offer: operation({
    access: 'verified',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'hand-on/not-funded',
      'hand-on/off',
      'hand-on/nobody',
      'hand-on/wrong-state',
    ],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/hand-on',
      summary: 'Offer your booked shift to colleagues or the waitlist, before you check in',
      successStatus: 201,
    })
    .input(z.object({ engagementId: id, audience: z.enum(handOnAudiences) }))
    .output(handOn),
  get: operation({ access: 'verified', errors: ['hand-on/not-found'] })
    .route({
      method: 'GET',
      path: '/hand-ons/{handOnId}',
      summary: 'Get a hand-on, for its giver, its possible takers and recruiters',
    })
    .input(handOnRef)
    .output(handOn),
  take: operation({ access: 'verified', errors: takeErrors, effects: ['apply'] })
    .route({
      method: 'POST',
      path: '/hand-ons/{handOnId}/take',
      summary: 'Take a shift that a colleague hands on; booked at once unless a manager has to agree',
    })
    .input(handOnRef)
    .output(handOn),
  withdraw: operation({
    access: 'verified',
    errors: ['hand-on/not-found', 'hand-on/wrong-state'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/hand-ons/{handOnId}/withdraw',
      summary: 'Keep your shift after all, or step back from one you took before a manager agreed',
    })
    .input(handOnRef)
    .output(handOn),
  approve: operation({
    access: 'member:recruiter',
    errors: [...takeErrors, 'hand-on/stale', 'hand-on/not-allowed'],
    effects: ['hire'],
  })
    .route({
      method: 'POST',
      path: '/hand-ons/{handOnId}/approve',
      summary: 'Agree that someone else works the shift; books them on the same terms',
    })
    .input(handOnDecision)
    .output(handOn),
  refuse: operation({
    access: 'member:recruiter',
    errors: ['hand-on/not-found', 'hand-on/stale', 'hand-on/wrong-state', 'hand-on/not-allowed'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/hand-ons/{handOnId}/refuse',
      summary: 'Refuse that someone else works the shift; its worker stays booked',
    })
    .input(handOnDecision)
    .output(handOn),
};
