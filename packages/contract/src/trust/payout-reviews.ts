import { z } from 'zod';
import { houseRules } from '../house-rules.ts';
import { providerToken } from '../money/cards.ts';
import { payeeNames } from '../money/payees.ts';
import { payoutMethod, payoutSpeeds, withdrawalStatuses } from '../money/payouts.ts';
import { currency } from '../money.ts';
import { id, instant, operation, prose } from '../operation.ts';
import { sanctionLimits } from './sanctions.rules.ts';
import { sanction } from './sanctions.ts';

const minor = z.number().int();

/** A withdrawal to a bank account whose holder is not the verified name. Minor units of `currency`. */
export const heldPayout = z.object({
  withdrawalId: id,
  status: z.enum(withdrawalStatuses),
  person: z.object({ id, name: z.string(), email: z.string(), createdAt: instant }),
  names: payeeNames,
  method: payoutMethod.pick({ bankName: true, last4: true, holderName: true, country: true, addedAt: true }),
  amountMinor: minor,
  feeMinor: minor,
  /** Paid to the bank account if it is released. */
  getsMinor: minor,
  currency,
  speed: z.enum(payoutSpeeds),
  requestedAt: instant,
  availableMinor: minor,
  /** True if the amount is large enough to need another operator's approval. */
  takesSecondPerson: z.boolean(),
  /** The operator who entered the bank account for a removed account and can't release it; null if the worker did. */
  enteredBy: z.object({ name: z.string(), isYou: z.boolean() }).nullable(),
  /** The person's other withdrawals, newest first, at most 20. */
  earlier: z.array(
    z.object({
      id,
      status: z.enum(withdrawalStatuses),
      amountMinor: minor,
      currency,
      requestedAt: instant,
      last4: z.string(),
      sameAccount: z.boolean(),
    }),
  ),
  /** Other people who saved the same bank account, with the holder that each of them entered; at most 20. */
  sharedWith: z.array(z.object({ id, name: z.string(), holderName: z.string() })),
  /** The newest work that was paid before the withdrawal, at most 10. `getsMinor`: after the worker's fee. */
  work: z.array(
    z.object({
      engagementId: id,
      title: z.string(),
      business: z.string(),
      startsAt: instant.nullable(),
      endsAt: instant.nullable(),
      timeZone: z.string(),
      getsMinor: minor,
      currency,
      paidAt: instant,
    }),
  ),
  /** Earlier decisions about the person, newest first, at most 20. */
  decisions: z.array(sanction),
});
export type HeldPayout = z.infer<typeof heldPayout>;

/** Money of a removed account or a closed business (ADR 160), in the owner's ledger account. Minor units. */
export const unclaimedMoney = z.object({
  ownerId: id,
  owner: z.enum(['person', 'business']),
  /** The business's name, or "Former member". */
  name: z.string(),
  /** The time of the account's removal or the business's last change. */
  endedAt: instant,
  balances: z.array(
    z.object({
      currency,
      amountMinor: minor,
      pendingMinor: minor,
      /** The part that can be refunded to the cards of a business. */
      refundableMinor: minor,
    }),
  ),
  /** Newest first, at most 20. */
  withdrawals: z.array(
    z.object({ id, status: z.enum(withdrawalStatuses), amountMinor: minor, currency, requestedAt: instant }),
  ),
  /** The browser sends bank details there for a token; null if the person enters them by `formerPage`. */
  tokenUrl: z.string().nullable(),
});
export type UnclaimedMoney = z.infer<typeof unclaimedMoney>;

const ofWithdrawal = z.object({ withdrawalId: id });
const ofUnclaimed = { may: 'payments', needs: 'claim', case: { kind: 'unclaimed', id: 'ownerId' } } as const;
const ofCase = {
  may: 'payments',
  needs: 'claim',
  case: { kind: 'payout_held', id: 'withdrawalId' },
} as const;
const errors = ['payout/not-found', 'payout-review/decided', 'operator/own-record'] as const;

/** Withdrawals that an operator reviews before they are sent (ADR 77). */
export const payoutReviews = {
  release: operation({
    access: 'operator',
    operator: { ...ofCase, decides: { decision: 'release', reason: null } },
    errors: [...errors, 'operator/own-decision', 'approval/required'],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/payout-reviews/{withdrawalId}/release',
      summary: 'Send a held withdrawal, and accept its bank account for the verified name',
    })
    .input(ofWithdrawal)
    .output(z.object({ withdrawalId: id, status: z.enum(withdrawalStatuses) })),
  payFormer: operation({
    access: 'operator',
    operator: { ...ofUnclaimed, decides: { decision: 'withdrawal', reason: null } },
    errors: [
      'payout/not-found',
      'payout/balance-short',
      'payout/method-refused',
      'payment/provider-unavailable',
    ],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/unclaimed-money/{ownerId}/withdrawal',
      summary:
        'Withdraw all money of a removed account in one currency to a bank account that its former holder proved to own; it is held for review before it is sent',
      successStatus: 201,
    })
    .input(z.object({ ownerId: id, currency, token: providerToken }))
    .output(z.object({ withdrawalId: id, status: z.enum(withdrawalStatuses) })),
  formerPage: operation({
    access: 'operator',
    operator: ofUnclaimed,
    errors: [
      'payout/not-found',
      'payment/no-page',
      'payout/identity-wrong-state',
      'payment/provider-unavailable',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/unclaimed-money/{ownerId}/page',
      summary:
        'Make a link, valid for 14 days, by which the former holder of a removed account enters a bank account on the provider’s page',
    })
    .input(z.object({ ownerId: id }))
    .output(z.object({ url: z.url(), expiresAt: instant })),
  formerBanks: operation({
    access: 'operator',
    operator: ofUnclaimed,
    errors: ['payout/not-found', 'payment/provider-unavailable'],
  })
    .route({
      method: 'GET',
      path: '/operators/unclaimed-money/{ownerId}/banks',
      summary: 'Bank accounts of a removed account at the provider; empty where it has no pages',
    })
    .input(z.object({ ownerId: id }))
    .output(
      z.array(
        z.object({
          /** Names the account to `payFormer`. */
          token: providerToken,
          bankName: z.string(),
          last4: z.string(),
          holderName: z.string(),
          country: z.string(),
          currency,
        }),
      ),
    ),
  refundFormer: operation({
    access: 'operator',
    operator: { ...ofUnclaimed, decides: { decision: 'refund', reason: null } },
    errors: ['business/not-found', 'payment/balance-short', 'payment/refund-too-much'],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/unclaimed-money/{ownerId}/refund',
      summary:
        'Refund the balance of a closed business to the cards it came from, as far as they can take it; the rest stays unclaimed',
      successStatus: 201,
    })
    .input(z.object({ ownerId: id, currency }))
    .output(z.object({ refundedMinor: minor, leftMinor: minor, currency, cards: z.array(z.string()) })),
  refuse: operation({
    access: 'operator',
    operator: { ...ofCase, decides: { decision: 'refuse', reason: 'facts' } },
    errors: [...errors],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/payout-reviews/{withdrawalId}/refuse',
      summary:
        'Return a held withdrawal to its balance, with a statement of reasons that the person can appeal',
    })
    .input(ofWithdrawal.extend({ rule: z.enum(houseRules), facts: prose(sanctionLimits.factsMax, 1) }))
    .output(sanction),
};
