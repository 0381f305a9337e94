import type { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';

/** Runs each statement ten times per connection; PostgreSQL keeps a plan after five. */
const rounds = 2;
/** Limits the start's delay; other paths warm up under real calls. */
const withinMs = 1_500;
/** Documentation addresses (RFC 5737), so that the limits of real networks are not used up. */
const addresses = ['192.0.2.', '198.51.100.', '203.0.113.'];
const perNetwork = 250;

/** Excludes warm-up calls from logs and metrics. */
export function registerWarmUp(app: FastifyInstance): void {
  app.decorate('warming', { on: false });
}

/** Calls frequent reads before the port opens, to compile code and prepare plans (ADR 254). */
export async function warmUp(
  app: FastifyInstance,
  findUrls: () => Promise<readonly string[]>,
  atOnce: number,
  log: Log,
): Promise<void> {
  const startedAt = performance.now();
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
  log.debug({ calls, ms: Math.round(performance.now() - startedAt) }, 'warmed up');
}

/** V8's own collection, which programs can't call unless asked for. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

const restMs = 5_000;
/** Probes come to a server at rest too. */
const fewRequests = 3;

/**
 * Collects the garbage of the start once, after some seconds with few requests: a quarter of a server's memory, which
 * V8 keeps otherwise, for a pause of a quarter of a second (docs/benchmarks.md, Starting).
 */
export function collectAtRest(server: EventEmitter, collect = collectGarbage, ms = restMs): void {
  let requests = 0;
  const count = () => {
    requests += 1;
  };
  const timer = setInterval(() => {
    if (requests <= fewRequests) {
      clearInterval(timer);
      server.off('request', count);
      collect();
    }
    requests = 0;
  }, ms).unref();
  server.on('request', count).once('close', () => clearInterval(timer));
}

declare module 'fastify' {
  interface FastifyInstance {
    warming: { on: boolean };
  }
}
