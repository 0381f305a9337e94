import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { freePort } from '../test-services/free-port.fixtures.ts';
import { claimPort } from './claimed-port.ts';

it('holds the port while the server starts, live but not ready, and hands it to the app', async () => {
  const port = await freePort();
  const address = { port, host: '127.0.0.1' };
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, answer.headers.get('retry-after'), await answer.text()];
  };
  const claimed = await claimPort({ ...address, hold: true });
  await expect(claimPort({ ...address, hold: false })).rejects.toThrow(`Port ${port} is in use`);
  expect(await get('/health/live')).toEqual([200, null, '{"status":"live"}']);
  expect(await get('/health/ready')).toEqual([503, '5', '{"status":"starting"}']);
  const app = Fastify();
  app.get('/health/ready', async () => 'ready');
  await claimed.handTo(app);
  expect(await get('/health/ready')).toEqual([200, null, 'ready']);
  await app.close();
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed');
});

it('serves browsers a page that reloads until the app responds', async () => {
  const port = await freePort();
  const claimed = await claimPort({ port, host: '127.0.0.1', hold: true });
  const open = () => fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  const waiting = await open();
  expect([waiting.status, waiting.headers.get('refresh')]).toEqual([503, '5']);
  expect(waiting.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await waiting.text()).toContain('<h1>Nearhand is starting</h1>');
  const app = Fastify();
  app.get('/', async () => 'the app');
  await claimed.handTo(app);
  const ready = await open();
  expect([ready.status, ready.headers.get('refresh'), await ready.text()]).toEqual([200, null, 'the app']);
  await app.close();
});
