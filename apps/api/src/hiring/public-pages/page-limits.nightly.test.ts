import { expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createGate } from '../../platform/process/concurrency-limit.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { picturePath } from './job-page.ts';
import { createPageCache, pageKeptMs } from './public-pages.routes.ts';

const app = useTestApp({ PUBLIC_PAGES_PER_MINUTE: '3' });
const statusOf = async (url: string, remoteAddress: string) =>
  (await app.raw({ method: 'GET', url, remoteAddress })).statusCode;

it('limits pages and pictures per network address, each separately', async () => {
  const first = '203.0.113.1';
  const secondAddress = '203.0.113.2';
  const pages = [];
  for (const url of ['/jobs', '/j/none', '/robots.txt', '/sitemap.xml'])
    pages.push(await statusOf(url, first));
  expect(pages).toEqual([200, 404, 200, 429]);
  expect(await statusOf('/jobs', secondAddress)).toBe(200);
  const picture = '/pictures/job-0123456789-1.png';
  expect([await statusOf(picture, secondAddress), await statusOf(picture, secondAddress)]).toEqual([
    404, 429,
  ]);
  const refused = await app.raw({ method: 'GET', url: '/jobs', remoteAddress: first });
  expect(refused.json().code).toBe('request/too-many');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

it('renders a page once for concurrent requests, again when it is old, and caches the most recent ones', async () => {
  const cache = createPageCache(app.clock, 2);
  let pagesMade = 0;
  const page =
    (status = 200) =>
    async () => {
      pagesMade += 1;
      return { status, path: null, text: 'text' };
    };
  await Promise.all(Array.from({ length: 50 }, () => cache.get('a', page())));
  expect(pagesMade).toBe(1);
  app.clock.forward({ seconds: pageKeptMs / 1_000 });
  await cache.get('a', page());
  expect(pagesMade).toBe(2);
  for (const key of ['b', 'a', 'c', 'a']) await cache.get(key, page());
  expect(pagesMade).toBe(4);
  await cache.get('b', page());
  expect(pagesMade).toBe(5);
  for (let tries = 0; tries < 2; tries += 1) await cache.get('unknown', page(404));
  expect(pagesMade).toBe(7);
});

it('never caches a failure and renders the page on the next request', async () => {
  const cache = createPageCache(app.clock, 2);
  await expect(cache.get('x', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  const page = await cache.get('x', async () => ({ status: 200, path: null, text: 'text' }));
  expect(page.status).toBe(200);
});

it('runs two at a time, queues a few and rejects the rest', async () => {
  const gate = createGate(2, 1);
  const finish: (() => void)[] = [];
  const work = () => gate(() => new Promise<string>((resolve) => finish.push(() => resolve('done'))));
  const firstPage = work();
  const secondPage = work();
  const thirdPage = work();
  const fourthPage = work();
  await expect(fourthPage).rejects.toMatchObject({ code: 'request/unavailable' });
  expect(finish).toHaveLength(2);
  finish[0]?.();
  expect(await firstPage).toBe('done');
  await expect.poll(() => finish.length).toBe(3);
  finish[1]?.();
  finish[2]?.();
  expect(await Promise.all([secondPage, thirdPage])).toEqual(['done', 'done']);
});

it('pauses after each piece of work, even a failed one', async () => {
  vi.useFakeTimers();
  try {
    const gate = createGate(1, 2, 5);
    const ran: string[] = [];
    const run = (name: string) =>
      gate(async () => {
        ran.push(name);
        if (name === 'one') throw new Error('no database');
      });
    await expect(run('one')).rejects.toThrow('no database');
    const later = run('two');
    await vi.advanceTimersByTimeAsync(4);
    expect(ran).toEqual(['one']);
    await vi.advanceTimersByTimeAsync(1);
    await later;
    expect(ran).toEqual(['one', 'two']);
  } finally {
    vi.useRealTimers();
  }
});

it('shares a page with concurrent requests, but never for a made-up address', async () => {
  const [odd, plain] = await Promise.all([
    statusOf('/jobs?after=undefined', '203.0.113.10'),
    statusOf('/jobs', '203.0.113.11'),
  ]);
  expect([odd, plain]).toEqual([404, 200]);
});

it('keeps caches from storing a rejection in place of a picture', async () => {
  const owner = await app.person();
  const scope = app.scopeOf(owner);
  const { id } = await makeBusiness(app.db, scope, {});
  const jobs = [];
  for (let count = 0; count < 25; count += 1) jobs.push(await makeJob(app.db, scope, id));
  const answers = await Promise.all(
    jobs.map((job, at) => app.raw({ url: picturePath(job), remoteAddress: `198.51.100.${at}` })),
  );
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, json } of refused) {
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
    expect(json().code).toBe('request/unavailable');
  }
});
