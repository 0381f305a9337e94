import { type RawBuilder, sql } from 'kysely';

/** A removed account with its name, email and phone, for finding them in texts. */
export type FormerMember = { accountId: string; words: readonly string[] };

/** Replaces the person's words in text or JSON with "Former member" (SQL function `without_words`). */
export const withoutWords = <Value = string>(
  column: string,
  { words }: Pick<FormerMember, 'words'>,
): RawBuilder<Value> => sql<Value>`without_words(${sql.ref(column)}, ${[...words]}::text[])`;
