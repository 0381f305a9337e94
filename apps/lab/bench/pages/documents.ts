import { readFileSync } from 'node:fs';
import { request } from 'node:http';

/**
 * What the API document, its pages and the app's files cost a running server on this machine (docs/benchmarks.md):
 * `node apps/lab/bench/pages/documents.ts http://127.0.0.1:8080 PID`.
 */
const [address = 'http://127.0.0.1:8080', pid = ''] = process.argv.slice(2);
const requests = 100;
const atOnce = 20;
const msPerTick = 10;

/** Processor time of the server, in milliseconds. */
function spent(): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

type Answer = { status: number; bytes: number; tag: string };
const ask = (path: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const call = request(new URL(path, address), { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes, tag: String(response.headers.etag ?? '') }),
      );
    });
    call.on('error', reject).end();
  });

async function measure(path: string, headers: Record<string, string>): Promise<string> {
  const first = await ask(path, headers);
  const before = spent();
  for (let sent = 0; sent < requests; sent += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const { status } = await ask(path, headers);
        if (status !== first.status) throw new Error(`${path} answered ${status}, before ${first.status}`);
      }),
    );
  const each = (spent() - before) / requests;
  return `| ${path.replace(/-[\w-]{8,}(?=\.\w+$)/, '-*')} | ${first.status} | ${first.bytes} | ${each.toFixed(1)} |`;
}

const accepted = { 'accept-encoding': 'br, gzip', accept: '*/*' };
const index = await fetch(new URL('/getting-started', address)).then((response) => response.text());
const script = /"(\/assets\/app-[^"]+\.js)"/.exec(index)?.[1];
if (!script) throw new Error('the server has no built web app');
console.log('| address | status | bytes sent | processor, ms each |\n|---|---|---|---|');
for (const path of [
  '/api/openapi.json',
  '/api/docs/swagger-ui-bundle.js',
  script,
  '/getting-started',
  '/robots.txt',
]) {
  console.log(await measure(path, accepted));
  const { tag } = await ask(path, accepted);
  if (tag) console.log(await measure(path, { ...accepted, 'if-none-match': tag }));
}
