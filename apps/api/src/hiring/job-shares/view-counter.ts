import { channelOf, type ShareChannel } from '@nearhand/contract/hiring/job-shares.rules';
import { shortIdIn, sourceParameter } from '@nearhand/contract/hiring/public-pages.rules';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { addViews, type ViewCount } from './job-shares.ts';

/** The time between writes; a crash loses at most the views since the last one. */
const collectMs = 2_000;
const publicJobRoute = '/j/:name';

/**
 * Counts views of public job pages after the response, without their visitor (ADR 153). Call it before adding
 * the routes.
 */
export function countPublicViews(app: FastifyInstance, { db, clock }: { db: Db; clock: Clock }): void {
  let waiting = new Map<string, ViewCount>();
  let timer: NodeJS.Timeout | null = null;

  async function write(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const counts = [...waiting.values()];
    waiting = new Map();
    if (counts.length === 0) return;
    try {
      await addViews(db, counts);
    } catch (error) {
      app.log.error({ err: error }, 'views of job pages were not counted');
    }
  }

  function add(shortId: string, channel: ShareChannel): void {
    const day = clock.now().toISOString().slice(0, 10);
    const key = `${shortId} ${day} ${channel}`;
    const entry = waiting.get(key);
    waiting.set(key, { shortId, day, channel, views: (entry?.views ?? 0) + 1 });
    timer ??= setTimeout(() => void write(), collectMs);
  }

  app.addHook('onResponse', (request: FastifyRequest, reply, done) => {
    done();
    if (request.routeOptions.url !== publicJobRoute || request.method !== 'GET') return;
    // A revalidated page counts as a view, and so does one that opens in the app.
    if (![200, 302, 304].includes(reply.statusCode) || isRobot(request.headers)) return;
    const shortId = shortIdIn((request.params as { name: string }).name);
    const { [sourceParameter]: source } = request.query as Record<string, unknown>;
    if (shortId !== null) add(shortId, channelOf(source));
  });
  app.addHook('onClose', write);
}

const robotNames =
  /bot|crawl|spider|slurp|preview|externalhit|whatsapp|telegram|slack|discord|embedly|monitor|lighthouse|headless|curl|wget|python|java\/|go-http|okhttp|axios|node-fetch|undici|libwww|httpclient/i;

/** Detects robots, tools and prefetches. A robot that pretends to be a browser counts as a view. */
export const isRobot = (headers: Record<string, unknown>): boolean => {
  const agent = headers['user-agent'];
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  return (
    typeof agent !== 'string' ||
    !agent.startsWith('Mozilla/') ||
    robotNames.test(agent) ||
    (typeof purpose === 'string' && purpose.includes('prefetch'))
  );
};
