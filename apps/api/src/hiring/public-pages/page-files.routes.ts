import { minuteMs } from '@nearhand/contract/durations';
import { shortIdPattern } from '@nearhand/contract/hiring/public-pages.rules';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { ReadDb } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createGate } from '../../platform/process/concurrency-limit.ts';
import { pageFonts } from './fonts/page-fonts.ts';
import { picturePath } from './job-page.ts';
import { type OpenJob, publicJob } from './public-pages.ts';

const picturesMax = 200;
/** Drawing takes about 100 ms of CPU, so pictures are drawn one at a time. */
const picturesWaiting = 20;

/** The drawing code is loaded with the first picture (ADR 254). */
async function drawPicture(job: OpenJob): Promise<Buffer> {
  const { jobPicture } = await import('./job-picture.ts');
  return jobPicture(job);
}

export function registerPageFiles(
  site: FastifyInstance,
  { db, scope }: { db: ReadDb; scope: Scope<null> },
): void {
  for (const { path, bytes } of Object.values(pageFonts))
    site.get(path, (_request, reply) =>
      reply
        .headers({ 'content-type': 'font/woff2', 'cache-control': 'public, max-age=31536000, immutable' })
        .send(bytes),
    );

  const gate = createGate(1, picturesWaiting);
  const cached = new Map<string, Promise<Buffer>>();
  const limit = {
    rateLimit: { max: Math.ceil(scope.config.PUBLIC_PAGES_PER_MINUTE / 10), timeWindow: minuteMs },
  };
  site.get<{ Params: { file: string } }>('/pictures/:file', { config: limit }, async (request, reply) => {
    const [, shortId = '', version] = /^job-(.{10})-(\d{1,9})\.png$/.exec(request.params.file) ?? [];
    const page = shortIdPattern.test(shortId) ? await publicJob(db, scope, shortId) : null;
    if (page?.kind !== 'open') throw new AppError('request/unknown-operation');
    if (String(page.job.version) !== version) return reply.redirect(picturePath(page.job), 302);
    const etag = `"${shortId}-${version}"`;
    const described = { 'content-type': 'image/png', 'cache-control': 'public, max-age=86400', etag };
    if (request.headers['if-none-match'] === etag) return reply.headers(described).code(304).send();
    const picture = cached.get(etag) ?? gate(() => drawPicture(page));
    cached.delete(etag);
    cached.set(etag, picture);
    picture.catch(() => cached.delete(etag));
    if (cached.size > picturesMax) cached.delete(cached.keys().next().value ?? '');
    const bytes = await picture;
    return reply.headers({ ...described, 'cross-origin-resource-policy': 'cross-origin' }).send(bytes);
  });
}
