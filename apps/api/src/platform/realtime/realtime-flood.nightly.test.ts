import { realtimePath } from '@nearhand/contract/realtime';
import { expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { listeningAt } from '../../../test/sockets.ts';

const socketsOfAddress = 80;
vi.setConfig({ testTimeout: 300_000 });
const app = useTestApp({ SOCKETS_PER_ADDRESS: String(socketsOfAddress) });

async function say(packets: readonly string[]) {
  const address = (await listeningAt(app.server)).replace('http', 'ws');
  const socket = new WebSocket(`${address}${realtimePath}?EIO=4&transport=websocket`);
  const counts = { answers: 0, cut: false };
  socket.addEventListener('message', () => {
    counts.answers += 1;
  });
  socket.addEventListener('close', () => {
    counts.cut = true;
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  for (const packet of packets) socket.send(packet);
  return { seen: counts, go: (packet: string) => socket.send(packet), close: () => socket.close() };
}
const soon = { timeout: 120_000, interval: 20 };

it('closes a stranger who greets endlessly, and stops responding', async () => {
  const { seen } = await say(Array<string>(20_000).fill('40/nowhere,{}'));
  await expect.poll(() => seen.cut, soon).toBe(true);
  expect(seen.answers).toBeLessThan(250);
});

it('closes a signed-in user who does the same', async () => {
  const { token } = await app.person();
  const { seen } = await say([
    `40${JSON.stringify({ token })}`,
    ...Array<string>(1_000).fill('40/nowhere,{}'),
  ]);
  await expect.poll(() => seen.cut, soon).toBe(true);
});

it('keeps a quiet client connected', async () => {
  const { token } = await app.person();
  const { seen, go, close } = await say([`40${JSON.stringify({ token })}`]);
  await expect.poll(() => seen.answers, soon).toBe(2);
  for (let n = 0; n < 50; n += 1) go('42["looking",null]');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(seen.cut).toBe(false);
  close();
});

/** Opens sockets all at once; returns how many are open after a while, and how many the server refused. */
async function burst(count: number, greeting: string) {
  const url = `${(await listeningAt(app.server)).replace('http', 'ws')}${realtimePath}?EIO=4&transport=websocket`;
  const sockets = Array.from({ length: count }, () => {
    const socket = new WebSocket(url);
    const connection = { opened: false, admitted: false, closed: false, close: () => socket.close() };
    socket.addEventListener('open', () => {
      connection.opened = true;
      if (greeting) socket.send(greeting);
    });
    socket.addEventListener('message', ({ data }) => {
      connection.admitted ||= String(data).startsWith('40');
    });
    socket.addEventListener('close', () => {
      connection.closed = true;
    });
    return connection;
  });
  await expect
    .poll(
      () => sockets.every(({ opened, admitted, closed }) => closed || (greeting ? admitted : opened)),
      soon,
    )
    .toBe(true);
  return sockets;
}
const stillOpen = (sockets: { closed: boolean }[]) => sockets.filter(({ closed }) => !closed).length;
const closeAll = async (sockets: { closed: boolean; close(): void }[]) => {
  for (const socket of sockets) socket.close();
  await expect.poll(() => stillOpen(sockets), soon).toBe(0);
};

it("keeps an account's latest fifty sockets", async () => {
  const { token } = await app.person();
  const sockets = await burst(75, `40${JSON.stringify({ token })}`);
  expect(sockets.every(({ admitted }) => admitted)).toBe(true);
  await expect.poll(() => stillOpen(sockets), soon).toBe(50);
  await closeAll(sockets);
});

it("limits an address's sockets, greeted or not, and frees them after they close", async () => {
  const sockets = await burst(socketsOfAddress + 40, '');
  expect(sockets.filter(({ opened }) => opened)).toHaveLength(socketsOfAddress);
  await closeAll(sockets);
  // The server notices it a moment later.
  await expect
    .poll(async () => {
      const [next] = await burst(1, '');
      next?.close();
      return next?.opened;
    }, soon)
    .toBe(true);
});
