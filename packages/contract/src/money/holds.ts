import { z } from 'zod';
import { currency } from '../money.ts';
import { id, instant, operation } from '../operation.ts';
import { cardErrors } from './cards.ts';
import { charge } from './charges.ts';
import { fundingSource } from './wallet.ts';

/** The statuses of a hold (product.md, States). */
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

/** The money set aside for one engagement, beginning with the offer. Amounts in minor units. */
export const hold = z.object({
  id,
  status: z.enum(holdStatuses),
  currency,
  payMinor: z.number().int(),
  feeMinor: z.number().int(),
  /** Pay and fee set aside, including later additions. */
  amountMinor: z.number().int(),
  remainingMinor: z.number().int(),
  /** True while a chargeback is open: the rest is neither paid nor returned until it is decided. */
  frozen: z.boolean(),
  source: z.enum(['balance', 'card']).nullable(),
  /** The deadline for paying it, while unpaid (15 min). */
  payBy: instant.nullable(),
  /** The time a planned hold is funded automatically, and its deadline (ADR 399). Null for other holds. */
  fundAt: instant.nullable(),
  fundBy: instant.nullable(),
  offerId: id.nullable(),
  engagementId: id.nullable(),
  charge: charge.nullable(),
});
export type Hold = z.infer<typeof hold>;

/** Money set aside for work (product.md, Money). Recruiters fund what they offer. */
export const holds = {
  get: operation({ access: 'member', errors: ['payment/not-found'] })
    .route({ method: 'GET', path: '/holds/{holdId}', summary: 'Status of a hold' })
    .input(z.object({ holdId: id }))
    .output(hold),
  pay: operation({
    access: 'member:coordinator',
    errors: [
      'payment/not-found',
      'payment/not-allowed',
      'payment/wrong-state',
      'payment/balance-short',
      ...cardErrors,
    ],
    effects: ['hire', 'money'],
  })
    .route({
      method: 'POST',
      path: '/holds/{holdId}/pay',
      summary:
        'Pay an unpaid hold within 15 minutes, or a planned one early, from the balance or another card',
    })
    .input(z.object({ holdId: id, funding: fundingSource }))
    .output(hold),
  payBooked: operation({
    access: 'member:coordinator',
    errors: [
      'payment/not-found',
      'payment/not-allowed',
      'payment/wrong-state',
      'payment/balance-short',
      ...cardErrors,
    ],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/holds/{holdId}/pay-booked',
      summary: 'Set the planned pay of booked work aside early, from the balance or a card',
    })
    .input(z.object({ holdId: id, funding: fundingSource }))
    .output(hold),
};
