import { type RawBuilder, sql } from 'kysely';

/** Of a search; more words than a name has find nobody. */
const maxNameWords = 6;

/** The words of a search for a name. */
export const nameWordsOf = (typed = ''): string[] =>
  typed.split(/\s+/).filter(Boolean).slice(0, maxNameWords);

/** Whether an account's name has all of these words, ignoring case and accents; undefined without words. */
export function isNamed(
  accountId: RawBuilder<unknown>,
  words: readonly string[],
): RawBuilder<unknown> | undefined {
  if (words.length === 0) return undefined;
  // Folding turns some characters into `%`, `_` and `\`, so they are escaped after it.
  const has = words.map(
    (word) =>
      sql`folded_name(named.name) like '%' || regexp_replace(folded_name(${word}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`,
  );
  return sql`exists (select from accounts named where named.id = ${accountId} and ${sql.join(has, sql` and `)})`;
}
