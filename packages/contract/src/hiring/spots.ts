import { z } from 'zod';
import { currency } from '../money.ts';
import { id, operation } from '../operation.ts';

/** The spots of a job, and the reservation of an instant hire. */
export const spots = {
  quote: operation({ access: 'member:coordinator', errors: ['job/not-found', 'job/not-allowed'] })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/spot-quote',
      summary: 'Amount an instant hire sets aside when published, and the shortfall in the balance',
    })
    .input(z.object({ jobId: id }))
    .output(
      z.object({
        spots: z.number().int(),
        eachMinor: z.number().int().nullable(),
        totalMinor: z.number().int().nullable(),
        /** Null for a caller who may not see the balance. */
        balanceMinor: z.number().int().nullable(),
        /** Null if money is missing and the caller may not see the balance. */
        missingMinor: z.number().int().nullable(),
        currency,
      }),
    ),
};
