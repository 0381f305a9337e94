import {
  isSourceCode,
  publicJobPath,
  shortIdIn,
  sourceParameter,
} from '@nearhand/contract/hiring/public-pages.rules';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { applyPath, gonePage, jobPage, unknownPage } from './job-page.ts';
import { pagePolicy } from './page-layout.ts';
import { publicJob } from './public-pages.service.ts';

export type PublicPagesParts = { db: Db; scope: Scope<null> };

/**
 * Pages that anyone can read without JavaScript: `GET /j/{slug}-{short id}`. Outside the contract and outside `/api`, since people and
 * search engines open them directly. They never read a session: everyone gets the same page.
 */
export async function registerPublicPages(
  site: FastifyInstance,
  { db, scope }: PublicPagesParts,
): Promise<void> {
  const publicUrl = scope.config.PUBLIC_URL;

  // The one place where a job's page is answered, and where its visitor's channel is known.
  site.get<{ Params: { name: string }; Querystring: Record<string, unknown> }>(
    '/j/:name',
    async (request, reply) => {
      const { [sourceParameter]: asked } = request.query;
      const source = isSourceCode(asked) ? asked : null;
      const shortId = shortIdIn(request.params.name);
      const found = shortId === null ? null : await publicJob(db, scope, shortId);
      if (found === null) return sendPage(reply.code(404), unknownPage('Job'));
      if (found.kind === 'gone') return sendPage(reply.code(410), gonePage(found));
      const path = publicJobPath(found.job);
      if (path !== `/j/${encodeURIComponent(request.params.name)}`)
        return reply.header('cache-control', pageCaching).redirect(publicJobPath(found.job, source), 301);
      const apply = applyPath(found.job.id);
      const text = jobPage(found, publicUrl);
      return sendPage(
        reply,
        source === null ? text : text.replaceAll(`"${apply}"`, `"${apply}?${sourceParameter}=${source}"`),
      );
    },
  );
}

// With the time a page is kept in this process, a closed job is gone everywhere within a minute.
const pageCaching = 'public, max-age=30';

const sendPage = (reply: FastifyReply, text: string): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': pageCaching,
      'content-security-policy': pagePolicy,
    })
    .send(text);
