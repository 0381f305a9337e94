import { z } from 'zod';
import { currency } from '../money.ts';
import type { Move } from '../moves.ts';
import { id, idAndName, instant, operation, version } from '../operation.ts';
import { giveawayModes } from '../people/branches.rules.ts';
import { hiringLimits } from './limits.ts';

/** `waiting`: someone took it, and a manager has to agree. Without that rule, taking it makes it `done`. */
export const giveawayStatuses = ['open', 'waiting', 'done', 'refused', 'expired', 'withdrawn'] as const;
export type GiveawayStatus = (typeof giveawayStatuses)[number];

/**
 * People who may take the shift: colleagues with its skills, applicants on the job's waitlist, or one colleague by
 * name, who may give a shift of theirs in exchange.
 */
export const giveawayAudiences = ['colleagues', 'waitlist', 'colleague'] as const;
export type GiveawayAudience = (typeof giveawayAudiences)[number];

export const giveawayActions = ['take', 'decline', 'step-back', 'withdraw', 'approve', 'refuse'] as const;
export type GiveawayAction = (typeof giveawayActions)[number];

export type GiveawayMoveName = GiveawayAction | 'take-over' | 'expire' | 'end';

/** The states of a shift that its worker gives away (product.md, States: Giveaway). `worker`: the giver or the taker. */
export const giveawayMoves: readonly Move<GiveawayStatus, GiveawayMoveName>[] = [
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

/** Someone can still take the shift, or has to agree to it. */
export const liveGiveawayStatuses: readonly GiveawayStatus[] = ['open', 'waiting'];

export const isLiveGiveaway = (status: GiveawayStatus): boolean => liveGiveawayStatuses.includes(status);

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

/** A booked shift that its worker gives away (ADR 385). Amounts in minor units. */
export const giveaway = z.object({
  id,
  version,
  status: z.enum(giveawayStatuses),
  audience: z.enum(giveawayAudiences),
  needsApproval: z.boolean(),
  /** The caller: who gives the shift away, someone who may take or took it, or the business. */
  side: z.enum(['giver', 'taker', 'business']),
  jobId: id,
  business: idAndName,
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
  /**
   * The deadline to confirm for a taker who is booked now; null if there is none, or if the start is too close for the
   * two questions that must precede it (ADR 388).
   */
  confirmBy: instant.nullable(),
  /** The other worker of a shift offered by name, as first name and initial; null for others and the business. */
  colleague: z.string().nullable(),
  /** The shift that the taker gives in exchange; null if none. */
  swap: swapShift.nullable(),
  /** Null for workers, who don't learn each other's full names. */
  giver: idAndName.nullable(),
  taker: idAndName.nullable(),
  /**
   * The caller's booking: the giver's, after a swap their new one, or the taker's once done. The business has both;
   * the first one counts.
   */
  engagementId: id.nullable(),
  actions: z.array(z.enum(giveawayActions)),
  createdAt: instant,
});
export type Giveaway = z.infer<typeof giveaway>;

/** The ways to give away a shift. Numbers of people are at most 50, and null for the business. */
export const giveawayOptions = z.object({
  mode: z.enum(giveawayModes),
  colleagues: z.number().int().nullable(),
  waiting: z.number().int().nullable(),
  /** Colleagues who can be asked by name; empty for the business. */
  named: z.array(colleague).max(hiringLimits.colleaguesMax),
  /** The latest giveaway of the shift, including one that ended. */
  giveaway: giveaway.nullable(),
});
export type GiveawayOptions = z.infer<typeof giveawayOptions>;

const giveawayRef = z.object({ giveawayId: id });
/** The version shows which taker the recruiter decided about. */
const giveawayDecision = giveawayRef.extend({ version });
const takeErrors = [
  'giveaway/not-found',
  'giveaway/wrong-state',
  'giveaway/not-eligible',
  'giveaway/not-funded',
] as const;

/** Booked shifts given away or swapped. They stay their worker's until someone took them. */
export const giveaways = {
  options: operation({ access: 'verified', errors: ['engagement/not-found'] })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}/giveaway',
      summary:
        'Get the ways to give away a booked shift, and its latest giveaway; for its worker and recruiters',
    })
    .input(z.object({ engagementId: id }))
    .output(giveawayOptions),
  offer: operation({
    access: 'verified',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'giveaway/not-funded',
      'giveaway/off',
      'giveaway/nobody',
      'giveaway/not-eligible',
      'giveaway/wrong-state',
    ],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/giveaway',
      summary:
        'Offer your booked shift to colleagues, the waitlist or one colleague, alone or in exchange, before you check in',
      successStatus: 201,
    })
    .input(
      z
        .object({
          engagementId: id,
          audience: z.enum(giveawayAudiences),
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
    .output(giveaway),
  get: operation({ access: 'verified', errors: ['giveaway/not-found'] })
    .route({
      method: 'GET',
      path: '/giveaways/{giveawayId}',
      summary: 'Get a giveaway, for its giver, its possible takers and recruiters',
    })
    .input(giveawayRef)
    .output(giveaway),
  take: operation({ access: 'verified', errors: takeErrors, effects: ['apply'] })
    .route({
      method: 'POST',
      path: '/giveaways/{giveawayId}/take',
      summary: 'Take a shift that a colleague gives away; booked at once unless a manager has to agree',
    })
    .input(giveawayRef)
    .output(giveaway),
  withdraw: operation({
    access: 'verified',
    errors: ['giveaway/not-found', 'giveaway/wrong-state'],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({
      method: 'POST',
      path: '/giveaways/{giveawayId}/withdraw',
      summary:
        'Keep your shift after all, decline one offered to you by name, or step back from one you took before a manager agreed',
    })
    .input(giveawayRef)
    .output(giveaway),
  approve: operation({
    access: 'member:coordinator',
    errors: [...takeErrors, 'giveaway/stale', 'giveaway/not-allowed'],
    effects: ['hire'],
  })
    .route({
      method: 'POST',
      path: '/giveaways/{giveawayId}/approve',
      summary: 'Agree that someone else works the shift; books them on the same terms',
    })
    .input(giveawayDecision)
    .output(giveaway),
  refuse: operation({
    access: 'member:coordinator',
    errors: ['giveaway/not-found', 'giveaway/stale', 'giveaway/wrong-state', 'giveaway/not-allowed'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/giveaways/{giveawayId}/refuse',
      summary: 'Refuse that someone else works the shift; its worker stays booked',
    })
    .input(giveawayDecision)
    .output(giveaway),
};
