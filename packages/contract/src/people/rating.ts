import { z } from 'zod';

export const rating = z.object({
  count: z.number().int(),
  /** Tenths of a star: 48 is 4.8. Null with fewer than three reviews. */
  averageTenths: z.number().int().nullable(),
});
