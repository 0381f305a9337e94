import { z } from 'zod';
import { currency } from '../money.ts';
import { day, id, instant, operation, pageInput, pageOf } from '../operation.ts';

const minor = z.number().int();

/** A limit up to which a business hires before it pays, and what it owes of it. Minor units of `currency`. */
export const creditLimit = z.object({
  currency,
  limitMinor: minor,
  /** The part that can still be drawn; 0 once the limit has ended or the business isn't verified. */
  availableMinor: minor,
  owedMinor: minor,
  /** Debts by due day, earliest first. */
  dues: z.array(z.object({ dueOn: day, amountMinor: minor })),
  /** The sum that was due before today. */
  overdueMinor: minor,
  /** The day from which nothing new is set aside unless what is overdue is paid; null if nothing is. */
  stopsOn: day.nullable(),
  stopped: z.boolean(),
  ended: z.boolean(),
});
export type CreditLimit = z.infer<typeof creditLimit>;

/** A business with a credit limit, for operators. */
export const creditLimitRow = z.object({
  businessId: id,
  name: z.string(),
  currency,
  limitMinor: minor,
  owedMinor: minor,
  overdueSince: day.nullable(),
  stopped: z.boolean(),
  ended: z.boolean(),
});

export type CreditLimitRow = z.infer<typeof creditLimitRow>;

/** The state of a business's limit for the operator who sets it. Minor units of `currency`. */
export const creditQuote = z.object({
  currency,
  limitMinor: minor,
  owedMinor: minor,
  ended: z.boolean(),
  /** The highest limit that one operator may set alone. */
  aloneMinor: minor,
  /** False for a business that isn't verified: its limit can only be lowered or ended. */
  mayRaise: z.boolean(),
  /** The last changes, newest first, at most 20. */
  changes: z.array(
    z.object({
      id,
      beforeMinor: minor,
      limitMinor: minor,
      currency,
      reason: z.string(),
      setBy: z.string(),
      approvedBy: z.string().nullable(),
      at: instant,
    }),
  ),
});
export type CreditQuote = z.infer<typeof creditQuote>;

/** Hiring on credit, paid at the end of the month after (ADR 397). */
export const creditLimits = {
  /** Owners, managers and finance of a business; null without a limit. */
  get: operation({ access: 'member:finance', errors: ['business/not-found', 'business/not-allowed'] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/credit-limit',
      summary: 'The credit limit of a business, what it owes, and when that is due',
    })
    .input(z.object({ businessId: id }))
    .output(z.object({ credit: creditLimit.nullable() })),
  list: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/credit-limits',
      summary: 'Businesses with a credit limit, with what they owe',
    })
    .input(z.object({ which: z.enum(['all', 'owing', 'overdue']).default('owing'), ...pageInput }))
    .output(pageOf(creditLimitRow)),
};
