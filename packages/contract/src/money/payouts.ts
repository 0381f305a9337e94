import { z } from 'zod';
import { maxMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import {
  day,
  id,
  instant,
  line,
  operation,
  pageInput,
  pageOf,
  queryFlag,
  queryInteger,
  version,
} from '../operation.ts';
import { personName } from '../people/names.ts';
import { providerToken } from './cards.ts';
import { paymentFailure, returnTo } from './charges.ts';
import { moneyLimits } from './limits.ts';
import { sellerRequest } from './seller-reports.ts';

export const payoutIdentityStatuses = ['none', 'pending', 'verified', 'refused'] as const;
export type PayoutIdentityStatus = (typeof payoutIdentityStatuses)[number];
/** A verified payee's pay clears at once, otherwise after 5 days (product.md, Constants). */
export const payoutIdentity = z.object({
  status: z.enum(payoutIdentityStatuses),
  reason: z.string().nullable(),
  legalName: z.string().nullable(),
});

export type PayoutIdentity = z.infer<typeof payoutIdentity>;

/** Information the provider may require from a worker, in the order it is requested. */
export const payoutNeeds = ['details', 'identity_document', 'address_proof', 'bank_account'] as const;
export type PayoutNeed = (typeof payoutNeeds)[number];

/**
 * The worker's account at the provider: `more_needed` is paid until `dueBy`, `in_progress` was never paid,
 * `restricted` is no longer paid until the worker submits what it needs.
 */
export const payoutAccountStatuses = [
  'none',
  'in_progress',
  'more_needed',
  'active',
  'restricted',
  'closed',
] as const;
export type PayoutAccountStatus = (typeof payoutAccountStatuses)[number];
export const payoutAccount = z.object({
  status: z.enum(payoutAccountStatuses),
  needs: z.array(z.enum(payoutNeeds)),
  /** The time when payouts stop unless the worker submits what is needed. */
  dueBy: instant.nullable(),
  /** The time at which this status began. */
  since: instant.nullable(),
});
export type PayoutAccount = z.infer<typeof payoutAccount>;

/** A bank account for withdrawals. Only the provider knows its number. */
export const payoutMethod = z.object({
  id,
  bankName: z.string(),
  last4: z.string(),
  holderName: z.string(),
  country: z.string(),
  currency,
  instant: z.boolean(),
  isDefault: z.boolean(),
  /** The time from which the account can be paid, three days after it was added. */
  usableFrom: instant,
  addedAt: instant,
});
export type PayoutMethod = z.infer<typeof payoutMethod>;

/** The speed of a withdrawal; `instant` has a fee, and not every bank supports it. */
export const payoutSpeeds = ['standard', 'instant'] as const;
export type PayoutSpeed = (typeof payoutSpeeds)[number];

/** The statuses of a withdrawal (product.md, States). */
export const withdrawalStatuses = [
  'requested',
  'in_review',
  'processing',
  'in_transit',
  'paid',
  'cancelled',
  'failed',
  'refused',
  'returned',
] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];

/** Statuses with money reserved, in which the bank account is still needed. */
export const reservedWithdrawalStatuses: readonly WithdrawalStatus[] = [
  'requested',
  'in_review',
  'processing',
  'in_transit',
];

export const withdrawalActions = ['cancel'] as const;

export const withdrawal = z.object({
  id,
  version,
  status: z.enum(withdrawalStatuses),
  /** Debited from the balance, including the fee. Minor units of `currency`. */
  amountMinor: z.number().int(),
  feeMinor: z.number().int(),
  getsMinor: z.number().int(),
  currency,
  speed: z.enum(payoutSpeeds),
  method: payoutMethod.pick({ id: true, bankName: true, last4: true, holderName: true }),
  requestedAt: instant,
  cancelBy: instant.nullable(),
  /** The expected arrival day, then the actual one; null while unknown. */
  arrivesOn: day.nullable(),
  /** Unsent until the worker's account at the provider is paid again; then it is sent automatically. */
  waiting: z.boolean(),
  /** The usual deadline of the review, while it is `in_review`. */
  reviewBy: instant.nullable(),
  failure: paymentFailure.nullable(),
  /** The operator's reason; null unless it is `refused`. */
  refusedBecause: z.string().nullable(),
  steps: z.array(
    z.object({ status: z.enum(withdrawalStatuses), at: instant, failure: paymentFailure.nullable() }),
  ),
  actions: z.array(z.enum(withdrawalActions)),
});
export type Withdrawal = z.infer<typeof withdrawal>;

/** A worker's money in one currency. Minor units: `pendingMinor` clears later, `reservedMinor` is being withdrawn. */
export const workerBalance = z.object({
  currency,
  availableMinor: z.number().int(),
  pendingMinor: z.number().int(),
  reservedMinor: z.number().int(),
  /** Pending pay by the quarter of an hour in which it clears, the next first: all of the next two days with any. */
  nextClearings: z
    .array(z.object({ amountMinor: z.number().int(), at: instant }))
    .max(moneyLimits.clearingQuartersMax),
  /** The smallest withdrawal, and the instant fee, in this currency. */
  minimumMinor: z.number().int(),
  instantFeeMinor: z.number().int(),
});
export type WorkerBalance = z.infer<typeof workerBalance>;

const request = {
  methodId: id,
  amountMinor: z.number().int().min(1).max(maxMinor),
  speed: z.enum(payoutSpeeds),
  /** Closes the account: the whole balance may be below the minimum while only money keeps the account. */
  closing: z.boolean().optional(),
};

