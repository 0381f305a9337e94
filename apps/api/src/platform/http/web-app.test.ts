import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerWebApp } from './web-app.ts';

describe('serving the web app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'web-app-'));
  let server: FastifyInstance;
  const page = '<!doctype html><title>one</title>';
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const get = (url: string, headers: Record<string, string> = browser) => server.inject({ url, headers });

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'index.html'), page);
    writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(page));
    writeFileSync(join(folder, 'index.html.gz'), gzipSync(page));
    writeFileSync(join(folder, 'operator.html'), '<!doctype html><title>console</title>');
    writeFileSync(join(folder, 'start.js'), '// start');
    writeFileSync(join(folder, 'service-worker.js'), '// keeps the app');
    writeFileSync(join(folder, 'service-worker-off.js'), '// drops the app');
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages', 'login.html'), '<!doctype html><title>drawn login</title>');
    writeFileSync(join(folder, 'pages', 'login.html.br'), brotliCompressSync('<!doctype html>packed login'));
    writeFileSync(join(folder, 'assets', 'main-one.js'), 'one');
    const packed = 'packed '.repeat(1_000);
    writeFileSync(join(folder, 'assets', 'main-packed.js'), packed);
    writeFileSync(join(folder, 'assets', 'main-packed.js.br'), brotliCompressSync(packed));
    writeFileSync(join(folder, 'assets', 'main-packed.js.gz'), gzipSync(packed));
    writeFileSync(join(folder, 'assets', 'font.woff2'), '0'.repeat(5_000));
    server = Fastify();
    await registerWebApp(server, folder, { perMinute: 100_000, offline: true });
    await server.ready();
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it.each(['/', '/tabs/menu/explore', '/job-desc/x?from=mail', '/assetsx'])('%s is the page', async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(body).toContain('<title>one</title>');
  });

  it.each([{ accept: '*/*' }, {}])('is a page for link previews too: %j', async (headers) => {
    const { statusCode, body } = await get('/job-desc/x', headers as Record<string, string>);
    expect([statusCode, body.includes('<title>one</title>')]).toEqual([200, true]);
  });

  it.each(['/operator', '/operator/', '/operator/cases/ticket/x?filter=mine'])(
    '%s is the console',
    async (url) => {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(body).toContain('<title>console</title>');
      expect(headers['x-robots-tag']).toBe('noindex, nofollow');
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    },
  );

  it('serves a page drawn at build at its path, and the app’s own page with a query', async () => {
    const drawn = await get('/login');
    expect([drawn.statusCode, drawn.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(drawn.body).toContain('drawn login');
    expect((await get('/login', { ...browser, 'accept-encoding': 'br' })).headers['content-encoding']).toBe(
      'br',
    );
    for (const url of ['/login?next=%2Ftoc', '/login/', '/Login', '/register', '/..~login'])
      expect((await get(url)).body).toContain('<title>one</title>');
  });

  it('serves the console at its own address only', async () => {
    for (const url of ['/operators', '/operatorx'])
      expect((await get(url)).body).toContain('<title>one</title>');
    expect((await get('/operator.html')).statusCode).toBe(404);
    expect((await get('/tabs/menu/explore')).headers['x-robots-tag']).toBeUndefined();
  });

  it('caches hashed files forever, and the others not at all', async () => {
    const script = await get('/assets/main-one.js', { accept: '*/*' });
    expect([script.body, script.headers['cache-control']]).toEqual([
      'one',
      'public, max-age=31536000, immutable',
    ]);
    expect((await get('/start.js')).headers['cache-control']).toBe('no-cache');
  });

  it.each([
    '/assets/gone-abc.js',
    '/assets/',
    '/assets',
    '/assets/deep/gone.css',
    '/api/nothing',
    '/dev/nothing',
    '/favicon.ico',
    '/pages/login.html',
    '/job-desc/picture.PNG?from=mail',
    '/.well-known/nothing',
  ])('%s is 404, also for requests that accept HTML, and not cached', async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
    expect(body).not.toContain('<title>');
  });

  it.each(['/assets/../index.html', '/assets/..%2findex.html', '/assets//main-one.js', '/assets/%00.js'])(
    '%s is not found',
    async (url) => {
      const { statusCode, body } = await get(url);
      expect(statusCode).toBeLessThan(500);
      expect(body).not.toBe('one');
    },
  );

  it('shows a waiting page between two builds', async () => {
    rmSync(join(folder, 'index.html'));
    for (const url of ['/', '/job-desc/x']) {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, headers['retry-after'], headers['cache-control']]).toEqual([503, '3', 'no-store']);
      expect(body).toContain('http-equiv="refresh"');
    }
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>one</title>');
    expect((await get('/job-desc/x')).statusCode).toBe(200);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ])("for Accept-Encoding: %s it sends the build's file unchanged", async (accepted, encoding) => {
    for (const [url, type] of [
      ['/assets/main-packed.js', 'javascript'],
      ['/job-desc/x', 'text/html'],
    ] as const) {
      const { headers, rawPayload } = await get(url, { ...browser, 'accept-encoding': accepted });
      expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
      expect(headers['content-type']).toContain(type);
      const text =
        encoding === 'br'
          ? brotliDecompressSync(rawPayload)
          : encoding === 'gzip'
            ? gunzipSync(rawPayload)
            : rawPayload;
      expect(text.toString()).toMatch(/^<!doctype html>|^packed/);
    }
  });

  it('does not compress files the build did not compress', async () => {
    const { headers, rawPayload } = await get('/assets/font.woff2', { 'accept-encoding': 'br, gzip' });
    expect([headers['content-encoding'], rawPayload.length]).toEqual([undefined, 5_000]);
  });

  it('serves a build made while it runs', async () => {
    rmSync(join(folder, 'assets', 'main-one.js'));
    writeFileSync(join(folder, 'assets', 'main-two.js'), 'two');
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>two</title>');
    expect((await get('/assets/main-two.js', { accept: '*/*' })).body).toBe('two');
    expect((await get('/assets/main-one.js', { accept: '*/*' })).statusCode).toBe(404);
    expect((await get('/register')).body).toContain('two');
  });

  it('sends the service worker, or in its place the one that drops all files', async () => {
    const off = Fastify();
    await registerWebApp(off, folder, { perMinute: 100, offline: false });
    for (const [app, content] of [
      [server, '// keeps the app'],
      [off, '// drops the app'],
    ] as const) {
      const { body, headers } = await app.inject({ url: '/service-worker.js' });
      expect([body, headers['cache-control']]).toEqual([content, 'no-cache']);
      expect((await app.inject({ url: '/service-worker-off.js' })).statusCode).toBe(404);
    }
    await off.close();
  });

  it('limits what one network loads, pages included', async () => {
    const limited = Fastify();
    await registerWebApp(limited, folder, { perMinute: 3, offline: false });
    const statuses = [];
    for (const url of [
      '/assets/main-two.js',
      '/start.js',
      '/job-desc/x',
      '/job-desc/y',
      '/assets/main-two.js',
    ])
      statuses.push((await limited.inject({ url, headers: browser })).statusCode);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses.slice(3).every((status) => status >= 400)).toBe(true);
    await limited.close();
  });
});
