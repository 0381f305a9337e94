import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { Bus } from './realtime-bus.ts';
import { createPostgresBus } from './realtime-postgres.ts';

/** Redis if configured, otherwise the database. The setting must be the same in all processes. */
export async function openBus(
  config: Pick<Config, 'REDIS_URL'>,
  databaseUrl: string,
  log: Log,
): Promise<Bus> {
  if (config.REDIS_URL === undefined) return createPostgresBus(databaseUrl, log);
  // Its client takes 15 MB that most servers don't need (ADR 254).
  const { createRedisBus } = await import('./redis-signals.ts');
  return createRedisBus(config.REDIS_URL, log);
}
