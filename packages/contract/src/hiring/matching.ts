import { z } from 'zod';

/** What a ranking looks at; the words are the client's. */
export const matchKinds = ['skills', 'distance', 'reliability', 'availability', 'history'] as const;
export type MatchKind = (typeof matchKinds)[number];

/**
 * One reason of a match score, in the order of its weight. `points` of `of` go into the score of 0 to 100; `tone` says how it reads. `data` holds what the
 * words need: skills (matched, asked, years), distance (metres), reliability (percent, kept, lateCancellations, noShows), availability (free parts of
 * those needed), history (times worked here before).
 */
export const matchReason = z.object({
  kind: z.enum(matchKinds),
  tone: z.enum(['good', 'neutral', 'warning']),
  points: z.number().int(),
  of: z.number().int(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
});
export type MatchReason = z.infer<typeof matchReason>;
