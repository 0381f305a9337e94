import { z } from 'zod';
import { instant } from '../operation.ts';

/** Who verified a name: staff, by an identity document, or the payment provider. */
export const nameSources = ['document', 'provider'] as const;

/** The names that a worker can be paid under. */
export const payeeNames = z.object({
  /** Verified names of the person, the document's first. Without one, nothing is compared. */
  verified: z.array(z.object({ name: z.string(), source: z.enum(nameSources), at: instant })),
  /** Legal names of verified businesses that the person owns. */
  businesses: z.array(z.string()),
});
export type PayeeNames = z.infer<typeof payeeNames>;
