import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { Bus } from './realtime-bus.ts';
import { createPostgresBus } from './realtime-postgres.ts';
import { createRedisBus } from './redis-signals.ts';

/** The bus of this installation: Redis if configured, otherwise the database. All its processes must use the same. */
export const openBus = (config: Pick<Config, 'REDIS_URL'>, databaseUrl: string, log: Log): Bus =>
  config.REDIS_URL === undefined
    ? createPostgresBus(databaseUrl, log)
    : createRedisBus(config.REDIS_URL, log);
