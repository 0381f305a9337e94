import { createHash } from 'node:crypto';
import { type ChannelCount, jobShares } from '@nearhand/contract/hiring/job-shares';
import {
  type PosterSize,
  posterSizes,
  type ShareChannel,
  shareChannels,
} from '@nearhand/contract/hiring/job-shares.rules';
import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { publicJobPath, shortIdIn, shortIdOf, slugOf } from '@nearhand/contract/hiring/public-pages.rules';
import { limits } from '@nearhand/contract/limits';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import { read, write } from '../../platform/http/bind.ts';
import { limitNetworks, networkLimit } from '../../platform/http/overload/caller-limits.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { createWorkProcess } from '../../platform/process/work-process.ts';
import { makeTicket, readTicket } from '../../platform/sign.ts';
import { requireJobRecruiter, viewJob } from '../jobs/job-views.ts';
import { type SharedJob, sharedJob, sharedJobsOf } from '../public-pages/shared-jobs.ts';
import type printInProcess from './poster.worker.ts';

/** Returns the views and applications of a job per channel. For recruiters. */
async function sharingOverview(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{
  jobId: string;
  title: string;
  status: JobStatus;
  business: { id: string; name: string; verified: boolean };
  channels: ChannelCount[];
}> {
  const { accountId } = scope.actor;
  await requireJobRecruiter(db, accountId, jobId);
  const job = await viewJob(db, accountId, jobId);
  const counts = await countChannels(db, jobId);
  const { id, name, verified } = job.business;
  return {
    jobId,
    title: job.title,
    status: job.status,
    business: { id, name, verified },
    channels: shareChannels.map(
      (channel) =>
        counts.find((count) => count.channel === channel) ?? { channel, views: 0, applications: 0 },
    ),
  };
}

const purpose = 'job poster';
const ticket = z.object({ jobId: z.uuid(), size: z.enum(posterSizes) });

/** Returns a link to an open job's poster. */
async function posterLink(
  tx: Tx,
  scope: Scope,
  { jobId, size }: { jobId: string; size: PosterSize },
): Promise<{ path: string; expiresAt: string; fileName: string }> {
  const { accountId } = scope.actor;
  await requireJobRecruiter(tx, accountId, jobId);
  const job = await viewJob(tx, accountId, jobId);
  if (job.status !== 'open') throw new AppError('job/not-open');
  const ticket = makeTicket(scope, purpose, { jobId, size }, limits.fileLinkMinutes);
  return {
    path: `/job-poster?ticket=${ticket.ticket}`,
    expiresAt: ticket.expiresAt,
    fileName: posterName(job.title, size),
  };
}

const posterName = (title: string, size: PosterSize): string =>
  `${['nearhand', slugOf(title).replace(/[^a-z0-9-]/g, '') || 'job', size].join('-')}.pdf`;

const print = createWorkProcess<typeof printInProcess>(new URL('./poster.worker.ts', import.meta.url), {
  waiting: 32,
  patienceMs: 60_000,
  heapMb: 256,
});

/**
 * Opens a poster for anyone with the link.
 * @throws file/link-expired, job/not-open, request/unavailable
 */
async function openPoster(
  db: ReadDb,
  scope: Scope<Actor | null>,
  ticketText: unknown,
): Promise<{ name: string; body: Buffer }> {
  const opened = readTicket(scope, purpose, ticketText, ticket);
  if (opened === null) throw new AppError('file/link-expired');
  const { jobId, size } = opened;
  const job = await sharedJob(db, { ...scope, actor: null }, shortIdOf(jobId));
  if (!job) throw new AppError('job/not-open');
  const url = new URL(publicJobPath(job, 'poster'), scope.config.PUBLIC_URL).href;
  const body = Buffer.from(await print([job, { size, url, at: scope.clock.now() }]));
  return { name: posterName(job.title, size), body };
}

async function embeddedCard(
  db: ReadDb,
  scope: Scope<null>,
  shortId: string,
): Promise<{ isOpen: boolean; text: string }> {
  const { PUBLIC_URL } = scope.config;
  const job = await sharedJob(db, scope, shortId);
  return job
    ? { isOpen: true, text: embedCard(job, PUBLIC_URL) }
    : { isOpen: false, text: embedGone(PUBLIC_URL) };
}

async function embeddedList(db: ReadDb, scope: Scope<null>, shortId: string): Promise<string | null> {
  const sharedJobs = await sharedJobsOf(db, scope, shortId);
  return sharedJobs && embedList(sharedJobs, scope.config.PUBLIC_URL);
}

export type ViewCount = { shortId: string; day: string; channel: ShareChannel; views: number };

/** Adds views in a fixed order, to avoid deadlocks. Views of a deleted job are dropped. */
export async function addViews(db: Db, counts: readonly ViewCount[]): Promise<void> {
  await sql`
    insert into job_views (job_id, day, channel, views)
    select job.id, seen.day, seen.channel, seen.views
    from unnest(${counts.map((count) => count.shortId)}::text[], ${counts.map((count) => count.day)}::date[],
      ${counts.map((count) => count.channel)}::text[], ${counts.map((count) => count.views)}::int[]) as seen (short_id, day, channel, views)
    join jobs job on job.short_id = seen.short_id
    order by job.id, seen.day, seen.channel
    on conflict (job_id, day, channel) do update set views = job_views.views + excluded.views`.execute(db);
}

async function countChannels(
  db: Db,
  jobId: string,
): Promise<{ channel: ShareChannel; views: number; applications: number }[]> {
  const { rows } = await sql<{ channel: ShareChannel; views: number; applications: number }>`
    select channel, sum(views)::int as views, sum(applications)::int as applications from (
      select channel, sum(views) as views, 0 as applications from job_views where job_id = ${jobId} group by channel
      union all
      select coalesce(channel, 'directory'), 0, count(*) from applications where job_id = ${jobId} group by 1
    ) part group by channel`.execute(db);
  return rows;
}

const css = `:host{all:initial;display:block;color-scheme:light dark;font:16px/1.4 system-ui,'Segoe UI',Roboto,sans-serif;--bg:#FFFDF8;--text:#12352A;--two:#4A6056;--line:#E3DBCA}
@media (prefers-color-scheme:dark){:host{--bg:#17201B;--text:#EDF3EC;--two:#A9B8AE;--line:#2A362F}}
section{color:var(--text)}h2{font-size:20px;margin:0 0 12px}ul{list-style:none;margin:0;padding:0;display:grid;gap:10px}
a{display:grid;gap:2px;background:var(--bg);border:1px solid var(--line);border-radius:16px;padding:14px 16px;color:inherit;text-decoration:none}
a:hover b{text-decoration:underline}a:focus-visible{outline:3px solid var(--text);outline-offset:2px}
b{font-size:17px}span,p{color:var(--two);font-size:14px;overflow-wrap:anywhere}p{margin:12px 0 0}`;

/** JSON as an expression in a script: no text can end the element or break a line. */
const asScript = (data: unknown): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Lists a business's open jobs in another page, in a shadow root so that neither page styles the other. */
function embedList(list: { businessName: string; jobs: readonly SharedJob[] }, publicUrl: string): string {
  const data = {
    title: `Jobs at ${list.businessName}`,
    none: 'No open jobs right now.',
    by: 'Jobs by Nearhand',
    css,
    jobs: list.jobs.map((job) => ({
      title: job.title,
      pay: [job.figure, ...job.notes].join(', '),
      facts: [job.when, job.place].filter((part) => part !== null).join(' · '),
      url: new URL(publicJobPath(job, 'embed'), publicUrl).href,
    })),
  };
  return `(function(d){'use strict';
var here=document.currentScript;if(!here)return;
var box=document.createElement('div'),root=box.attachShadow({mode:'open'}),sheet=new CSSStyleSheet();
sheet.replaceSync(d.css);root.adoptedStyleSheets=[sheet];
function add(to,tag,text){var made=document.createElement(tag);if(text)made.textContent=text;to.appendChild(made);return made}
var all=add(root,'section');add(all,'h2',d.title);
if(d.jobs.length===0)add(all,'p',d.none);
else{var list=add(all,'ul');d.jobs.forEach(function(job){var link=add(add(list,'li'),'a');link.href=job.url;link.target='_blank';link.rel='noopener';add(link,'b',job.title);add(link,'span',job.pay);add(link,'span',job.facts)})}
add(all,'p',d.by);here.parentNode.insertBefore(box,here.nextSibling);
})(${asScript(data)});
`;
}

/** `GET /job-poster`, outside the contract because it is not JSON and needs no session. */
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

const forOthers = (reply: FastifyReply): FastifyReply => {
  reply.raw.removeHeader('x-frame-options');
  return reply.headers({ 'cache-control': caching, 'cross-origin-resource-policy': 'cross-origin' });
};

/** Routes that other sites embed: `/embed/j/{short id}`, a card, and `/embed/b/{short id}.js`, a list of jobs. */
export async function registerEmbeds(
  site: FastifyInstance,
  { db, scope }: { db: ReadDb; scope: Scope<null> },
): Promise<void> {
  limitNetworks(site, networkLimit(scope.config.PUBLIC_PAGES_PER_MINUTE));

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

// Colours copied from the design tokens: the embed runs in another site's iframe without our stylesheet.
const style = `:root{color-scheme:light dark;--bg:#FFFDF8;--text:#12352A;--two:#4A6056;--line:#E3DBCA;--go:#BC430C;--on:#FFF}
@media (prefers-color-scheme:dark){:root{--bg:#17201B;--text:#EDF3EC;--two:#A9B8AE;--line:#2A362F;--go:#FF9A5C;--on:#27100A}}
*{box-sizing:border-box;margin:0}body{font:16px/1.4 system-ui,'Segoe UI',Roboto,sans-serif;color:var(--text)}
main{background:var(--bg);border:1px solid var(--line);border-radius:20px;padding:20px;display:grid;gap:8px}
.pay{font-size:28px;font-weight:700;letter-spacing:-.02em}.pay span{font-size:14px;font-weight:400;color:var(--two);letter-spacing:0;margin-inline-start:8px}
h1{font-size:19px}p{overflow-wrap:anywhere}.two{color:var(--two);font-size:15px}
a.go{justify-self:start;margin-top:6px;background:var(--go);color:var(--on);border-radius:999px;padding:12px 20px;font-weight:600;text-decoration:none}
a.go:focus-visible{outline:3px solid var(--text);outline-offset:2px}.by{font-size:13px;color:var(--two)}`;

/** Any site may show the card, because nothing in it runs. */
const embedPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ');

const sharePage = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><style>${style}</style></head><body><main>${body}</main></body></html>
`;

const button = (href: string, label: string): string =>
  `<a class="go" href="${escapeHtml(href)}" target="_blank" rel="noopener">${label}</a><p class="by">Jobs by Nearhand</p>`;

function embedCard(job: SharedJob, publicUrl: string): string {
  const url = new URL(publicJobPath(job, 'embed'), publicUrl).href;
  const notes = job.notes.join(', ');
  const facts = [job.when, job.place].filter((part) => part !== null).join(' · ');
  return sharePage(
    `${job.title}, ${job.businessName}`,
    `<p class="pay">${escapeHtml(job.figure)}<span>${escapeHtml(notes)}</span></p><h1 dir="auto">${escapeHtml(job.title)}</h1><p class="two" dir="auto">${escapeHtml(job.businessName)}</p><p class="two" dir="auto">${escapeHtml(facts)}</p>${button(url, 'See the job')}`,
  );
}

const embedGone = (publicUrl: string): string =>
  sharePage(
    'Job closed',
    `<h1>This job is no longer open</h1><p class="two">Other jobs nearby may suit you.</p>${button(new URL('/jobs', publicUrl).href, 'Browse open jobs')}`,
  );

export const jobSharesRoutes = {
  overview: read(jobShares.overview, sharingOverview),
  // A link expires after five minutes, so its response is not stored for replay.
  poster: write(jobShares.poster, posterLink, { stored: false }),
};
