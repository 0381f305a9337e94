import { z } from 'zod';
import { engagement } from './engagements.ts';
import { limits } from './limits.ts';
import { currency, maxMinor } from './money.ts';
import { day, id, instant, operation, prose } from './operation.ts';

/** Why the provider refused a payment, in codes of our own; the web has words for each. */
export const paymentFailures = [
  'card_declined',
  'insufficient_funds',
  'card_expired',
  'authentication_failed',
  'processing_error',
  'account_closed',
  'bank_rejected',
  'instant_unavailable',
  'limit_exceeded',
  'unknown_token',
] as const;
export const paymentFailure = z.enum(paymentFailures);
export type PaymentFailure = z.infer<typeof paymentFailure>;

/** Where the money of a hold, a tip or a shortage comes from. Absent where it is asked for: the balance where it suffices, else the default card. */
export const fundingSource = z.discriminatedUnion('from', [
  z.object({ from: z.literal('balance') }),
  z.object({ from: z.literal('card'), cardId: id }),
]);
export type FundingSource = z.infer<typeof fundingSource>;

/** A saved card of a business. Its number is known to the provider alone. */
export const card = z.object({
  id,
  brand: z.string(),
  last4: z.string(),
  expiresMonth: z.number().int(),
  expiresYear: z.number().int(),
  isDefault: z.boolean(),
  addedAt: instant,
});
export type Card = z.infer<typeof card>;

export const chargePurposes = ['hold', 'top_up', 'cover', 'tip'] as const;
export const chargeStatuses = [
  'created',
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'cancelled',
] as const;
/** One attempt to take money from a card. It settles by itself; ask again while it is not final. */
export const charge = z.object({
  id,
  purpose: z.enum(chargePurposes),
  status: z.enum(chargeStatuses),
  amountMinor: z.number().int(),
  currency,
  cardLast4: z.string(),
  failure: paymentFailure.nullable(),
  /** Where the card's owner confirms, while it is `requires_action`. */
  actionUrl: z.string().nullable(),
  createdAt: instant,
});
export type Charge = z.infer<typeof charge>;

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

export const tipKinds = ['tip', 'bonus'] as const;
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

const balanceOfBusiness = z.object({
  currency,
  availableMinor: z.number().int(),
  heldMinor: z.number().int(),
  holds: z.number().int(),
  /** Asked for by finished work that waits for approval. */
  waitingMinor: z.number().int(),
  paidThisMonthMinor: z.number().int(),
  /** Pay agreed that no hold covered. */
  owedMinor: z.number().int(),
});

const amountMinor = z.number().int().min(1).max(maxMinor);
const ofBusiness = { businessId: id };
const businessErrors = ['business/not-found', 'business/not-allowed'] as const;
const cardErrors = ['payment/card-not-found', 'payment/card-refused', 'payment/method-missing'] as const;

/** Money of a business (product.md, Money). Owners, managers and finance add cards and money; recruiters fund what they offer and release what they approve. */
export const payments = {
  wallet: operation({ access: 'member:recruiter', errors: [...businessErrors] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/wallet',
      summary: 'Balance, holds and saved cards of a business; every member',
    })
    .input(z.object(ofBusiness))
    .output(
      z.object({
        balances: z.array(balanceOfBusiness),
        cards: z.array(card),
        /** Where a browser sends the number of a card, so that it never reaches us. */
        tokenUrl: z.string(),
        /** A test provider: no real money moves. */
        test: z.boolean(),
        canManage: z.boolean(),
      }),
    ),
  addCard: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'payment/card-refused', 'payment/provider-unavailable'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/cards',
      summary: 'Save a card by the token that the provider gave the browser',
      successStatus: 201,
    })
    .input(z.object({ ...ofBusiness, token: z.string().regex(/^[\x21-\x7e]{8,200}$/) }))
    .output(card),
  removeCard: operation({
    access: 'member:finance',
    errors: ['payment/card-not-found', 'business/not-allowed'],
  })
    .route({ method: 'POST', path: '/cards/{cardId}/remove', summary: 'Forget a saved card' })
    .input(z.object({ cardId: id }))
    .output(z.object({ removed: z.literal(true) })),
  makeCardDefault: operation({
    access: 'member:finance',
    errors: ['payment/card-not-found', 'business/not-allowed'],
  })
    .route({ method: 'POST', path: '/cards/{cardId}/default', summary: 'Use this card where none is chosen' })
    .input(z.object({ cardId: id }))
    .output(card),
  topUp: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'business/wrong-state', ...cardErrors],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/top-ups',
      summary: 'Add money to the balance from a saved card',
      successStatus: 201,
    })
    .input(
      z.object({ ...ofBusiness, amountMinor: amountMinor.min(limits.topUpMinMinor), currency, cardId: id }),
    )
    .output(charge),
  refundBalance: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'payment/balance-short', 'payment/refund-too-much'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/refunds',
      summary: 'Send money of the balance back to the cards that it came from, newest first',
      successStatus: 201,
    })
    .input(z.object({ ...ofBusiness, amountMinor, currency }))
    .output(z.object({ refundedMinor: z.number().int(), currency, cards: z.array(z.string()) })),
  charge: operation({ access: 'member:recruiter', errors: ['payment/not-found'] })
    .route({ method: 'GET', path: '/charges/{chargeId}', summary: 'How a payment by card stands' })
    .input(z.object({ chargeId: id }))
    .output(charge),
  hold: operation({ access: 'member:recruiter', errors: ['payment/not-found'] })
    .route({ method: 'GET', path: '/holds/{holdId}', summary: 'How a hold stands' })
    .input(z.object({ holdId: id }))
    .output(hold),
  payHold: operation({
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
    .input(z.object({ engagementId: id, payMinor: z.coerce.number().int().min(0).max(maxMinor).optional() }))
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
        amountMinor,
        note: prose(limits.reasonMax).default(''),
        funding: fundingSource.optional(),
      }),
    )
    .output(tip),
};

/** For statements and analytics: a span of days, both inside, in the zone that `timeZone` names. */
export const daySpan = { from: day.optional(), to: day.optional() };
