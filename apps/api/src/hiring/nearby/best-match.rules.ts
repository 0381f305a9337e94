import { bandEdgesM } from '@nearhand/contract/hiring/nearby-card.rules';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { hasMileSigns, metresOfChord } from '@nearhand/contract/people/great-circle';

/** The nearest matches that are sorted together: three pages of 30. */
const windowMax = 90;

/** Whole pages, so that only jobs that close in between make a page shorter. */
export const windowOf = (limit: number): number => limit * Math.max(1, Math.floor(windowMax / limit));

type Match = { id: string; businessId: string; chord: number; relevance?: number | null };

/** 48 random bits of a job's ID, in eight letters. */
const markOf = ({ id }: { id: string }) => Buffer.from(id.slice(-12), 'hex').toString('base64url');
export const marksShape = /^(?:[\w-]{8})*$/;

/** The start of the window: a match, or the place itself. `seen` are the marks of jobs already sent from it. */
export type BestPosition = { after: readonly [chord: number, id: string] | null; seen: string };

const bandOf = (chord: number) =>
  nearbyLimits.radiusChoicesKm.findIndex((km) => metresOfChord(chord) <= km * 1000);

/** Up to this much farther is about as near: two minutes on foot. */
const aboutAsNearM = 150;

/**
 * Jobs in order of distance, those that match the viewer's skills first within each band of the place's unit, and
 * with at most two of a business in a row where others are about as near.
 */
export function nearestFirst<
  Card extends { distanceM: number; business: { name: string }; matchesSkills?: true | undefined },
>(cards: readonly Card[], timeZone: string): Card[] {
  const edgesM = hasMileSigns(timeZone) ? bandEdgesM.miles : bandEdgesM.km;
  const stretchOf = (metres: number) => {
    const band = edgesM.findIndex((edge) => metres <= edge);
    return band < 0 ? edgesM.length : band;
  };
  const rest = cards.toSorted(
    (a, b) =>
      stretchOf(a.distanceM) - stretchOf(b.distanceM) ||
      Number(b.matchesSkills ?? false) - Number(a.matchesSkills ?? false) ||
      a.distanceM - b.distanceM,
  );
  const mixed: Card[] = [];
  for (let [next] = rest; next; [next] = rest) {
    const { distanceM, business, matchesSkills } = next;
    const isThird = mixed.length > 1 && mixed.slice(-2).every((card) => card.business.name === business.name);
    const alternative = isThird
      ? rest.findIndex(
          (card) =>
            card.business.name !== business.name &&
            card.matchesSkills === matchesSkills &&
            stretchOf(card.distanceM) === stretchOf(distanceM) &&
            card.distanceM - distanceM <= aboutAsNearM,
        )
      : -1;
    mixed.push(...rest.splice(Math.max(0, alternative), 1));
  }
  return mixed;
}

/**
 * The next page of the nearest matches, which are sorted by distance and one more than a window if there are
 * that many. Sorts by radius choice, relevance and distance, and lets employers take turns where both are
 * equal. Jobs that open or close in between don't shift the page: none is repeated or skipped (ADR 6).
 */
export function bestPage<Row extends Match>(
  matches: readonly Row[],
  limit: number,
  { after, seen: seenIds }: BestPosition,
): { items: Row[]; next: BestPosition | null } {
  const window = matches.slice(0, windowOf(limit));
  const seenMarks = new Set(seenIds.match(/.{8}/g));
  const turns = new Map<string, number>();
  const unseen = window
    .filter((row) => !seenMarks.has(markOf(row)))
    .map((row) => {
      const band = bandOf(row.chord);
      const relevance = row.relevance ?? 0;
      const key = `${band} ${relevance} ${row.businessId}`;
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      return { row, band, relevance, turn };
    })
    .sort((a, b) => a.band - b.band || a.relevance - b.relevance || a.turn - b.turn);
  const items = unseen.slice(0, limit).map(({ row }) => row);
  if (unseen.length > limit) return { items, next: { after, seen: seenIds + items.map(markOf).join('') } };
  const last = window.at(-1);
  if (!last || matches.length === window.length) return { items, next: null };
  // Newly opened jobs may have moved a job that was shown out of this window. Its mark stays.
  for (const row of window) seenMarks.delete(markOf(row));
  return { items, next: { after: [last.chord, last.id], seen: [...seenMarks].join('') } };
}
