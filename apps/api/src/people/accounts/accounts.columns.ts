import { type RawBuilder, sql } from 'kysely';

const maxNameWords = 6;

/** The first words of a typed name for a search by prefix, few enough for one index scan. */
export const nameWordsOf = (typed = ''): string[] =>
  typed.split(/\s+/).filter(Boolean).slice(0, maxNameWords);

/** Matches an account's name by all words, ignoring case and accents; undefined if there are no words. */
export function isNamed(
  accountId: RawBuilder<unknown>,
  words: readonly string[],
): RawBuilder<unknown> | undefined {
  if (words.length === 0) return undefined;
  // Folding turns some characters into `%`, `_` and `\`, so escape them afterwards.
  const wordMatches = words.map(
    (word) =>
      sql`folded_name(named.name) like '%' || regexp_replace(folded_name(${word}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`,
  );
  return sql`exists (select from accounts named where named.id = ${accountId} and ${sql.join(wordMatches, sql` and `)})`;
}
