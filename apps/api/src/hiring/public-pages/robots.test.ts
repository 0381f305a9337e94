import { existsSync } from 'node:fs';
import path from 'node:path';
import { publicBusinessPath, publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { unsubscribeUrl } from '../../talk/notification-settings/unsubscribe.page.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const webFiles = path.resolve('apps/web/public');
const app = useTestApp();
const open = (url: string) => app.raw({ method: 'GET', url, headers: { 'user-agent': 'Googlebot/2.1' } });

/** Applies the longest matching rule of `User-agent: *`; of two equal ones, the allowing rule (RFC 9309). */
async function readRobots(): Promise<(address: string) => boolean> {
  const { body } = await open('/robots.txt');
  const rules = [...body.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, start = '']) => ({
    allows: kind === 'Allow',
    start,
  }));
  return (address) =>
    rules
      .filter(({ start }) => address.startsWith(start))
      .sort((a, b) => b.start.length - a.start.length || Number(b.allows) - Number(a.allows))[0]?.allows ??
    true;
}

/**
 * The addresses that a robot fetches with a page: pictures, styles, icons, other languages, and those in its linked
 * data.
 */
function addressesOf(page: string): string[] {
  const [data = '{}'] = /(?<=<script type="application\/ld\+json">).*?(?=<\/script>)/s.exec(page) ?? [];
  return [
    ...[...page.matchAll(/<(?:img|link|source)\b[^>]*?\b(?:src|href)="([^"]+)"/g)].map(([, url]) => url),
    ...[...page.matchAll(/<meta property="og:(?:image|url)" content="([^"]+)"/g)].map(([, url]) => url),
    ...[...data.matchAll(/"(?:url|image|logo|item|@id)":"([^"]+)"/g)].map(([, url]) => url),
  ].filter((url): url is string => url !== undefined && !url.startsWith('data:'));
}

it('allows every address that pages, feeds and mails name for a robot', async () => {
  const owner = await app.person({ name: 'Wilhelmina Quartermain' });
  const scope = app.scopeOf(owner);
  const grey = sharp({ create: { width: 9, height: 9, channels: 3, background: '#888' } });
  const picture = async (purpose: 'photo' | 'logo') =>
    (
      await makeFile(app.db, scope, {
        purpose,
        name: 'door.png',
        bytes: new Uint8Array(await grey.png().toBuffer()),
      })
    ).id;
  const business = await makeBusiness(app.db, scope, {
    logoFileId: await picture('logo'),
    coverFileId: await picture('photo'),
  });
  const job = await makeJob(app.db, scope, business.id, { photoIds: [await picture('photo')] });
  const pages = [publicJobPath(job), publicBusinessPath(business), '/jobs'];
  const named = new Set<string>(pages);
  for (const page of pages) for (const url of addressesOf((await open(page)).body)) named.add(url);
  named.add((await owner.api.calendar.newFeed()).url);
  named.add(unsubscribeUrl(scope, owner.accountId, 'daily'));

  const mayFetch = await readRobots();
  const { origin } = new URL(app.config.PUBLIC_URL);
  const ours = [...named].map((url) => new URL(url, origin)).filter((url) => url.origin === origin);
  expect(ours.filter(({ pathname }) => pathname.startsWith('/api/files/')).length).toBeGreaterThan(0);
  for (const { pathname, search } of ours) {
    expect(mayFetch(pathname), `${pathname} in robots.txt`).toBe(true);
    // The web build's files are not served by this test's server.
    if (existsSync(path.join(webFiles, pathname))) continue;
    expect((await open(pathname + search)).statusCode, pathname).toBe(200);
  }
});

it('keeps robots out of the app and the rest of the API', async () => {
  const mayFetch = await readRobots();
  for (const address of [
    '/tabs/menu/explore',
    '/login',
    '/api/jobs',
    '/api/auth/token',
    '/sandbox/confirm/1',
  ])
    expect(mayFetch(address), address).toBe(false);
});
