import { sql } from 'kysely';
import type { Db, ReadDb } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';
import { type KnownWord, respelledLength } from './search-words.rules.ts';

/**
 * Words of jobs that may be meant by misspelt ones, with themselves; `begins` are those that some known word starts with. One statement,
 * since every search by words asks.
 */
export async function findNeighbours(
  db: ReadDb,
  words: readonly string[],
): Promise<{ typed: string; begins: boolean; known: KnownWord[] }[]> {
  const { rows } = await sql<{ typed: string; begins: boolean; known: KnownWord[] }>`${keptPlan}
    select typed, exists (select from search_words where word >= typed and word < typed || chr(1114111)) as begins,
      coalesce((select jsonb_agg(jsonb_build_object('word', word, 'jobs', jobs)) from search_words
        where near && near_spellings(typed)), '[]') as known
    from unnest(${[...words]}::text[]) as typed`.execute(db);
  return rows;
}

/** Learns the words of an open job. In alphabetical order, so that two jobs with the same words never wait for each other in a circle. */
export async function learnWordsOf(db: Db, jobId: string): Promise<void> {
  await sql`insert into search_words (word, jobs)
    select lexeme, 1 from jobs, unnest(tsvector_to_array(jobs.words)) as lexeme
    where jobs.id = ${jobId} and jobs.status = 'open'
      and length(lexeme) between ${respelledLength.least} and ${respelledLength.most}
      and lexeme ~ '^[[:alpha:]]+$' and lexeme !~ '^skill.'
    order by lexeme collate "C"
    on conflict (word) do update set jobs = search_words.jobs + 1`.execute(db);
}
