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

export const createLog = (config: Pick<Config, 'LOG_LEVEL'>) => pino(logOptions(config));

export type Log = ReturnType<typeof createLog>;
