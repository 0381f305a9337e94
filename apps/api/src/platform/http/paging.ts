import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../app-error.ts';

export const encodeCursor = (values: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url');

/** @throws request/bad-cursor for anything this list did not issue */
export function decodeCursor<Shape extends z.ZodType>(
  cursor: string | undefined,
  shape: Shape,
): z.output<Shape> | null {
  if (cursor === undefined) return null;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new AppError('request/bad-cursor');
  }
}

/** Cuts `limit + 1` rows to a page; the extra row means there is a next one. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}

/** Time and id, newest first. Only UTC: PostgreSQL rejects offsets of 16 hours and more. */
export const newestCursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** SQL for the next page of a list sorted by `columns`, a time and an id, newest first: `and …` or nothing. */
export const andBefore = (
  columns: RawBuilder<unknown>,
  after: readonly [string, string] | null | undefined,
): RawBuilder<unknown> =>
  after ? sql`and (${columns}) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``;
