import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { makeWriter } from '../drills/write-stream.ts';
import { serverProcess } from '../money/server-process.ts';
import { openServices } from '../money/services.ts';
import { onThrowAwayDatabase } from '../throw-away-database.ts';
import { numbersFrom } from './options.ts';

/**
 * `npm run experiments -- stop-under-load [--stops 50]`: a server is stopped with SIGTERM under writes and started again. No accepted call fails, and
 * each stop takes less than 10 s. The control kills it: accepted calls must fail.
 */
export async function stopUnderLoad(say: (line: string) => void): Promise<boolean> {
  const { stops } = numbersFrom({ stops: 50 });
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const real = await stopping(url, stops, say, false);
    const control = await stopping(url, Math.min(stops, 5), say, true);
    right = real.failed === 0 && real.slowestMs < 10_000 && control.failed > 0;
  });
  say(`stop-under-load: ${right ? 'as it must be' : 'NOT as it must be'}`);
  return right;
}

type Answer = { accepted: boolean; code: string };

/** What a server says while it starts and only holds its port, which is no acceptance. */
const starting = 'starting';

/**
 * A call on a connection of its own. Its body is sent once the server said `100 Continue`, so that it is known whether the server had taken
 * it: a connection that waits in the kernel while the port closes is reset, and no server has seen it.
 */
const patch = (port: number, token: string, body: object) =>
  new Promise<Answer>((resolve) => {
    const bytes = Buffer.from(JSON.stringify(body));
    let accepted = false;
    const headers = {
      authorization: `Bearer ${token}`,
      'idempotency-key': crypto.randomUUID(),
      expect: '100-continue',
      'content-type': 'application/json',
      'content-length': bytes.byteLength,
    };
    const target = { host: '127.0.0.1', port, method: 'PATCH', path: '/api/accounts/me', headers };
    const sent = http.request({ ...target, agent: false, timeout: 30_000 }, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('error', () => resolve({ accepted, code: 'cut off' }));
      response.on('end', () => {
        const holds = response.statusCode === 503 && text.includes('"starting"');
        if (holds) resolve({ accepted: false, code: starting });
        else
          resolve({ accepted, code: (response.statusCode ?? 0) < 300 ? 'ok' : String(response.statusCode) });
      });
    });
    sent.on('continue', () => {
      accepted = true;
      sent.end(bytes);
    });
    sent.on('timeout', () => sent.destroy(Object.assign(new Error(), { code: 'no answer' })));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ accepted, code: error.code ?? error.message }),
    );
    sent.flushHeaders();
  });

async function stopping(url: string, stops: number, say: (line: string) => void, control: boolean) {
  const services = openServices(url);
  const server = await serverProcess({
    databaseUrl: url,
    settings: { DRAIN_SECONDS: '1', STOP_SECONDS: '8' },
  });
  const { token } = await makeWriter(services);
  const counts = new Map<string, number>();
  const port = Number(new URL(server.url).port);
  let [over, failed] = [false, 0];
  const client = async (n: number) => {
    for (let call = 0; !over; call += 1) {
      const { accepted, code } = await patch(port, token, { name: `Leila ${n} ${call}` });
      const what =
        accepted || code === starting || code === 'ECONNREFUSED' ? code : `${code} before it was taken`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      if (accepted && code !== 'ok') failed += 1;
      await wait(code === 'ok' ? 5 : 50);
    }
  };
  const stopMs: number[] = [];
  await server.start();
  const clients = Promise.all(Array.from({ length: 6 }, (_, n) => client(n)));
  try {
    for (let stop = 0; stop < stops; stop += 1) {
      await wait(300 + Math.random() * 400);
      const at = performance.now();
      await (control ? server.kill() : server.stop());
      stopMs.push(performance.now() - at);
      await server.start();
      if ((stop + 1) % 10 === 0) say(`  ${stop + 1} stops`);
    }
  } finally {
    over = true;
    await clients;
    await server.kill();
    await services.close();
  }
  const slowestMs = Math.max(...stopMs);
  say(
    `stop-under-load${control ? ', negative control kills' : ''}: ${stops} stops, the slowest ${(slowestMs / 1_000).toFixed(1)} s; ${[...counts].map(([code, times]) => `${times} ${code}`).join(', ')}; ${failed} accepted calls failed`,
  );
  return { failed, slowestMs };
}
