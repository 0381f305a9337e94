import { z } from 'zod';
import { limits } from './limits.ts';
import { currency, maxMinor } from './money.ts';
import { id, instant, operation } from './operation.ts';

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
/** One of them, as stored and sent. */
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

/** What a card is charged for. */
export const chargePurposes = ['hold', 'top_up', 'cover', 'tip'] as const;
/** How a charge stands; the last three are final. */
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
/** What any payment by a saved card may be refused with. */
export const cardErrors = [
  'payment/card-not-found',
  'payment/card-refused',
  'payment/method-missing',
] as const;

/** Money of a business (product.md, Money): its cards, its balance and what moves between the two. Owners, managers and finance manage both; what they are spent on is in `holds`. */
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
};
