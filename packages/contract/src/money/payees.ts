import { z } from 'zod';
import { instant } from '../operation.ts';

export const nameSources = ['document', 'provider'] as const;

export const payeeNames = z.object({
  /** Verified names of the person, the document's first. Without one, nothing is compared. */
  verified: z.array(z.object({ name: z.string(), source: z.enum(nameSources), at: instant })),
  businesses: z.array(z.string()),
});
export type PayeeNames = z.infer<typeof payeeNames>;
