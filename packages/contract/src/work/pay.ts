import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { cardErrors } from '../money/cards.ts';
import { charge, returnTo } from '../money/charges.ts';
import { tip, tipKinds } from '../money/tips.ts';
import { fundingSource } from '../money/wallet.ts';
import { currency } from '../money.ts';
import { id, instant, operation, prose, queryInteger } from '../operation.ts';
import { engagement } from './engagements.ts';

/** The effect of a release before it is confirmed: held, paid, returned and missing. Minor units of `currency`. */
export const releasePreview = z.object({
  engagementId: id,
  currency,
  heldMinor: z.number().int(),
  alreadyPaidMinor: z.number().int(),
  /** Gross pay released by this step, and what the worker gets of it. */
  payMinor: z.number().int(),
  workerGetsMinor: z.number().int(),
  feeMinor: z.number().int(),
  businessFeeBasisPoints: z.number().int(),
  workerFeeBasisPoints: z.number().int(),
  /** Returned to the business's balance. */
  backMinor: z.number().int(),
  /** Pay and fee beyond the hold: overtime that has to be funded first. */
  missingMinor: z.number().int(),
  /** True if the balance covers what is missing; false for those who don't see the balance. */
  balanceCovers: z.boolean(),
  /** The earliest withdrawal; null if at once. */
  clearsAt: instant.nullable(),
});
export type ReleasePreview = z.infer<typeof releasePreview>;

/** Pay for booked work: releases, shortages and tips. Members with `pay` release what they approve. */
export const pay = {
  releasePreview: operation({
    access: 'member',
    errors: ['engagement/not-found', 'engagement/not-allowed', 'engagement/wrong-state'],
  })
    .route({
      method: 'GET',
      path: '/engagements/{engagementId}/release-preview',
      summary: 'Effect of an approval now, or of another amount, on the hold',
    })
    .input(z.object({ engagementId: id, payMinor: queryInteger(0, maxMinor).optional() }))
    .output(releasePreview),
  cover: operation({
    access: 'member',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'payment/nothing-missing',
      'payment/balance-short',
      ...cardErrors,
    ],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/cover',
      summary: 'Add what overtime or owed pay lacks to the hold, fee included; owed pay is then released',
    })
    .input(z.object({ engagementId: id, funding: fundingSource, returnTo }))
    .output(z.object({ engagement, charge: charge.nullable() })),
  tip: operation({
    access: 'member',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'payment/tip-too-late',
      'payment/tip-too-much',
      'payment/balance-short',
      ...cardErrors,
    ],
    effects: ['money', 'text:note'],
  })
    .route({
      method: 'POST',
      path: '/engagements/{engagementId}/tips',
      summary: 'Give a tip or bonus, all of it for the worker; until 30 days after the work',
      successStatus: 201,
    })
    .input(
      z.object({
        engagementId: id,
        kind: z.enum(tipKinds).default('tip'),
        amountMinor: z.number().int().min(1).max(maxMinor),
        note: prose(limits.reasonMax).default(''),
        funding: fundingSource.optional(),
        returnTo,
      }),
    )
    .output(tip),
};
