import { z } from 'zod';

export const matchKinds = ['skills', 'distance', 'reliability', 'availability', 'history', 'rating'] as const;
export type MatchKind = (typeof matchKinds)[number];

/** One reason of a match score: `points` of `of` add to the score of 0 to 100. `data` has the facts of its kind. */
export const matchReason = z.object({
  kind: z.enum(matchKinds),
  tone: z.enum(['good', 'neutral', 'warning']),
  points: z.number().int(),
  of: z.number().int(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
});
export type MatchReason = z.infer<typeof matchReason>;
