import pg from 'pg';

/**
 * Loaded into a server process before its own code (`--import`), for negative controls and for benchmarks of one saving.
 * `early-answer`: a commit is reported at once and sent a moment later. `no-transactions`: every statement stands alone.
 * `no-kept-plans`: no statement is prepared.
 */
const mode = process.env.SABOTAGE;
const lateMs = 300;

type Query = (text: unknown, ...rest: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query };
const query = prototype.query;
const done = (command: string) => Promise.resolve({ command, rowCount: 0, rows: [] });

prototype.query = function (this: pg.Client, text: unknown, ...rest: unknown[]) {
  const really = () => query.call(this, text, ...rest);
  if (typeof text !== 'string')
    return mode === 'no-kept-plans' && isKept(text)
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

type Kept = { name: string; text: string; values: unknown[] };

const isKept = (asked: unknown): asked is Kept =>
  typeof asked === 'object' && asked !== null && String((asked as Kept).name).startsWith('kept_');
