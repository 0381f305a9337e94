import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';

const mark = '/* kept plan */';
/** At the start of a text, or of a built query (`modifyFront`). */
const marked = /^(?:select )?\/\* kept plan \*\//;

/**
 * Marks a statement that each connection prepares once: for frequent ones that take longer to plan than to run (ADR 116). The text must be
 * constant: values as parameters, lists as JSON. Not for pages: with a limit parameter the generic plan reads far too much.
 */
export const keptPlan: RawBuilder<unknown> = sql.raw(mark);

/** More texts than there can be. A marked statement whose text varies must not fill every connection's memory. */
const maxNames = 200;
/** More than the demo town uses. */
const maxNamesOfAll = 1_000;

type Query = (query: string | pg.QueryConfig, ...rest: unknown[]) => unknown;

/** Makes a new connection prepare the statements that begin with `keptPlan`. */
export const keepPlans = (client: pg.PoolClient): void =>
  prepareSome(client, (text) => (marked.test(text) ? nameOf(markedNames, maxNames, text) : undefined));

/** Makes a new connection prepare every statement with parameters: for one of ours alone that soon closes. */
export const keepAllPlans = (client: pg.PoolClient): void =>
  prepareSome(client, (text) => nameOf(allNames, maxNamesOfAll, text));

const markedNames = new Map<string, string>();
const allNames = new Map<string, string>();

function nameOf(names: Map<string, string>, most: number, text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= most) return known;
  const name = `kept_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

function prepareSome(client: pg.PoolClient, nameFor: (text: string) => string | undefined): void {
  const query = client.query.bind(client) as Query;
  const keeping: Query = (text, ...rest) => {
    const [values, ...others] = rest;
    const name = typeof text === 'string' && Array.isArray(values) ? nameFor(text) : undefined;
    return name === undefined
      ? query(text, ...rest)
      : query({ name, text: text as string, values: values as unknown[] }, ...others);
  };
  client.query = keeping as typeof client.query;
}
