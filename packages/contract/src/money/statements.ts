import { z } from 'zod';
import { currency } from '../money.ts';
import { day, id, instant, month, operation, pageInput, pageOf, queryInteger } from '../operation.ts';
import { businessGroups, workerGroups } from './statements.rules.ts';

/** Subjects of statement lines; one line for each ledger entry that touches its holder. */
export const statementKinds = [
  'top_up',
  'hold',
  'hold_returned',
  'release',
  'tip',
  'bonus',
  'compensation',
  'cleared',
  'withdrawal',
  'withdrawal_back',
  'refund',
  'chargeback',
  'referral',
  'goodwill',
  'credit_drawn',
  'credit_repaid',
  'correction',
] as const;
export type StatementKind = (typeof statementKinds)[number];

/** A ledger entry for its holder, in minor units; negative is a debit. A withdrawal moves 0 until paid. */
export const statementLine = z.object({
  id,
  at: instant,
  kind: z.enum(statementKinds),
  /** The balance change; 0 for a business's release, which its hold pays. */
  amountMinor: z.number().int(),
  /** The entry's amount. For a business's release the total with our fee; for the worker the pay before their fee. */
  grossMinor: z.number().int(),
  /** Our fee; always included in `grossMinor`. */
  feeMinor: z.number().int(),
  currency,
  /** The balance after it: for a worker pending, available and reserved together. */
  balanceMinor: z.number().int(),
  /** The job's title, or a top-up's or withdrawal's card or account. */
  about: z.string(),
  party: z.string().nullable(),
  /** The day of the work at its place; null for work without hours and for other entries. */
  workOn: day.nullable(),
  status: z
    .enum(['held', 'paid', 'partly', 'pending', 'not_sent', 'in_transit', 'returned', 'in_dispute', 'failed'])
    .nullable(),
  engagementId: id.nullable(),
  withdrawalId: id.nullable(),
});
export type StatementLine = z.infer<typeof statementLine>;

/** The references a business books a payment under; null for lines without them. */
const booking = {
  branch: z.string().nullable(),
  /** The invoice or credit note for the fee, once it is issued. */
  invoiceNumber: z.string().nullable(),
};

/** A line as its business sees it. */
export const businessStatementLine = statementLine.extend({
  ...booking,
  /** The time that was paid, in minutes; negative if the pay was taken back. */
  paidMinutes: z.number().int().nullable(),
});
export type BusinessStatementLine = z.infer<typeof businessStatementLine>;

/** A line's parts and evidence. `parts` are the postings by text key and sum to zero. */
export const statementDetail = statementLine.extend({
  parts: z.array(
    z.object({
      kind: z.enum([
        'card',
        'balance',
        /** Promotional credit, free and in a hold (ADR 155). */
        'promo',
        'hold',
        'hold_promo',
        'worker',
        'fee',
        'worker_fee',
        'bank',
        'pending',
        'available',
        'reserved',
        'loss',
        /** The credit limit (ADR 397). */
        'credit',
        'reward',
      ]),
      amountMinor: z.number().int(),
    }),
  ),
  evidence: z.object({
    startsAt: instant.nullable(),
    endsAt: instant.nullable(),
    checkedInAt: instant.nullable(),
    checkedOutAt: instant.nullable(),
    paidMinutes: z.number().int().nullable(),
    approvedAt: instant.nullable(),
    approvedBy: z.string().nullable(),
    timeZone: z.string().nullable(),
  }),
  /**
   * The payment's receipt; null for a self-employed worker. The invoice for the fee, once it is issued, for a
   * business.
   */
  receiptId: id.nullable(),
  invoiceId: id.nullable(),
  ...booking,
});
export type StatementDetail = z.infer<typeof statementDetail>;

/** The period's days are inclusive, in the response's `timeZone`. */
export const statementFilter = { currency: currency.optional(), from: day.optional(), to: day.optional() };
const businessErrors = ['business/not-found', 'business/not-allowed'] as const;
/** The zone of the period's days: a business's own, a worker's home, otherwise their latest work's, otherwise UTC. */
const inZone = { timeZone: z.string() };
const totals = z.object({
  openingMinor: z.number().int(),
  inMinor: z.number().int(),
  outMinor: z.number().int(),
  closingMinor: z.number().int(),
});
const firstYear = 2000;
const lastYear = 2200;
export const queryYear = queryInteger(firstYear, lastYear);
/** The ledger as screens show it (glossary: statement). */
export const statements = {
  mine: operation({ access: 'verified', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/statement',
      summary: 'List your statement, newest first, with totals of the period',
    })
    .input(z.object({ ...statementFilter, group: z.enum(workerGroups).default('all'), ...pageInput }))
    .output(
      pageOf(statementLine).extend({
        currency,
        currencies: z.array(currency),
        ...inZone,
        totals: totals.extend({
          earnedMinor: z.number().int(),
          tipsMinor: z.number().int(),
          feesMinor: z.number().int(),
          withdrawnMinor: z.number().int(),
        }),
      }),
    ),
  line: operation({ access: 'verified', errors: ['statement/not-found'] })
    .route({
      method: 'GET',
      path: '/statement/{entryId}',
      summary: 'Get a line of your statement, with its engagement and evidence',
    })
    .input(z.object({ entryId: id }))
    .output(statementDetail),
  forBusiness: operation({ access: 'member:finance', errors: [...businessErrors, 'request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/statement',
      summary: 'Statement of a business, newest first; owners, managers and finance',
    })
    .input(
      z.object({
        businessId: id,
        ...statementFilter,
        group: z.enum(businessGroups).default('all'),
        ...pageInput,
      }),
    )
    .output(
      pageOf(businessStatementLine).extend({
        currency,
        currencies: z.array(currency),
        ...inZone,
        totals: totals.extend({
          balanceMinor: z.number().int(),
          heldMinor: z.number().int(),
          paidMinor: z.number().int(),
          feesMinor: z.number().int(),
          /** The debt on the credit limit (ADR 397); null for a business that never had one in this currency. */
          creditOwedMinor: z.number().int().nullable(),
        }),
      }),
    ),
  businessLine: operation({ access: 'member:finance', errors: [...businessErrors, 'statement/not-found'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/statement/{entryId}',
      summary: "One line of a business's statement, with its engagement and evidence",
    })
    .input(z.object({ businessId: id, entryId: id }))
    .output(statementDetail),
  year: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/statement/years/{year}',
      summary: 'Get a year of your pay, by month and by business',
    })
    .input(z.object({ year: queryYear, currency: currency.optional() }))
    .output(
      z.object({
        year: z.number().int(),
        currency,
        years: z.array(z.number().int()),
        months: z.array(
          z.object({
            month,
            earnedMinor: z.number().int(),
            tipsMinor: z.number().int(),
            feesMinor: z.number().int(),
            paidMinutes: z.number().int(),
          }),
        ),
        businesses: z.array(
          z.object({ name: z.string(), earnedMinor: z.number().int(), engagements: z.number().int() }),
        ),
        totalMinor: z.number().int(),
      }),
    ),
};
