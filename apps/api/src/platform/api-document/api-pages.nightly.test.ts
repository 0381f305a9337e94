import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { contract } from '@nearhand/contract/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../config/config.ts';
import { registerApiPages } from './api-pages.ts';

const readsPerMinute = 30;
async function serverWith(settings: Record<string, string>): Promise<FastifyInstance> {
  const server = Fastify();
  const config = { ...readConfig({}), READS_PER_MINUTE: readsPerMinute, ...settings };
  await registerApiPages(server, contract, config as never);
  await server.ready();
  return server;
}

describe('the pages about the API', () => {
  let server: FastifyInstance;
  const get = (url: string, headers: Record<string, string> = {}) =>
    server.inject({ url, headers, remoteAddress: '192.0.2.1' });
  beforeAll(async () => {
    server = await serverWith({});
  });
  afterAll(() => server.close());

  it('are compressed once and sent in the requested encoding', async () => {
    const plain = await get('/api/openapi.json');
    expect(plain.headers['content-type']).toContain('application/json');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get('/api/openapi.json', { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    const zipped = await get('/api/openapi.json', { 'accept-encoding': 'gzip, br;q=0' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.body);
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 8);
  });

  it('revalidate without a body', async () => {
    for (const accepted of ['identity', 'gzip', 'br']) {
      const first = await get('/api/docs/swagger-ui.css', { 'accept-encoding': accepted });
      const tag = String(first.headers.etag);
      const again = await get('/api/docs/swagger-ui.css', {
        'accept-encoding': accepted,
        'if-none-match': `"other", W/${tag}`,
      });
      expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 304, '']);
      expect(again.headers.etag).toBe(tag);
    }
    const changed = await get('/api/docs/swagger-ui.css', { 'if-none-match': '"other"' });
    expect(changed.statusCode).toBe(200);
  });

  it('contain a page and its assets, and nothing else of the package', async () => {
    const page = await get('/api/docs/');
    const needs = [...page.body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => String(address));
    expect(needs).toHaveLength(3);
    for (const address of needs) expect((await get(address)).statusCode).toBe(200);
    expect((await get('/api/docs')).headers.location).toBe('/api/docs/');
    expect((await get('/api/docs/package.json')).statusCode).toBe(404);
  });

  it('are limited by network', async () => {
    const statuses = new Map<number, number>();
    for (let call = 0; call < readsPerMinute + 5; call += 1) {
      const { statusCode } = await server.inject({ url: '/api/openapi.json', remoteAddress: '192.0.2.9' });
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    }
    expect(statuses.get(200)).toBe(readsPerMinute);
    expect((await server.inject({ url: '/api/openapi.json', remoteAddress: '192.0.2.10' })).statusCode).toBe(
      200,
    );
  });

  it.each([
    [{ NODE_ENV: 'production' }, 404],
    [{ NODE_ENV: 'production', API_DOCS: true }, 200],
    [{ NODE_ENV: 'development' }, 200],
    [{ NODE_ENV: 'development', API_DOCS: false }, 404],
  ])('return %i for %j', async (settings, status) => {
    const other = await serverWith(settings as never);
    for (const url of ['/api/openapi.json', '/api/docs/', '/api/docs/start.js'])
      expect((await other.inject(url)).statusCode).toBe(status);
    await other.close();
  });
});
