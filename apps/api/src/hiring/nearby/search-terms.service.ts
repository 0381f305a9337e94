import { chordOfMetres, onSphere } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import type { Db, ReadDb } from '../../platform/db.ts';
import { squaresAround } from './geo-squares.rules.ts';
import type { Around } from './nearby.sql.ts';
import { doubtfulWords, type Respelling, respell, typedWords, wordQuery } from './search-words.rules.ts';
import { findNeighbours, learnWordsOf } from './search-words.sql.ts';

/** A search's place as the database compares it: for nearby search and for saved searches, which must find the same jobs (ADR 151). */
export const circleAround = (from: Point, radiusKm: number): Around => ({
  pos: onSphere(from),
  chord: chordOfMetres(radiusKm * 1000),
  squares: squaresAround(from, radiusKm * 1000),
});

/** What typed text searches for: a full-text query, null without any words, which then do not filter; and what was respelled. */
export type SearchWords = { query: string | null; respelled: readonly Respelling[] };

/** Typed text as a full-text query with plurals, other names of the same work and corrected typing errors (ADR 6). */
export async function wordsOf(db: ReadDb, typed: string | null | undefined): Promise<SearchWords> {
  if (typed === null || typed === undefined) return { query: null, respelled: [] };
  const doubtful = doubtfulWords(typed);
  if (doubtful.length === 0) return { query: wordQuery(typed), respelled: [] };
  const last = typedWords(typed).at(-1)?.toLowerCase();
  const respelled = (await findNeighbours(db, doubtful)).flatMap(({ typed: word, begins, known }) => {
    // The last word may be unfinished.
    const own = known.some((one) => one.word === word);
    if (word === last && begins && !own) return [];
    return respell(word, known) ?? [];
  });
  return { query: wordQuery(typed, respelled), respelled };
}

/** Learns the words of a job that opened, to correct searches that misspell them. */
export const learnWords = (db: Db, jobId: string): Promise<void> => learnWordsOf(db, jobId);
