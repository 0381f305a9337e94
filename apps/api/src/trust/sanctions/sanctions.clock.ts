import { z } from 'zod';

/** The timer of a suspension's end. */
export const sanctionExpiry = { name: 'sanctions.expire', payload: z.object({ sanctionId: z.uuid() }) };

/** Hides or shows the jobs of a business after its suspension, some at a time. */
export const jobsOfSuspended = {
  name: 'sanctions.follow-jobs',
  payload: z.object({ businessId: z.uuid(), after: z.uuid().nullable() }),
};
