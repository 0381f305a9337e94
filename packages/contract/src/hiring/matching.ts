import { z } from 'zod';

/** What a ranking considers; the client words it. */
export const matchKinds = ['skills', 'distance', 'reliability', 'availability', 'history', 'rating'] as const;
export type MatchKind = (typeof matchKinds)[number];

/**
 * One reason of a match score, highest weight first. `points` of `of` add to the score of 0 to 100; `tone` says how it reads. `data` has
 * what the text needs: skills (matched, asked, years), distance (metres), reliability (percent, kept, lateCancellations, noShows),
 * availability (free parts of those needed), history (times worked here before), rating (count of reviews, and tenths from three on).
 */
export const matchReason = z.object({
  kind: z.enum(matchKinds),
  tone: z.enum(['good', 'neutral', 'warning']),
  points: z.number().int(),
  of: z.number().int(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
});
export type MatchReason = z.infer<typeof matchReason>;
