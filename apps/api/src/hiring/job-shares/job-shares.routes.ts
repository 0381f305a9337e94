import { jobShares } from '@nearhand/contract/hiring/job-shares';
import { shortIdIn } from '@nearhand/contract/hiring/public-pages.rules';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ReadDb } from '../../platform/db.ts';
import { read, writeUnkept } from '../../platform/http/bind.ts';
import { limitNetworks } from '../../platform/http/caller-network.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { embedPolicy } from './embed-card.ts';
import { embeddedCard, embeddedList, openPoster, posterLink, sharingOverview } from './job-shares.service.ts';

export const jobSharesRoutes = {
  overview: read(jobShares.overview, sharingOverview),
  // A link expires after five minutes, so its response is not stored for replay.
  poster: writeUnkept(jobShares.poster, posterLink),
};

/** `GET /job-poster`: the PDF behind a signed link. Outside the contract because it is not JSON and needs no session. */
export const registerPosters: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Querystring: { ticket?: unknown } }>(
    '/job-poster',
    { onRequest: limitReads },
    async (request, reply) => {
      const { name, body } = await openPoster(db, scopeOf(request), request.query.ticket);
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'private, no-store')
        .header('x-robots-tag', 'noindex')
        .send(body);
    },
  );
};

const caching = 'public, max-age=60';

/** Only these two may be shown and run by other sites. */
const forOthers = (reply: FastifyReply): FastifyReply => {
  reply.raw.removeHeader('x-frame-options');
  return reply.headers({ 'cache-control': caching, 'cross-origin-resource-policy': 'cross-origin' });
};

/** What other sites embed: `/embed/j/{short id}`, a card for a frame, and `/embed/b/{short id}.js`, a list of a business's jobs. */
export async function registerEmbeds(
  site: FastifyInstance,
  { db, scope }: { db: ReadDb; scope: Scope<null> },
): Promise<void> {
  await limitNetworks(site, scope.config.PUBLIC_PAGES_PER_MINUTE);

  site.get<{ Params: { id: string } }>('/embed/j/:id', async (request, reply) => {
    const { isOpen, text } = await embeddedCard(db, scope, shortIdIn(request.params.id) ?? '');
    return forOthers(reply.code(isOpen ? 200 : 410))
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': embedPolicy })
      .send(text);
  });

  site.get<{ Params: { file: string } }>('/embed/b/:file', async (request, reply) => {
    const [, id = ''] = /^([0-9a-z]{10})\.js$/.exec(request.params.file) ?? [];
    const script = await embeddedList(db, scope, id);
    return forOthers(reply.code(script === null ? 404 : 200))
      .type('text/javascript; charset=utf-8')
      .send(script ?? '// Nearhand: there is no verified business at this address.\n');
  });
}
