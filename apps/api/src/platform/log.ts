import { type LoggerOptions, pino } from 'pino';
import type { Config } from './config/config.ts';

export const logOptions = (config: Pick<Config, 'LOG_LEVEL'>): LoggerOptions => ({
  level: config.LOG_LEVEL,
  base: null,
  redact: {
    paths: [
      'req.headers.authorization',
      'req.headers.cookie',
      'res.headers["set-cookie"]',
      'password',
      '*.password',
      'token',
      '*.token',
      'secret',
      '*.secret',
      'email',
      '*.email',
      // PostgreSQL's error fields contain row and parameter values, such as names and addresses.
      ...['detail', 'where', 'internalQuery'].flatMap((name) => [`err.${name}`, `err.cause.${name}`]),
    ],
    censor: '[cut]',
  },
});

/** Lines wait this long for others: writing each on its own costs a call as much as its answer. */
const collectMs = 10;
const collectBytes = 8 * 1024;
const warning = pino.levels.values.warn ?? 0;

/** Standard output, with warnings written at once and the rest together. Only a killed process loses lines. */
function collectLines() {
  const output = pino.destination({ sync: true, minLength: collectBytes });
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    output.flush();
  };
  process.once('exit', flush);
  return {
    // pino sets the level of each line before it writes it.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      output.write(line);
      if (this.lastLevel >= warning) flush();
      else timer ??= setTimeout(flush, collectMs).unref();
    },
  };
}

export const createLog = (config: Pick<Config, 'LOG_LEVEL'>) => pino(logOptions(config), collectLines());

export type Log = ReturnType<typeof createLog>;
