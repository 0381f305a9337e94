import { createHash } from 'node:crypto';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { escapeHtml } from '../../platform/mail/mail-layout.ts';
import type { SharedJob } from '../public-pages/shared-jobs.service.ts';

// Tokens by value: the page is alone in another site's frame.
const style = `:root{color-scheme:light dark;--bg:#FFFDF8;--text:#12352A;--two:#4A6056;--line:#E3DBCA;--go:#BC430C;--on:#FFF}
@media (prefers-color-scheme:dark){:root{--bg:#17201B;--text:#EDF3EC;--two:#A9B8AE;--line:#2A362F;--go:#FF9A5C;--on:#27100A}}
*{box-sizing:border-box;margin:0}body{font:16px/1.4 system-ui,'Segoe UI',Roboto,sans-serif;color:var(--text)}
main{background:var(--bg);border:1px solid var(--line);border-radius:20px;padding:20px;display:grid;gap:8px}
.pay{font-size:28px;font-weight:700;letter-spacing:-.02em}.pay span{font-size:14px;font-weight:400;color:var(--two);letter-spacing:0;margin-inline-start:8px}
h1{font-size:19px}p{overflow-wrap:anywhere}.two{color:var(--two);font-size:15px}
a.go{justify-self:start;margin-top:6px;background:var(--go);color:var(--on);border-radius:999px;padding:12px 20px;font-weight:600;text-decoration:none}
a.go:focus-visible{outline:3px solid var(--text);outline-offset:2px}.by{font-size:13px;color:var(--two)}`;

/** Any site may show the card; nothing in it runs. */
export const embedPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ');

const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><style>${style}</style></head><body><main>${body}</main></body></html>
`;

const button = (href: string, label: string): string =>
  `<a class="go" href="${escapeHtml(href)}" target="_blank" rel="noopener">${label}</a><p class="by">Jobs by Nearhand</p>`;

/** An open job as a card for another site's frame. What people wrote is escaped. */
export function embedCard(job: SharedJob, publicUrl: string): string {
  const url = new URL(publicJobPath(job, 'embed'), publicUrl).href;
  const notes = job.notes.join(', ');
  const facts = [job.when, job.place].filter((part) => part !== null).join(' · ');
  return pageOf(
    `${job.title}, ${job.businessName}`,
    `<p class="pay">${escapeHtml(job.figure)}<span>${escapeHtml(notes)}</span></p><h1 dir="auto">${escapeHtml(job.title)}</h1><p class="two" dir="auto">${escapeHtml(job.businessName)}</p><p class="two" dir="auto">${escapeHtml(facts)}</p>${button(url, 'See the job')}`,
  );
}

/** In place of a job that isn't open. */
export const embedGone = (publicUrl: string): string =>
  pageOf(
    'Job closed',
    `<h1>This job is no longer open</h1><p class="two">Other jobs nearby may suit you.</p>${button(new URL('/jobs', publicUrl).href, 'Browse open jobs')}`,
  );
