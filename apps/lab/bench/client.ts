import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import type { BenchRequest } from './cases.ts';

/** Sends concurrent requests in its own process and prints its measurements as JSON. */
const [file = '', port = '', atOnce = '8'] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8')) as BenchRequest[];
const agent = new Agent({ keepAlive: true, maxSockets: Number(atOnce) });
const times: number[] = [];
let failed = 0;
let next = 0;

function send(one: BenchRequest): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port: Number(port),
        agent,
        method: one.method,
        path: one.path,
        headers: {
          authorization: `Bearer ${one.token}`,
          ...(one.key ? { 'idempotency-key': one.key, 'content-type': 'application/json' } : {}),
          ...(one.body === undefined ? {} : { 'content-length': Buffer.byteLength(one.body) }),
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => {
          times.push(performance.now() - begun);
          if ((response.statusCode ?? 500) >= 300) failed += 1;
          resolve();
        });
      },
    );
    sent.on('error', () => {
      failed += 1;
      resolve();
    });
    sent.end(one.body);
  });
}

async function lane(): Promise<void> {
  for (let one = requests[next++]; one; one = requests[next++]) await send(one);
}
await Promise.all(Array.from({ length: Number(atOnce) }, lane));
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
process.stdout.write(JSON.stringify({ p50: at(0.5), p99: at(0.99), failed, done: times.length }));
process.exit(0);
