import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { currency } from '../money.ts';
import { id, instant, operation } from '../operation.ts';
import { card, cardErrors } from './cards.ts';
import { charge, returnTo } from './charges.ts';
import { moneyLimits } from './limits.ts';

/** The source of a payment. By default the balance if it is enough, otherwise the default card. */
export const fundingSource = z.discriminatedUnion('from', [
  z.object({ from: z.literal('balance') }),
  z.object({
    from: z.literal('card'),
    cardId: id,
    /** True in the phone's app, so that the bank's page leads an offer's payer back into it (ADR 371). */
    inApp: z.boolean().optional(),
  }),
]);
export type FundingSource = z.infer<typeof fundingSource>;

const balanceOfBusiness = z.object({
  currency,
  /** The amount that can be spent on work, promotional credit included. */
  availableMinor: z.number().int(),
  /** Promotional credit: part of `availableMinor`, spent first, on work only, and never refunded (ADR 155). */
  promoMinor: z.number().int(),
  heldMinor: z.number().int(),
  holds: z.number().int(),
  /** The pay of booked and offered shifts that is set aside later, fees included (ADR 399). */
  plannedMinor: z.number().int(),
  plannedHolds: z.number().int(),
  /**
   * The time at which the next part is set aside, which is in the past after a failure; null if there is
   * none.
   */
  plannedFrom: instant.nullable(),
  /** Requested by finished work pending approval. */
  waitingMinor: z.number().int(),
  paidThisMonthMinor: z.number().int(),
  owedMinor: z.number().int(),
});

const amountMinor = z.number().int().min(1).max(maxMinor);
const ofBusiness = { businessId: id };
const businessErrors = ['business/not-found', 'business/not-allowed'] as const;

/**
 * A business's balance (product.md, Money): its money, top-ups and refunds. Owners, managers and finance
 * manage it.
 */
export const wallet = {
  get: operation({ access: 'member', errors: [...businessErrors] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/wallet',
      summary: 'Balance, holds and saved cards of a business; every member but coordinators',
    })
    .input(z.object(ofBusiness))
    .output(
      z.object({
        balances: z.array(balanceOfBusiness),
        cards: z.array(card),
        /**
         * The browser sends card numbers there, so that they never reach us; null where `cards.openPage`
         * saves cards.
         */
        tokenUrl: z.string().nullable(),
        /** Bank methods that `cards.add` saves by the token `method/{name}`; for EUR. */
        bankMethods: z.array(z.enum(['ideal', 'bancontact'])),
        /** True for a test provider, which moves no real money. */
        test: z.boolean(),
        canManage: z.boolean(),
      }),
    ),
  topUp: operation({
    access: 'member:finance',
    errors: [...businessErrors, 'business/wrong-state', 'payment/top-up-limit', ...cardErrors],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/top-ups',
      summary:
        'Add money to the balance from a saved card, up to a limit in 24 hours that is higher for verified businesses',
      successStatus: 201,
    })
    .input(
      z.object({
        ...ofBusiness,
        amountMinor: amountMinor.min(moneyLimits.topUpMinMinor),
        currency,
        cardId: id,
        returnTo,
      }),
    )
    .output(charge),
};
