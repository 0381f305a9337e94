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

function send(request: BenchRequest): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port: Number(port),
        agent,
        method: request.method,
        path: request.path,
        headers: {
          authorization: `Bearer ${request.token}`,
          ...(request.key ? { 'idempotency-key': request.key, 'content-type': 'application/json' } : {}),
          ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
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
    outgoing.on('error', () => {
      failed += 1;
      resolve();
    });
    outgoing.end(request.body);
  });
}

async function lane(): Promise<void> {
  for (let request = requests[next++]; request; request = requests[next++]) await send(request);
}
await Promise.all(Array.from({ length: Number(atOnce) }, lane));
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
process.stdout.write(JSON.stringify({ p50: at(0.5), p99: at(0.99), failed, done: times.length }));
process.exit(0);
