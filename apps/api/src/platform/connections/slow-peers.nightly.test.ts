import { connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { limitSlowPeers, type SlowLimits } from './slow-peers.ts';

const few = { connections: 4, bodies: 3, responses: 3, slowMs: 100 } satisfies Partial<SlowLimits>;
const open: Socket[] = [];
let server: FastifyInstance;
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server.close();
});

async function listening(
  limits: Partial<SlowLimits>,
  isProxy = (_address: string) => false,
): Promise<number> {
  server = Fastify();
  limitSlowPeers(server, isProxy, limits);
  server.post('/', async () => 'read');
  server.get('/large', async () => Buffer.alloc(30_000_000));
  const onRequest = async (_request: unknown, reply: FastifyReply) => reply.code(401).send('refused');
  server.post('/refused', { onRequest }, async () => 'never');
  await server.listen({ port: 0, host: '127.0.0.1' });
  return Number(new URL(server.listeningOrigin).port);
}

async function senders(port: number, count: number, text: string): Promise<boolean[]> {
  const cut = Array<boolean>(count).fill(false);
  for (const index of cut.keys()) {
    const socket = connect(port, '127.0.0.1');
    open.push(socket);
    socket.on('error', () => {}).on('close', () => (cut[index] = true));
    await new Promise<void>((resolve) => socket.once('connect', () => socket.write(text, () => resolve())));
  }
  return cut;
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 2 * few.slowMs));
const post = (port: number) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'quick' });
const countOf = (cut: readonly boolean[]) => cut.filter(Boolean).length;

describe.each([
  ['headers', 'POST / HTTP/1.1\r\nhost: x\r\nx-slow: ', few.connections],
  [
    'bodies',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\nsl',
    few.bodies,
  ],
])('slow %s', (_what, text, maxOpen) => {
  it('are closed above the limit of one network, slowest first, and others are served', async () => {
    const port = await listening(few);
    const first = await senders(port, maxOpen, text);
    await pause();
    expect(countOf(first)).toBe(0);
    const second = await senders(port, 2, text);
    await expect.poll(() => [countOf(first), countOf(second)]).toEqual([2, 0]);
    expect(first.slice(0, 2)).toEqual([true, true]);
    expect(await post(port).then((response) => response.text())).toBe('read');
  });

  it('all stay open without an effective limit', async () => {
    const port = await listening({ ...few, connections: 1_000, bodies: 1_000 });
    const cut = await senders(port, maxOpen + 4, text);
    await pause();
    await senders(port, 1, text);
    expect(countOf(cut)).toBe(0);
  });
});

it('keeps a burst of fast senders', async () => {
  const port = await listening({ ...few, slowMs: 60_000 });
  const statuses = await Promise.all(
    Array.from({ length: 40 }, () => post(port).then(({ status }) => status)),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it('counts an unread body only until its response', async () => {
  await listening(few);
  const refused = () => server.inject({ method: 'POST', url: '/refused', payload: 'a body' });
  for (let call = 0; call < few.bodies + 2; call += 1) expect((await refused()).statusCode).toBe(401);
  await pause();
  expect((await refused()).statusCode).toBe(401);
});

it('ignores headers that our own proxy passes on slowly', async () => {
  const port = await listening(few, () => true);
  const cut = await senders(port, few.connections, 'POST / HTTP/1.1\r\n');
  await pause();
  await senders(port, 3, 'POST / HTTP/1.1\r\n');
  expect(countOf(cut)).toBe(0);
});

describe('responses that nobody reads', () => {
  const large = 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n';
  const connections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_error, count) => resolve(count)));

  it('are closed above the limit of one network, and others are served', async () => {
    const port = await listening(few);
    await senders(port, few.responses, large);
    await pause();
    expect(await connections()).toBe(few.responses);
    await senders(port, 2, large);
    await expect.poll(connections).toBe(few.responses);
    expect((await post(port)).status).toBe(200);
    const whole = await fetch(`http://127.0.0.1:${port}/large`);
    expect((await whole.arrayBuffer()).byteLength).toBe(30_000_000);
  });

  it('end after a timeout, even a single one', async () => {
    const port = await listening({ responseMs: 300 });
    await senders(port, 1, large);
    expect(await connections()).toBe(1);
    await expect.poll(connections, { timeout: 5_000 }).toBe(0);
  });
});
