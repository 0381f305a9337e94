import { readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import path from 'node:path';

const scripts = readdirSync(path.join(import.meta.dirname, '../../apps/web/dist/assets'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => name.slice(0, -3).replaceAll(/[^\w-]/g, '\\$&'));
const anyScript = new RegExp(`(?<![\\w.-])(${scripts.join('|')})\\.js(?![\\w.-])`, 'g');

/** This build, a next one with other script names, or one whose service worker serves a broken page. */
type Release = 'this' | 'next' | 'broken';

export const brokenTitle = 'Nothing works here';
const brokenWorker = `addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate')
    event.respondWith(new Response('<title>${brokenTitle}</title>', { headers: { 'content-type': 'text/html' } }));
});
`;

export type Releases = {
  address: string;
  deploy(release: Release, target?: number): void;
  close(): Promise<void>;
};

export async function startReleases(port: number, firstTarget: number): Promise<Releases> {
  let release: Release = 'this';
  let target = firstTarget;
  const server = createServer((incoming, answer) => {
    const by = release;
    const { url = '/', method, headers } = incoming;
    // Compressed bodies can't be changed, and a browser's cached copy would bypass the change.
    const { 'accept-encoding': _, 'if-none-match': __, 'if-modified-since': ___, ...sent } = headers;
    const requested = url.replace(/^(\/assets\/.+)\.next\.js$/, '$1.js');
    const call = request(
      { host: '127.0.0.1', port: target, method, path: requested, headers: sent },
      (response) => {
        const { 'content-length': _length, etag: _etag, ...kept } = response.headers;
        const isText = /html|javascript/.test(kept['content-type'] ?? '');
        void response.toArray().then((chunks) => {
          const body = Buffer.concat(chunks);
          answer
            .writeHead(response.statusCode ?? 502, kept)
            .end(isText ? released(by, requested, body.toString()) : body);
        });
      },
    );
    call.once('error', () => answer.destroy());
    incoming.pipe(call);
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
  );
  return {
    address: `http://localhost:${port}`,
    deploy: (next, behind = target) => {
      release = next;
      target = behind;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function released(release: Release, requested: string, text: string): string {
  if (release === 'next')
    return text.replaceAll(anyScript, '$1.next.js').replaceAll(/(revision:[`"'])(?=\w)/g, '$1next-');
  if (release === 'broken' && requested === '/service-worker.js') return brokenWorker + text;
  return text;
}