/** The worker's own money (product.md, Money; Withdrawal). Private to the caller. */
export const payouts = {
  balance: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/balance',
      summary: 'Pending, available and reserved money, with bank accounts',
    })
    .input(z.object({}))
    .output(
      z.object({
        /** Every currency ever held, the account country's first. Never empty. */
        balances: z.array(workerBalance).min(1),
        identity: payoutIdentity,
        /** Null if the provider keeps no account for a worker. */
        account: payoutAccount.nullable(),
        /** ISO 3166-1 code of the profile's home, prefilled in the identity form; null if there is none. */
        homeCountry: z.string().nullable(),
        /** The open request for details that the tax office needs; withdrawals wait for them. */
        sellerRequest: sellerRequest.nullable().optional(),
        methods: z.array(payoutMethod),
        rules: z.object({
          perDay: z.number().int(),
          leftToday: z.number().int(),
          /** The next possible time, if none is left; null while some are. */
          freeFrom: instant.nullable(),
          methodHoldDays: z.number().int(),
          clearingDays: z.number().int(),
        }),
        /** The browser sends account numbers there; null where `payouts.openPage` takes them. */
        tokenUrl: z.string().nullable(),
        test: z.boolean(),
      }),
    ),
  addMethod: operation({
    access: 'verified',
    errors: [
      'payout/method-refused',
      'payout/method-limit',
      'payout/method-known',
      'payment/provider-unavailable',
    ],
    effects: ['guarded'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/payout-methods',
      summary: 'Add a bank account by its provider token; usable after 3 days',
      successStatus: 201,
    })
    .input(z.object({ token: providerToken }))
    .output(payoutMethod),
  openPage: operation({
    access: 'verified',
    errors: ['payment/no-page', 'payout/identity-wrong-state', 'payment/provider-unavailable'],
    effects: ['guarded'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/payout-page',
      summary: 'Open the provider’s page for identity and bank accounts; it leads back with `payee`',
    })
    .input(z.object({ returnTo }))
    .output(z.object({ url: z.url() })),
  refresh: operation({
    access: 'verified',
    errors: ['payment/provider-unavailable'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/payout-methods/refresh',
      summary: 'Read identity and bank accounts from the provider, after its page or its news',
    })
    .input(z.object({}))
    .output(
      z.object({
        identity: payoutIdentity,
        account: payoutAccount.nullable(),
        added: z.number().int(),
      }),
    ),
  removeMethod: operation({
    access: 'verified',
    errors: ['payout/method-not-found', 'payout/method-in-use'],
    effects: ['guarded'],
    whileSuspended: 'owed',
  })
    .route({ method: 'POST', path: '/payout-methods/{methodId}/remove', summary: 'Remove a bank account' })
    .input(z.object({ methodId: id }))
    .output(z.object({ removed: z.literal(true) })),
  makeMethodDefault: operation({
    access: 'verified',
    errors: ['payout/method-not-found'],
    effects: ['guarded'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/payout-methods/{methodId}/default',
      summary: 'Make a bank account the default',
    })
    .input(z.object({ methodId: id }))
    .output(payoutMethod),
  verifyIdentity: operation({
    access: 'verified',
    errors: ['payout/identity-wrong-state', 'payment/provider-unavailable'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/payout-identity',
      summary: 'Submit your identity to the provider, so that pay clears at once',
    })
    .input(
      z.object({
        legalName: personName(limits.nameMax),
        bornOn: day,
        countryCode: z.string().regex(/^[A-Z]{2}$/),
        address: line(limits.addressMax),
      }),
    )
    .output(payoutIdentity),
  quote: operation({
    access: 'verified',
    errors: [
      'payout/method-not-found',
      'payout/method-held',
      'payout/below-minimum',
      'payout/balance-short',
      'payout/instant-unavailable',
      'payout/daily-limit',
      'payout/details-missing',
    ],
  })
    .route({
      method: 'GET',
      path: '/withdrawal-quote',
      summary: 'Cost and arrival of a withdrawal made now',
    })
    .input(
      z.object({
        ...request,
        amountMinor: queryInteger(1, maxMinor),
        closing: queryFlag.optional(),
      }),
    )
    .output(
      z.object({
        amountMinor: z.number().int(),
        feeMinor: z.number().int(),
        getsMinor: z.number().int(),
        currency,
        arrivesOn: day,
        /**
         * True if the bank account's holder is not the verified name, so that an operator reviews the
         * withdrawal first.
         */
        isReviewed: z.boolean(),
      }),
    ),
  withdraw: operation({
    access: 'verified',
    errors: [
      'payout/method-not-found',
      'payout/method-held',
      'payout/below-minimum',
      'payout/balance-short',
      'payout/instant-unavailable',
      'payout/daily-limit',
      'payout/details-missing',
    ],
    effects: ['money', 'guarded:record'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/withdrawals',
      summary: 'Withdraw money in the currency of its bank account; it is reserved at once',
      successStatus: 201,
    })
    .input(z.object(request))
    .output(withdrawal),
  cancel: operation({
    access: 'verified',
    errors: ['payout/not-found', 'payout/wrong-state', 'payout/stale'],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/withdrawals/{withdrawalId}/cancel',
      summary: 'Cancel a withdrawal before it is sent',
    })
    .input(z.object({ withdrawalId: id, version }))
    .output(withdrawal),
  withdrawals: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/withdrawals', summary: 'List your withdrawals, newest first' })
    .input(z.object({ ...pageInput }))
    .output(pageOf(withdrawal)),
  withdrawal: operation({ access: 'verified', errors: ['payout/not-found'] })
    .route({ method: 'GET', path: '/withdrawals/{withdrawalId}', summary: 'Get a withdrawal' })
    .input(z.object({ withdrawalId: id }))
    .output(withdrawal),
};
