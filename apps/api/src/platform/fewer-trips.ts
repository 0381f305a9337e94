import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';

const keptMark = '/* kept plan */';
const commitMark = '/* at commit */';
/** At the front of a text, or of a query that was built (`modifyFront`). */
const marked = /^(?:select )?\/\* kept plan \*\//;

/**
 * Begins a statement that each connection is to plan once and then only run: for what is asked all day and joins so much that PostgreSQL plans longer than it runs (ADR 0116).
 * The text must be the same each time: values as parameters, lists as `= any(array)`. Not for pages: of a `limit` that is a parameter nothing is known, and the plan for all of them reads
 * far too much.
 */
export const keptPlan: RawBuilder<unknown> = sql.raw(keptMark);

/** A statement without parameters that goes to PostgreSQL together with the commit, in one round trip; nothing of it where the transaction is rolled back. */
export const atCommit = (statement: string): RawBuilder<unknown> => sql.raw(`${commitMark} ${statement}`);

/** More texts than there can be; a statement that is marked though its text differs each time must not fill the memory of every connection. */
const namesMost = 200;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= namesMost) return known;
  const name = `kept_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

type Query = (query: string | pg.QueryConfig, ...rest: unknown[]) => unknown;
const nothing = { command: 'SELECT', rowCount: 0, rows: [] };

/** Teaches a new connection of a pool the two marks above. */
export function saveTrips(client: pg.PoolClient): void {
  const query = client.query.bind(client) as Query;
  let withCommit: string | null = null;
  const saving: Query = (text, ...rest) => {
    if (typeof text !== 'string') return query(text, ...rest);
    if (text.startsWith(commitMark)) {
      withCommit = text;
      return Promise.resolve(nothing);
    }
    if (text === 'commit' && withCommit !== null) {
      const both = `${withCommit}; commit`;
      withCommit = null;
      // Of several statements there are several results: that of the commit says whether it was one.
      return (query(both) as Promise<unknown[]>).then((results) => results.at(-1));
    }
    if (text === 'begin' || text === 'rollback') withCommit = null;
    const [values] = rest;
    const name = marked.test(text) && Array.isArray(values) ? nameOf(text) : undefined;
    return name === undefined ? query(text, ...rest) : query({ name, text, values: values as unknown[] });
  };
  client.query = saving as typeof client.query;
}
