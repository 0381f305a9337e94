// @ts-check
import { request } from 'node:http';
import { createSecureServer } from 'node:http2';
import { testCertificate } from '../apps/api/src/platform/test-services/test-certificate.fixtures.ts';

/** Connection headers, which HTTP/2 refuses. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
]);

/**
 * @param {string} backend an HTTP/1.1 server
 * @returns {Promise<{ address: string, close: () => Promise<void> }>}
 */
export async function openHttp2Front(backend) {
  const { key, cert } = testCertificate();
  const target = new URL(backend);
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (incoming, answer) => {
    const named = Object.entries(incoming.headers).filter(
      ([name]) => !name.startsWith(':') && !ofConnection.has(name),
    );
    const headers = { ...Object.fromEntries(named), host: target.host, 'x-forwarded-proto': 'https' };
    const { hostname, port } = target;
    const upstream = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (response) => {
        const responseHeaders = Object.entries(response.headers).filter(([name]) => !ofConnection.has(name));
        answer.writeHead(response.statusCode ?? 502, Object.fromEntries(responseHeaders));
        response.pipe(answer);
      },
    );
    upstream.on('error', () => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end();
    });
    incoming.pipe(upstream);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('The front has no port');
  /** @type {Set<import('node:http2').ServerHttp2Session>} */
  const sessions = new Set();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  return {
    address: `https://localhost:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(() => resolve(null)));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}
