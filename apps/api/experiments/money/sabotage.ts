import pg from 'pg';

/**
 * Loaded into a server process before its own code (`--import`), for negative controls: it takes away, in the driver, what makes money safe when the process dies.
 * `early-answer`: a commit is said to be done at once and sent a moment later. `no-transactions`: every statement stands alone.
 */
const mode = process.env.SABOTAGE;
const lateMs = 300;

type Query = (text: unknown, ...rest: unknown[]) => unknown;
const prototype = pg.Client.prototype as unknown as { query: Query };
const query = prototype.query;
const done = (command: string) => Promise.resolve({ command, rowCount: 0, rows: [] });

prototype.query = function (this: pg.Client, text: unknown, ...rest: unknown[]) {
  const really = () => query.call(this, text, ...rest);
  if (typeof text !== 'string') return really();
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
