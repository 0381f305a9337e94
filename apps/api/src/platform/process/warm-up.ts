import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';

/** Each connection then has run each statement ten times, and PostgreSQL keeps its plan after five. */
const rounds = 2;
/** A start is not delayed by more; the paths that were not reached then warm up under real calls. */
const withinMs = 1_500;
/** Addresses for documentation (RFC 5737): nobody's calls are counted with these. */
const addresses = ['192.0.2.', '198.51.100.', '203.0.113.'];
const perNetwork = 250;

/** Registers the state that `warmUp` sets: what it calls is neither logged nor counted. */
export function registerWarmUp(app: FastifyInstance): void {
  app.decorate('warming', { on: false });
}

/**
 * Calls the most frequent reads of this process, as a guest and before its port is open, so that the first callers find code compiled,
 * connections open and plans prepared on each (ADR 254). A call that fails is left to its first caller.
 * @param atOnce how many at a time: one for each connection of the pool
 */
export async function warmUp(
  app: FastifyInstance,
  findUrls: () => Promise<readonly string[]>,
  atOnce: number,
  log: Log,
): Promise<void> {
  const begun = performance.now();
  log.debug('warming up');
  app.warming.on = true;
  let calls = 0;
  let over = false;
  const lane = async (urls: readonly string[]) => {
    for (let round = 0; round < rounds && !over; round += 1)
      for (const url of urls) {
        if (over) return;
        const place = Math.floor(calls / perNetwork) % addresses.length;
        calls += 1;
        await app.inject({ url, remoteAddress: `${addresses[place]}${(calls % perNetwork) + 1}` });
      }
  };
  const work = findUrls().then((urls) => Promise.all(Array.from({ length: atOnce }, () => lane(urls))));
  await Promise.race([work, setTimeout(withinMs, null, { ref: false })]).catch((error: unknown) =>
    log.warn({ err: error }, 'the server starts without having warmed up'),
  );
  over = true;
  await work.catch(() => {});
  app.warming.on = false;
  log.debug({ calls, ms: Math.round(performance.now() - begun) }, 'warmed up');
}

declare module 'fastify' {
  interface FastifyInstance {
    warming: { on: boolean };
  }
}
