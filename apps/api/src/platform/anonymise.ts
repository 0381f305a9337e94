import { type RawBuilder, sql } from 'kysely';

/** Someone whose account was removed, and the words that named them: name, email and phone, as far as they had them. */
export type FormerMember = { accountId: string; words: readonly string[] };

/** The text or JSON of a column with "Former member" in place of what named the person (`without_words` of the database). */
export const withoutWords = <Value = string>(
  column: string,
  { words }: Pick<FormerMember, 'words'>,
): RawBuilder<Value> => sql<Value>`without_words(${sql.ref(column)}, ${[...words]}::text[])`;
