import { realtimePath } from '@nearhand/contract/realtime';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { listeningAt } from '../../../test/sockets.ts';

const app = useTestApp();

/** Sends packets on a bare socket; returns the number of answers, and whether it was cut. */
async function say(packets: readonly string[]) {
  const address = (await listeningAt(app.server)).replace('http', 'ws');
  const socket = new WebSocket(`${address}${realtimePath}?EIO=4&transport=websocket`);
  const seen = { answers: 0, cut: false };
  socket.addEventListener('message', () => {
    seen.answers += 1;
  });
  socket.addEventListener('close', () => {
    seen.cut = true;
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  for (const packet of packets) socket.send(packet);
  return { seen, go: (packet: string) => socket.send(packet), close: () => socket.close() };
}
const soon = { timeout: 10_000, interval: 20 };

it('a stranger who greets without end is cut, and not answered without end', async () => {
  const { seen } = await say(Array<string>(20_000).fill('40/nowhere,{}'));
  await expect.poll(() => seen.cut, soon).toBe(true);
  expect(seen.answers).toBeLessThan(250);
});

it('someone signed in who does the same is cut too', async () => {
  const { token } = await app.person();
  const { seen } = await say([
    `40${JSON.stringify({ token })}`,
    ...Array<string>(1_000).fill('40/nowhere,{}'),
  ]);
  await expect.poll(() => seen.cut, soon).toBe(true);
});

it('a quiet client stays connected', async () => {
  const { token } = await app.person();
  const { seen, go, close } = await say([`40${JSON.stringify({ token })}`]);
  await expect.poll(() => seen.answers, soon).toBe(2);
  for (let n = 0; n < 50; n += 1) go('42["looking",null]');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(seen.cut).toBe(false);
  close();
});
