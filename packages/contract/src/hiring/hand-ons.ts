import { z } from 'zod';
import { currency } from '../money.ts';
import type { Move } from '../moves.ts';
import { id, instant, operation, version } from '../operation.ts';
import { handOnModes } from '../people/branches.rules.ts';

/** `waiting`: someone took it, and a manager has to agree. Without that rule, taking it makes it `done`. */
export const handOnStatuses = ['open', 'waiting', 'done', 'refused', 'expired', 'withdrawn'] as const;
export type HandOnStatus = (typeof handOnStatuses)[number];

/**
 * People who may take the shift: colleagues with its skills, applicants on the job's waitlist, or one colleague by
 * name, who may give a shift of theirs in exchange.
 */
export const handOnAudiences = ['colleagues', 'waitlist', 'colleague'] as const;
export type HandOnAudience = (typeof handOnAudiences)[number];

/** A shift is offered at most this often, so that colleagues are not notified again and again. */
export const handOnsPerShift = 3;

export const handOnActions = ['take', 'decline', 'step-back', 'withdraw', 'approve', 'refuse'] as const;
export type HandOnAction = (typeof handOnActions)[number];

export type HandOnMoveName = HandOnAction | 'take-over' | 'expire' | 'end';

/** The states of a shift that its worker hands on (product.md, States: Hand-on). `worker`: the giver or the taker. */
export const handOnMoves: readonly Move<HandOnStatus, HandOnMoveName>[] = [
  ['open', 'take', 'worker', 'waiting'],
  ['open', 'take-over', 'worker', 'done'],
  // The one colleague whom it was offered to says no.
  ['open', 'decline', 'worker', 'refused'],
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

/** A booked shift of a colleague, which they may give in exchange. Amounts in minor units. */
export const swapShift = z.object({
  engagementId: id,
  title: z.string(),
  area: z.string(),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  /** Pay of the whole shift after the worker's fee. */
  workerGetsMinor: z.number().int(),
  currency,
});
export type SwapShift = z.infer<typeof swapShift>;

/** Someone who worked at the business and may take a shift. */
export const colleague = z.object({
  workerId: id,
  /** First name and initial, such as "Noor B.". */
  name: z.string(),
  /** Their booked shifts at the business that the caller may take in exchange, soonest first. */
  shifts: z.array(swapShift),
});
export type Colleague = z.infer<typeof colleague>;

/** Colleagues listed by name, and the shifts of each, at most. */
export const colleaguesMax = 50;
export const swapShiftsMax = 10;

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
  /** The other worker of a shift offered by name, as first name and initial; null for others and the business. */
  colleague: z.string().nullable(),
  /** The shift that the taker gives in exchange; null if none. */
  swap: swapShift.nullable(),
  /** Null for workers, who don't learn each other's full names. */
  giver: z.object({ id, name: z.string() }).nullable(),
  taker: z.object({ id, name: z.string() }).nullable(),
  /**
   * The caller's booking: the giver's, after a swap their new one, or the taker's once done. The business has both;
   * the first one counts.
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
  /** Colleagues who can be asked by name; empty for the business. */
  named: z.array(colleague).max(colleaguesMax),
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

/** Booked shifts handed on or swapped. They stay their worker's until someone took them. */
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
      'hand-on/not-eligible',
      'hand-on/wrong-state',
    ],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/hand-on',
      summary:
        'Offer your booked shift to colleagues, the waitlist or one colleague, alone or in exchange, before you check in',
      successStatus: 201,
    })
    .input(
      z
        .object({
          engagementId: id,
          audience: z.enum(handOnAudiences),
          /** The one colleague (`named` in the options); only with the audience `colleague`. */
          colleagueId: id.optional(),
          /** The booked shift that they give in exchange; without it, the shift is offered alone. */
          swapEngagementId: id.optional(),
        })
        .refine(({ audience, colleagueId }) => (audience === 'colleague') === (colleagueId !== undefined), {
          path: ['colleagueId'],
        })
        .refine(({ colleagueId, swapEngagementId }) => !swapEngagementId || colleagueId !== undefined, {
          path: ['swapEngagementId'],
        }),
    )
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
      summary:
        'Keep your shift after all, decline one offered to you by name, or step back from one you took before a manager agreed',
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
