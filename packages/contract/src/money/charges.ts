import { z } from 'zod';
import { appPathShape } from '../app-paths.ts';
import { maxMinor } from '../arithmetic.ts';
import { currency } from '../money.ts';
import { id, instant, operation } from '../operation.ts';

/** Reasons for a declined payment, in our own codes; the web has words for each. */
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

/**
 * The path to continue at after a page of the bank or the provider, such as a payment confirmation.
 * `charge=<id>` is appended.
 */
export const returnTo = z.string().regex(appPathShape).optional();

export const chargePurposes = ['hold', 'top_up', 'cover', 'tip'] as const;
/** A charge's status; the last three are final. */
export const chargeStatuses = [
  'created',
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'cancelled',
] as const;
/** One attempt to charge a card. It ends automatically; poll it until it has. */
export const charge = z.object({
  id,
  purpose: z.enum(chargePurposes),
  status: z.enum(chargeStatuses),
  amountMinor: z.number().int(),
  currency,
  cardBrand: z.string(),
  cardLast4: z.string(),
  failure: paymentFailure.nullable(),
  /** The cardholder's confirmation page, while it is `requires_action`. */
  actionUrl: z.string().nullable(),
  createdAt: instant,
});
export type Charge = z.infer<typeof charge>;

/** Card payments, and refunds from the balance. */
export const charges = {
  get: operation({ access: 'member', errors: ['payment/not-found'] })
    .route({ method: 'GET', path: '/charges/{chargeId}', summary: 'Status of a card payment' })
    .input(z.object({ chargeId: id }))
    .output(charge),
  refund: operation({
    access: 'member:finance',
    errors: [
      'business/not-found',
      'business/not-allowed',
      'payment/balance-short',
      'payment/refund-too-much',
    ],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/refunds',
      summary: 'Refund balance to the cards it came from, newest first',
      successStatus: 201,
    })
    .input(z.object({ businessId: id, amountMinor: z.number().int().min(1).max(maxMinor), currency }))
    .output(z.object({ refundedMinor: z.number().int(), currency, cards: z.array(z.string()) })),
};
