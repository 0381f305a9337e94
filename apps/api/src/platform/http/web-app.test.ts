import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { addMs } from '@nearhand/contract/durations';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerWebApp } from './web-app.ts';

describe('serving the web app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'web-app-'));
  let server: FastifyInstance;
  const page = '<!doctype html><title>one</title><body></body>';
  const drawnLogin =
    '<!doctype html><title>drawn login</title><script>start()</script><style>p{color:red}</style><body><p></p></body>';
  let now = new Date('2026-11-23T12:00:00Z');
  const parts: Parameters<typeof registerWebApp>[2] = {
    perMinute: 100,
    offline: true,
    clock: { now: () => now },
    firstCalls: (url, cookies) => {
      if (url === '/login') return ['/api/word', '/api/slow', '/api/gone'];
      if (url === '/found?lat=1') return [`/api/word?${cookies}`];
      return url === '/' ? ['/api/word'] : [];
    },
  };
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
    writeFileSync(join(folder, 'pages', 'login.html'), drawnLogin);
    writeFileSync(join(folder, 'assets', 'main-one.js'), 'one');
    const packed = 'packed '.repeat(1_000);
    writeFileSync(join(folder, 'assets', 'main-packed.js'), packed);
    writeFileSync(join(folder, 'assets', 'main-packed.js.br'), brotliCompressSync(packed));
    writeFileSync(join(folder, 'assets', 'main-packed.js.gz'), gzipSync(packed));
    writeFileSync(join(folder, 'assets', 'font.woff2'), '0'.repeat(5_000));
    server = Fastify();
    let calls = 0;
    server.get('/api/word', async () => ({ word: '</script>', asked: ++calls }));
    server.get('/api/slow', () => new Promise(() => {}));
    server.get('/api/gone', async (_request, reply) => reply.code(503).send({ code: 'request/unavailable' }));
    server.addHook('onRequest', async (_request, reply) => {
      reply.raw.setHeader(
        'content-security-policy',
        "default-src 'self';script-src 'self';style-src 'self';img-src data:",
      );
    });
    await registerWebApp(server, folder, { ...parts, perMinute: 100_000 });
    await server.ready();
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  it.each(['/', '/tabs/menu/explore', '/job-desc/x?from=mail', '/assetsx'])(
    '%s serves the page',
    async (url) => {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(body).toContain('<title>one</title>');
    },
  );

  it.each([{ accept: '*/*' }, {}])('serves a page for link previews too: %j', async (headers) => {
    const { statusCode, body } = await get('/job-desc/x', headers as Record<string, string>);
    expect([statusCode, body.includes('<title>one</title>')]).toEqual([200, true]);
  });

  it.each(['/operator', '/operator/', '/operator/cases/ticket/x?filter=mine'])(
    '%s serves the console',
    async (url) => {
      const { statusCode, headers, body } = await get(url);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(body).toContain('<title>console</title>');
      expect(headers['x-robots-tag']).toBe('noindex, nofollow');
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    },
  );

  it('serves a prerendered page at its path, and the app’s own page with a query', async () => {
    const loginPage = await get('/login');
    expect([loginPage.statusCode, loginPage.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(loginPage.body).toContain('drawn login');
    for (const url of ['/login?next=%2Ftoc', '/login/', '/Login', '/register'])
      expect((await get(url)).body).toContain('<title>one</title>');
  });

  const answersIn = (body: string) =>
    JSON.parse(
      /<script type="application\/json" id="answers">([^<]*)<\/script><\/body>/.exec(body)?.[1] ?? 'null',
    );

  it("embeds the first screen's responses, without failed or slow ones", async () => {
    const { body } = await get('/login');
    expect(answersIn(body)).toEqual({
      at: now.getTime(),
      answers: { '/api/word': { word: '</script>', asked: expect.any(Number) } },
    });
    const other = await get('/found?lat=1', { ...browser, cookie: 'near=2' });
    expect(answersIn(other.body).answers).toEqual({
      '/api/word?near=2': { word: '</script>', asked: expect.any(Number) },
    });
    expect((await get('/found')).body).not.toContain('answers');
    expect(Object.keys(answersIn((await get('/')).body).answers)).toEqual(['/api/word']);
  });

  it('queries them again after a second, and not before', async () => {
    const first = await get('/login');
    expect((await get('/login')).body).toBe(first.body);
    expect(
      (await get('/login', { ...browser, 'if-none-match': String(first.headers.etag) })).statusCode,
    ).toBe(304);
    now = addMs(now, 1_001);
    const later = await get('/login', { ...browser, 'if-none-match': String(first.headers.etag) });
    expect(later.statusCode).toBe(200);
    expect(answersIn(later.body).at).toBe(now.getTime());
  });

  it('allows only the styles and the script of a prerendered page', async () => {
    const policy = String((await get('/login')).headers['content-security-policy']);
    const [style, script] = ['p{color:red}', 'start()'].map((text) =>
      createHash('sha256').update(text).digest('base64'),
    );
    expect(policy).toBe(
      `default-src 'self';script-src 'self' 'sha256-${script}';style-src 'self' 'sha256-${style}';img-src data:`,
    );
    expect((await get('/found')).headers['content-security-policy']).not.toContain('sha256');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('compresses them once, as %s', async (encoding, unpack) => {
    const { headers, rawPayload } = await get('/login', { ...browser, 'accept-encoding': encoding });
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'accept-encoding']);
    expect(unpack(rawPayload).toString()).toBe((await get('/login')).body);
  });

  it('serves the console only at its own address', async () => {
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
    '/..~login',
    '/.git/config',
    '/.git/',
    '/%2egit/HEAD',
    '/old/.svn/entries',
  ])('returns 404 for %s, also for requests that accept HTML, uncached', async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, headers['cache-control']]).toEqual([404, 'no-store']);
    expect(body).not.toContain('<title>');
  });

  it.each(['/assets/../index.html', '/assets/..%2findex.html', '/assets//main-one.js', '/assets/%00.js'])(
    'returns 404 for %s',
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
  ])("sends the build's file unchanged for Accept-Encoding: %s", async (accepted, encoding) => {
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

  it("doesn't compress files the build didn't compress", async () => {
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

  it('sends the service worker, or in its place the one that deletes all files', async () => {
    const off = Fastify();
    await registerWebApp(off, folder, { ...parts, offline: false });
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
    await registerWebApp(limited, folder, { ...parts, perMinute: 3, offline: false });
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
