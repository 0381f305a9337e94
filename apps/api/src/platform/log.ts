import { pino } from 'pino';
import type { Config } from './config.ts';

/** JSON lines on standard output; headers and fields that can hold secrets are cut before they are written. */
export const createLog = (config: Pick<Config, 'LOG_LEVEL'>) =>
  pino({
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
      ],
      censor: '[cut]',
    },
  });

export type Log = ReturnType<typeof createLog>;
