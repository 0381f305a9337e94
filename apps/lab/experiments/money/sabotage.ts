import { openSync } from 'node:fs';
import pg from 'pg';

/**
 * Preloaded into a server (`--import`) for negative controls. `early-answer` reports a commit
 * before it is sent, `no-transactions` runs statements alone, `no-kept-plans` prepares none,
 * `no-locks` locks no withdrawal, `no-answer-limits` waits forever, `leak` keeps 20 kB per
 * statement, `open-files` leaks a file per second, `skewed-clock` adds SKEW_SECONDS.
 */
const mode = process.env.SABOTAGE;
const lateMs = 300;

type Query = (text: unknown, ...rest: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query };
const query = prototype.query;
const done = (command: string) => Promise.resolve({ command, rowCount: 0, rows: [] });

prototype.query = function (this: pg.Client, text: unknown, ...rest: unknown[]) {
  if (mode === 'leak') leaked.push(Buffer.alloc(20_000, 1));
  if (mode === 'no-answer-limits') limitsOf(this).query_timeout = 0;
  if (mode === 'no-locks') return query.call(this, withoutRowLock(text), ...rest);
  const really = () => query.call(this, text, ...rest);
  if (typeof text !== 'string')
    return mode === 'no-kept-plans' && isPrepared(text)
      ? query.call(this, { text: text.text, values: text.values })
      : really();
  if (
    mode === 'no-transactions' &&
    /^(begin|start transaction|commit|rollback|savepoint|release)\b/i.test(text)
  )
    return done(text.slice(0, 6).toUpperCase());
  if (mode === 'early-answer' && text === 'commit') {
    setTimeout(() => Promise.resolve(really()).catch(() => {}), lateMs);
    return done('COMMIT');
  }
  return really();
};

if (mode === 'no-transactions') {
  type Parse = (statement: { name: string; text: string }, ...rest: unknown[]) => void;
  const connection = pg.Connection.prototype as unknown as { parse: Parse };
  const { parse } = connection;
  // Begin is sent with its transaction's first statement (ADR 116). An empty select replaces it.
  connection.parse = function (this: pg.Connection, statement, ...rest) {
    parse.call(this, statement.text === 'begin' ? { ...statement, text: 'select' } : statement, ...rest);
  };
}

/** Turns the locking read of a withdrawal into a plain one, sent alone and by its text. */
const withoutRowLock = (text: unknown): unknown =>
  typeof text === 'string' ? text.replace(/(from withdrawals where id = \$1) for update/, '$1') : text;

const leaked: Buffer[] = [];
const limitsOf = (client: pg.Client) =>
  (client as unknown as { connectionParameters: { query_timeout: number } }).connectionParameters;

if (mode === 'no-answer-limits') {
  const { connect } = pg.Pool.prototype;
  pg.Pool.prototype.connect = function (this: pg.Pool, ...rest: unknown[]) {
    this.options.connectionTimeoutMillis = 0;
    return (connect as (...all: unknown[]) => unknown).apply(this, rest);
  } as typeof connect;
}

if (mode === 'open-files') setInterval(() => openSync('/dev/null', 'r'), 1_000).unref();

if (mode === 'skewed-clock') {
  const Real = Date;
  const skewMs = Number(process.env.SKEW_SECONDS) * 1_000;
  class Skewed extends Real {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [Real.now() + skewMs] : given) as [number]));
    }
    static override now(): number {
      return Real.now() + skewMs;
    }
  }
  globalThis.Date = Skewed as DateConstructor;
}

type Kept = { name: string; text: string; values: unknown[] };

const isPrepared = (query: unknown): query is Kept =>
  typeof query === 'object' && query !== null && String((query as Kept).name).startsWith('kept_');
