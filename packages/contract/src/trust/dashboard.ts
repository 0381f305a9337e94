import { z } from 'zod';
import { currency } from '../money.ts';
import { day, id, month, operation, queryInteger } from '../operation.ts';

const monthsMax = 24;
/** Owners, managers and finance may see what was spent. */
const businessErrors = ['business/not-found', 'business/not-allowed'] as const;

export const dashboard = {
  figures: operation({ access: 'member:finance', errors: [...businessErrors] })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/analytics',
      summary: 'Spend, cost per hour and time to fill, month by month',
    })
    .input(
      z.object({
        businessId: id,
        months: queryInteger(1, monthsMax).default(6),
        currency: currency.optional(),
      }),
    )
    .output(
      z.object({
        currency,
        currencies: z.array(currency),
        timeZone: z.string(),
        months: z.array(
          z.object({
            month,
            /** Pay, fees, tips and compensation. */
            spendMinor: z.number().int(),
            payMinor: z.number().int(),
            feesMinor: z.number().int(),
            tipsMinor: z.number().int(),
            paidMinutes: z.number().int(),
            /** Pay and fee for an hour of shift work; null if no shift work was paid. */
            costPerHourMinor: z.number().int().nullable(),
            hires: z.number().int(),
          }),
        ),
        /** One per job that was fully hired in the span: hours from publishing to the last hire. */
        filled: z.array(z.object({ jobId: id, title: z.string(), day, hours: z.number() })),
        medianHours: z.number().nullable(),
        /** The median of the same number of months before. */
        medianHoursBefore: z.number().nullable(),
      }),
    ),
};
