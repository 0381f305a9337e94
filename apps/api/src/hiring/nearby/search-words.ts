import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import { sql } from 'kysely';
import type { Db, ReadDb } from '../../platform/db.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { inCircle, type SearchArea } from './search-area.ts';
import { allTrue, isOpenJob, wordsInSquares } from './search-filters.ts';
import {
  findRespelling,
  isNearWord,
  type KnownWord,
  possibleTypos,
  queriesOfParts,
  type Respelling,
  respelledLength,
  typedWords,
  wordQuery,
  wordsForWork,
} from './search-words.rules.ts';

/** The query is null if no words were typed, and then filters nothing. */
export type SearchWords = { query: string | null; respelled: readonly Respelling[] };

/** Typed text as a full-text query with plurals, synonyms and corrected typing errors (ADR 6). */
export async function searchWords(db: ReadDb, typed: string | null | undefined): Promise<SearchWords> {
  if (typed === null || typed === undefined) return { query: null, respelled: [] };
  const doubtful = possibleTypos(typed);
  if (doubtful.length === 0) return { query: wordQuery(typed), respelled: [] };
  const last = typedWords(typed).at(-1)?.toLowerCase();
  const respelled = (await findNeighbours(db, doubtful)).flatMap(({ typed: word, begins, neighbours }) => {
    const isListedWord = neighbours.some((neighbour) => neighbour.word === word);
    if (word === last && begins && !isListedWord) return [];
    return findRespelling(word, neighbours) ?? [];
  });
  return { query: wordQuery(typed, respelled), respelled };
}

/** `begins`: the typed word is a prefix of a known word. One statement, because every search by words runs it. */
async function findNeighbours(
  db: ReadDb,
  words: readonly string[],
): Promise<{ typed: string; begins: boolean; neighbours: KnownWord[] }[]> {
  const { rows } = await sql<{ typed: string; begins: boolean; neighbours: KnownWord[] }>`${keptPlan}
    select typed, exists (select from search_words where word >= typed and word < typed || chr(1114111)) as begins,
      coalesce((select jsonb_agg(jsonb_build_object('word', word, 'jobs', jobs)) from search_words
        where near && near_spellings(typed)), '[]') as neighbours
    from jsonb_array_elements_text(${JSON.stringify(words)}::jsonb) as list (typed)`.execute(db);
  return rows;
}

/** Writes words in alphabetical order, so that two jobs with the same words can't deadlock. */
export async function learnWords(db: Db, jobId: string): Promise<void> {
  await sql`insert into search_words (word, jobs)
    select lexeme, 1 from jobs, unnest(tsvector_to_array(jobs.words)) as lexeme
    where jobs.id = ${jobId} and jobs.status = 'open'
      and length(lexeme) between ${respelledLength.min} and ${respelledLength.max}
      and lexeme ~ '^[[:alpha:]]+$' and lexeme !~ '^skill.'
    order by lexeme collate "C"
    on conflict (word) do update set jobs = search_words.jobs + 1`.execute(db);
}

/** Returns for each full-text query whether an open job in the circle matches it. */
async function matchAround(db: ReadDb, queries: readonly string[], area: SearchArea): Promise<boolean[]> {
  const matches = queries.map(
    (query) =>
      sql`exists (select from jobs job where ${allTrue([isOpenJob, inCircle(area), ...wordsInSquares(query, area.squares)])})`,
  );
  const { rows } = await sql<{ matching: boolean[] }>`
    select array[${sql.join(matches)}] as matching`.execute(db);
  return rows[0]?.matching ?? [];
}

const typosMax = 3;
const similarMax = 40;
const candidatesMax = 8;
const suggestionsMax = 3;

/**
 * Known words near a typed one that no job uses, which open jobs in the circle match, the most similar first.
 * Index: `search_words_similar`.
 */
export async function suggestWords(db: ReadDb, typed: string, area: SearchArea): Promise<string[]> {
  const words = possibleTypos(typed).slice(0, typosMax);
  if (words.length === 0) return [];
  // `%` is true from a third of the trigrams in common: "gardning" and "gardening" have half.
  const { rows } = await sql<{ word: string }>`
    select candidate.word from unnest(${words}::text[]) as typed (word)
      cross join lateral (
        select near.word, near.jobs from search_words near where near.word % typed.word
        union all select listed.word, 0 from unnest(${[...wordsForWork]}::text[]) as listed (word) where listed.word % typed.word
      ) candidate
    where candidate.word <> typed.word and not exists (select from search_words used where used.word = typed.word)
    group by candidate.word order by max(similarity(candidate.word, typed.word)) desc, max(candidate.jobs) desc, candidate.word
    limit ${similarMax}`.execute(db);
  const candidates = rows
    .map(({ word }) => word)
    .filter((word) => words.some((typedWord) => isNearWord(typedWord, word)))
    .slice(0, candidatesMax);
  if (candidates.length === 0) return [];
  const queries = candidates.map((word) => wordQuery(word) ?? '');
  const matching = await matchAround(db, queries, area);
  return candidates.filter((_, at) => matching[at]).slice(0, suggestionsMax);
}

/**
 * The typed words to leave out if no job has all of them: words that no open job in a circle uses or, if all
 * are used, words that don't name work. Null if that would leave out none or all.
 */
export async function leaveOutWords(
  db: ReadDb,
  typed: string,
  respelled: readonly Respelling[],
  area: SearchArea,
): Promise<NearbyPage['leftOut'] | null> {
  const parts = queriesOfParts(typed, respelled);
  if (parts.length < 2) return null;
  const used = await matchAround(
    db,
    parts.map(({ query }) => query),
    area,
  );
  const isAllUsed = used.every((isUsed) => isUsed);
  const isSearched = (part: (typeof parts)[number], at: number) => (isAllUsed ? part.isWork : used[at]);
  const searched = parts.filter(isSearched);
  if (searched.length === 0 || searched.length === parts.length) return null;
  const words = parts.filter((part, at) => !isSearched(part, at));
  return { words: words.map(({ text }) => text), searched: searched.map(({ text }) => text).join(' ') };
}
