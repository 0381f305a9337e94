import { createHash } from 'node:crypto';
import { type CompiledQuery, type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { type KnownColumns, PreparedBatch, type PreparedStatement } from './database/pipeline.ts';

const mark = '/* kept plan */';
const startsWithMark = /^(?:select )?\/\* kept plan \*\//;

/**
 * Prepares a frequent statement that is slower to plan than to run (ADR 116). Constant text only, and not for
 * pages: a generic plan with a limit parameter reads far too much.
 */
export const keptPlan: RawBuilder<unknown> = sql.raw(mark);

const sharedMark = `${mark} /* shared */`;

/** `keptPlan` for a read of few rows by index, which may share its round trip with others (ADR 116). */
export const keptRead: RawBuilder<unknown> = sql.raw(sharedMark);

/**
 * `= any (…)` of a list in a cached plan. PostgreSQL sees the length of an array parameter and plans again for
 * each call; it assumes ten elements for a subquery's array, so it looks up the rows by index (ADR 116).
 */
export const anyOf = (values: readonly string[], type: 'uuid' | 'text' = 'uuid'): RawBuilder<unknown> =>
  sql`any(array(select value::${sql.raw(type)} from jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)))`;

/**
 * Constants as a list in the text, for `in (…)`. The planner matches a partial index to literals, but not to the
 * parameters of a cached plan.
 */
export const literals = (values: readonly string[]): RawBuilder<unknown> =>
  sql.join(values.map((value) => sql.lit(value)));

/** More than the marked texts; one that varies must not fill every connection's memory. */
const maxNames = 200;
/** More than the demo town uses. */
const maxNamesOfAll = 1_000;

type Query = (query: unknown, ...rest: unknown[]) => unknown;
/** The statement's name; empty to batch it unprepared, undefined to send it alone. */
type NameFor = (text: string) => string | undefined;

/** Prepares statements that begin with `keptPlan`, and batches those awaited together. */
export const prepareStatements = (client: pg.PoolClient): void =>
  sendTogether(client, (text) =>
    startsWithMark.test(text) ? statementName(markedNames, maxNames, text) : undefined,
  );

/** Prepares every statement with parameters, for short-lived own connections. */
export const prepareAllStatements = (client: pg.PoolClient): void =>
  sendTogether(client, (text) => statementName(allNames, maxNamesOfAll, text));

/** Batches without preparing, for a pooler that would lose prepared statements. */
export const skipPreparing = (client: pg.PoolClient): void =>
  sendTogether(client, (text) => (startsWithMark.test(text) ? '' : undefined));

const keptBegin = `${mark} begin`;
const keptCommit = `${mark} commit`;
const markedNames = new Map<string, string>();
const allNames = new Map<string, string>();

function statementName(names: Map<string, string>, maxSize: number, text: string): string | undefined {
  const existing = names.get(text);
  if (existing !== undefined || names.size >= maxSize) return existing;
  const name = `kept_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

const ignore = () => {};
const endings = new Set(['commit', 'rollback']);

/** Sends a tick's named statements in one round trip, with a begin or commit (ADR 116). */
function sendTogether(client: pg.PoolClient, nameFor: NameFor): void {
  const query = client.query.bind(client) as Query;
  const columns: KnownColumns = new Map();
  const beginning = { name: nameFor(keptBegin) ?? '', text: 'begin', values: [] };
  const ending = { name: nameFor(keptCommit) ?? '', text: 'commit', values: [] };
  let waiting: PreparedStatement[] = [];
  let begun = false;

  function send(): void {
    if (waiting.length === 0) return;
    const batch = new PreparedBatch(waiting, columns);
    waiting = [];
    query(batch);
  }

  const add = (statement: Pick<PreparedStatement, 'name' | 'text' | 'values'>) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(send);
      // A failed begin is reported by the first statement.
      if (begun) waiting.push({ ...beginning, resolve: ignore, reject: ignore });
      begun = false;
      waiting.push({ ...statement, resolve, reject });
    });

  const sending: Query = (text, ...rest) => {
    const [values, ...further] = rest;
    const awaited = rest.every((argument) => typeof argument !== 'function');
    if (awaited && text === beginning.text) {
      begun = true;
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
    }
    if (awaited && begun && endings.has(String(text))) {
      // Nothing was sent, so there is no transaction to end.
      begun = false;
      return Promise.resolve({ command: String(text).toUpperCase(), rowCount: null, rows: [] });
    }
    if (awaited && waiting.length > 0 && text === ending.text) return add(ending);
    const name = typeof text === 'string' && Array.isArray(values) ? nameFor(text) : undefined;
    if (awaited && name !== undefined)
      return add({ name, text: text as string, values: values as unknown[] });
    send();
    const run = () => (name ? query({ name, text, values }, ...further) : query(text, ...rest));
    if (!begun) return run();
    begun = false;
    return (query(beginning.text) as Promise<unknown>).then(run);
  };
  client.query = sending as typeof client.query;
}

type SharedRead = {
  query: CompiledQuery<unknown>;
  resolve(result: QueryResult<never>): void;
  reject(error: unknown): void;
};

/** Few, since they run one after the other, while the database may have idle processors. */
const readsTogether = 4;

/** Sends a turn's `keptRead` statements outside transactions in one round trip on one connection (ADR 116). */
export function shareRoundTrips(db: Pick<Kysely<unknown>, 'getExecutor'>): void {
  const executor = db.getExecutor();
  const execute = executor.executeQuery.bind(executor) as typeof executor.executeQuery;
  let waiting: SharedRead[] = [];

  const sendShared = (reads: readonly SharedRead[]) =>
    executor.provideConnection(async (connection) => {
      let failure: { reason: unknown } | undefined;
      const outcomes = await Promise.allSettled(reads.map(({ query }) => connection.executeQuery(query)));
      for (const [at, outcome] of outcomes.entries()) {
        const read = reads[at] as SharedRead;
        if (outcome.status === 'fulfilled') read.resolve(outcome.value as QueryResult<never>);
        else if (failure?.reason !== outcome.reason) {
          failure = outcome;
          read.reject(outcome.reason);
        }
        // Skipped, because another statement failed before it.
        else execute(read.query).then((result) => read.resolve(result as QueryResult<never>), read.reject);
      }
    });

  function send(): void {
    const reads = waiting;
    waiting = [];
    for (let at = 0; at < reads.length; at += readsTogether) {
      const shared = reads.slice(at, at + readsTogether);
      sendShared(shared).catch((error) => {
        for (const { reject } of shared) reject(error);
      });
    }
  }

  executor.executeQuery = (query, options) =>
    options || !query.sql.startsWith(sharedMark)
      ? execute(query, options)
      : new Promise((resolve, reject) => {
          if (waiting.length === 0) setImmediate(send);
          waiting.push({ query, resolve, reject });
        });
}
