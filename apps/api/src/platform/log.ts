import { type LoggerOptions, pino } from 'pino';
import type { Config } from './config/config.ts';

/** Log settings, including redacted fields. */
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
      // Row and parameter values in PostgreSQL's error fields, with names and addresses.
      ...['detail', 'where', 'internalQuery'].flatMap((name) => [`err.${name}`, `err.cause.${name}`]),
    ],
    censor: '[cut]',
  },
});

/** JSON lines on standard output; headers and fields that can contain secrets are redacted. */
export const createLog = (config: Pick<Config, 'LOG_LEVEL'>) => pino(logOptions(config));

export type Log = ReturnType<typeof createLog>;
