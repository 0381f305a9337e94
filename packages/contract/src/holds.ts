import { z } from 'zod';
import { engagement } from './engagements.ts';
import { limits } from './limits.ts';
import { currency, maxMinor } from './money.ts';
import { id, instant, operation, prose, queryNumber } from './operation.ts';
import { cardErrors, charge, fundingSource } from './payments.ts';

/** product.md, States: Hold. */
export const holdStatuses = [
  'created',
  'authorising',
  'expired',
  'held',
  'partly_released',
  'released',
  'refunded',
  'disputed',
  'split',
] as const;
export type HoldStatus = (typeof holdStatuses)[number];

/** The money set aside for one engagement, from the offer on. Amounts in minor units. */
export const hold = z.object({
  id,
  status: z.enum(holdStatuses),
  currency,
  payMinor: z.number().int(),
  feeMinor: z.number().int(),
  /** What was set aside, pay and fee, with what was added since. */
  amountMinor: z.number().int(),
  /** What of it is still there. */
  remainingMinor: z.number().int(),
  /** A chargeback is open: what remains is neither paid nor given back until it is decided. */
  frozen: z.boolean(),
  source: z.enum(['balance', 'card']).nullable(),
  /** Until when it can be paid, while it is not (15 min). */
  payBy: instant.nullable(),
  offerId: id.nullable(),
  engagementId: id.nullable(),
  /** The last attempt by card. */
  charge: charge.nullable(),
});
export type Hold = z.infer<typeof hold>;

/** What is shown before money is released: what is held, what goes where, what comes back, what is missing. Minor units of `currency`. */
export const releasePreview = z.object({
  engagementId: id,
  currency,
  heldMinor: z.number().int(),
  alreadyPaidMinor: z.number().int(),
  /** Gross pay released by this step, then what of it the worker gets. */
  payMinor: z.number().int(),
  workerGetsMinor: z.number().int(),
  feeMinor: z.number().int(),
  merchantFeeBasisPoints: z.number().int(),
  workerFeeBasisPoints: z.number().int(),
  /** Back to the balance of the business. */
  backMinor: z.number().int(),
  /** Pay and fee beyond what is held: overtime that has to be funded first. */
  missingMinor: z.number().int(),
  /** When the worker can take it out; null: at once. */
  clearsAt: instant.nullable(),
});
export type ReleasePreview = z.infer<typeof releasePreview>;

/** A `bonus` is a tip under another word. */
export const tipKinds = ['tip', 'bonus'] as const;
/** Money on top of the pay, all of it the worker's. Minor units of `currency`. */
export const tip = z.object({
  id,
  engagementId: id,
  kind: z.enum(tipKinds),
  amountMinor: z.number().int(),
  currency,
  note: z.string(),
  status: z.enum(['paying', 'paid', 'failed']),
  at: instant,
  charge: charge.nullable(),
});
export type Tip = z.infer<typeof tip>;

/** Money set aside for work (product.md, Money): what funds it, what is released of it, and what is given on top. Recruiters fund what they offer and pay what they approve. */
export const holds = {
  get: operation({ access: 'member:recruiter', errors: ['payment/not-found'] })
    .route({ method: 'GET', path: '/holds/{holdId}', summary: 'How a hold stands' })
    .input(z.object({ holdId: id }))
    .output(hold),
  pay: operation({
    access: 'member:recruiter',
    errors: [
      'payment/not-found',
      'payment/not-allowed',
      'payment/wrong-state',
      'payment/balance-short',
      ...cardErrors,
    ],
  })
    .route({
      method: 'POST',
      path: '/holds/{holdId}/pay',
      summary: 'Pay a hold that waits for its money, within 15 minutes, with the balance or another card',
    })
    .input(z.object({ holdId: id, funding: fundingSource }))
    .output(hold),
  seatQuote: operation({ access: 'member:recruiter', errors: ['job/not-found', 'job/not-allowed'] })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/seat-quote',
      summary: 'What an instant hire sets aside when it is published, and what the balance lacks for it',
    })
    .input(z.object({ jobId: id }))
    .output(
      z.object({
        seats: z.number().int(),
        eachMinor: z.number().int().nullable(),
        totalMinor: z.number().int().nullable(),
        balanceMinor: z.number().int(),
        missingMinor: z.number().int(),
        currency,
      }),
    ),
  releasePreview: operation({
    access: 'member:recruiter',
    errors: ['engagement/not-found', 'engagement/not-allowed', 'engagement/wrong-state'],
  })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}/release-preview',
      summary: 'What an approval now, or another amount of pay, does with the hold',
    })
    .input(z.object({ engagementId: id, payMinor: queryNumber.int().min(0).max(maxMinor).optional() }))
    .output(releasePreview),
  cover: operation({
    access: 'member:recruiter',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'payment/nothing-missing',
      'payment/balance-short',
      ...cardErrors,
    ],
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/cover',
      summary: 'Add to the hold what overtime or owed pay lacks, fee included; owed pay is then released',
    })
    .input(z.object({ engagementId: id, funding: fundingSource }))
    .output(z.object({ engagement, charge: charge.nullable() })),
  tip: operation({
    access: 'member:recruiter',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'payment/tip-too-late',
      'payment/tip-too-much',
      'payment/balance-short',
      ...cardErrors,
    ],
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/tips',
      summary: 'A tip or a bonus, all of it for the worker; until 30 days after the work',
      successStatus: 201,
    })
    .input(
      z.object({
        engagementId: id,
        kind: z.enum(tipKinds).default('tip'),
        amountMinor: z.number().int().min(1).max(maxMinor),
        note: prose(limits.reasonMax).default(''),
        funding: fundingSource.optional(),
      }),
    )
    .output(tip),
};
