import { z } from 'zod';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import { id, instant, operation, pageInput, pageOf, prose } from '../operation.ts';
import { referralCodeMax, referralFlags } from './referrals.rules.ts';

const minor = z.number().int();
const code = z
  .string()
  .min(1)
  .max(referralCodeMax)
  .regex(/^\P{Cc}+$/u);

/** The configured rewards of an invitation. Amounts in minor units of `currency`; 0 pays nothing. */
export const referralTerms = z.object({
  inviterMinor: minor,
  invitedMinor: minor,
  currency,
  /** Pay for work that earns the reward, and the days after joining in which it counts. */
  qualifyingMinor: minor,
  qualifyingDays: z.number().int(),
  /** Days from then until both sides are paid. */
  clearingDays: z.number().int(),
  /** The most rewards of an inviter in 30 days, and ever. */
  perMonth: z.number().int(),
  inAll: z.number().int(),
  /** The days after creating an account in which a code can be used. */
  claimDays: z.number().int(),
});
export type ReferralTerms = z.infer<typeof referralTerms>;

/**
 * `coming`: paid at `clearsAt`; `checking`: in review before it is paid; `unpaid`: `unpaidReason` has the
 * reason.
 */
export const referralStates = ['joined', 'coming', 'checking', 'paid', 'unpaid'] as const;
export type ReferralState = (typeof referralStates)[number];

/** Someone who joined by the caller's code: the first name and the state, nothing else. */
export const referral = z.object({
  id,
  firstName: z.string(),
  joinedAt: instant,
  state: z.enum(referralStates),
  /** `reversed`: a correction reversed it after payment. `too-late`: too little was earned in time. */
  unpaidReason: z.enum(['limit', 'refused', 'paused', 'reversed', 'too-late']).nullable(),
  amountMinor: minor.nullable(),
  currency: currency.nullable(),
  clearsAt: instant.nullable(),
});
export type Referral = z.infer<typeof referral>;

export const referralCase = z.object({
  id,
  inviter: z.object({ id, name: z.string(), email: z.string(), createdAt: instant }),
  invited: z.object({ id, name: z.string(), email: z.string(), createdAt: instant }),
  flags: z.array(z.enum(referralFlags)),
  side: z.enum(['worker', 'business']),
  engagementId: id,
  joinedAt: instant,
  since: instant,
  rewardedBefore: z.number().int(),
});
export type ReferralCase = z.infer<typeof referralCase>;

/** Inviting people, and its rewards (spec: `/share-refer`, ADR 155). */
export const referrals = {
  mine: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/me/referrals/summary',
      summary: 'Get your invite code and link, the terms, and what you earned',
    })
    .output(
      z.object({
        code: z.string(),
        url: z.url(),
        terms: referralTerms,
        /** The business whose balance gets the rewards; null for the caller's own balance. */
        paidTo: z.object({ businessId: id, name: z.string() }).nullable(),
        /** True if the caller's account is new and has no inviter, so that a code can still be used. */
        canClaim: z.boolean(),
        joined: z.number().int(),
        rewarded: z.number().int(),
        earned: z.array(z.object({ currency, amountMinor: minor })),
      }),
    ),
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/me/referrals',
      summary: 'List people who joined by your code, newest first',
    })
    .input(z.object(pageInput))
    .output(pageOf(referral)),
  claim: operation({
    access: 'signed-in',
    errors: ['referral/unknown-code', 'referral/own-code', 'referral/too-late', 'referral/claimed'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/me/referrals/claim',
      summary: 'Say who invited you, within days of joining',
    })
    .input(z.object({ code }))
    .output(z.object({ inviterFirstName: z.string() })),
  invitation: operation({ access: 'public', errors: ['referral/unknown-code'] })
    .route({
      method: 'GET',
      path: '/referrals/invitations/{code}',
      summary: 'Get the inviter behind a code, and its reward',
    })
    .input(z.object({ code }))
    .output(z.object({ firstName: z.string(), terms: referralTerms })),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'referrals',
      needs: 'claim',
      case: { kind: 'referral', id: 'referralId' },
      decides: { decision: { field: 'decision' }, reason: 'reason' },
    },
    errors: [
      'referral/not-found',
      'operator/own-record',
      'referral/decided',
      'referral/not-payable',
      'approval/required',
    ],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/referrals/{referralId}/decide',
      summary: 'Pay or refuse the reward; both people get the reason',
    })
    .input(
      z.object({ referralId: id, decision: z.enum(['pay', 'refuse']), reason: prose(limits.reasonMax, 1) }),
    )
    .output(z.object({ id, decision: z.enum(['pay', 'refuse']) })),
};
