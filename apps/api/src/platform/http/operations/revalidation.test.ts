import { expect, it } from 'vitest';
import { useTestApp } from '../../../../test/harness.ts';
import { makeJob } from '../../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../../people/businesses/businesses.fixtures.ts';

const app = useTestApp();
const search = '/api/jobs/nearby?lat=52.37&lng=4.89';
const get = (url: string, token?: string, etag?: unknown) =>
  app.raw({
    url,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(etag === undefined ? {} : { 'if-none-match': String(etag) }),
    },
  });

async function openJob() {
  const owner = await app.person();
  const scope = app.scopeOf(owner);
  const business = await makeBusiness(app.db, scope, { lat: 52.37, lng: 4.89 });
  return makeJob(app.db, scope, business.id);
}

it('sends a search again only when it has changed', async () => {
  await openJob();
  const first = await get(search);
  expect(first.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    vary: expect.stringContaining('authorization'),
  });
  const again = await get(search, undefined, first.headers.etag);
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', first.headers.etag]);
  expect(again.headers['content-type']).toBeUndefined();
  await openJob();
  const changed = await get(search, undefined, first.headers.etag);
  expect([changed.statusCode, changed.json().items.length]).toEqual([200, 2]);
});

it("stops caches from storing a job with its viewer's state", async () => {
  const { id } = await openJob();
  const worker = await app.person({ name: 'Leila' });
  const url = `/api/jobs/${id}`;
  const before = await get(url, worker.token);
  expect(before.headers['cache-control']).toBe('private, no-store');
  expect((await get(url)).headers['cache-control']).toBe('private, no-cache');
  await worker.api.applications.submit({ jobId: id, coverNote: '', answers: [], cvFileId: null });
  const after = await get(url, worker.token, before.headers.etag);
  expect([after.statusCode, after.json().myApplication.status]).toEqual([200, 'submitted']);
  expect((await get(url, worker.token, after.headers.etag)).statusCode).toBe(304);
});

it('adds no ETag to failures and other operations', async () => {
  const missing = await get('/api/jobs/0193aaaa-0000-7000-8000-000000000001');
  expect([missing.statusCode, missing.headers.etag]).toEqual([404, undefined]);
  expect((await get('/api/settings')).headers.etag).toBeUndefined();
});

it('returns the duration of a call, outside production', async () => {
  expect((await get(search)).headers['server-timing']).toMatch(/^app;dur=\d+\.\d$/);
});
