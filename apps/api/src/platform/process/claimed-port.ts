import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { refusedPort } from '../start-refused.ts';

const startingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Nearhand is starting</title>
<body style="font: 1rem/1.5 system-ui; max-width: 30rem; margin: 20vh auto; padding: 0 1.5rem">
<h1>Nearhand is starting</h1>
<p>The first start creates a demo town, which takes a few minutes. The terminal shows the progress.</p>
<p>This page reloads by itself until Nearhand is ready.</p>
</html>
`;

/**
 * Claims the port early. Without `hold` it is closed again: a proxy would send requests.
 * @throws StartRefusedError
 */
export async function claimPort({ port, host, hold }: { port: number; host: string; hold: boolean }) {
  const holder = createServer((request, response) => {
    const isLive = request.url === '/health/live';
    const isBrowser = !isLive && request.headers.accept?.includes('text/html');
    response
      .writeHead(isLive ? 200 : 503, {
        'content-type': isBrowser ? 'text/html; charset=utf-8' : 'application/json',
        connection: 'close',
        ...(isLive ? {} : { 'retry-after': '5' }),
        ...(isBrowser ? { refresh: '5' } : {}),
      })
      .end(isBrowser ? startingPage : JSON.stringify({ status: isLive ? 'live' : 'starting' }));
  });
  holder.on('upgrade', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    holder.once('error', (error) => reject(refusedPort(error, port)));
    holder.listen({ port, host }, resolve);
  });
  const release = () => new Promise<void>((resolve) => void holder.close(() => resolve()));
  if (!hold) await release();
  return {
    async handTo(app: FastifyInstance): Promise<void> {
      const { _handle: handle } = holder as Server & { _handle: unknown };
      await app.listen({ host, port, ...(hold ? { handle } : {}) }).catch((error) => {
        throw refusedPort(error, port);
      });
    },
  };
}
