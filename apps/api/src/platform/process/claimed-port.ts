import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { refusedPort } from '../start-refused.ts';

/**
 * Listens before the rest of the start, which may take a minute, so that a port in use is known at once. With `hold`, probes get an answer
 * until the app takes the open port over: live, but not ready. Without it the port is closed again, since a proxy without health checks would
 * send requests to a server that is starting.
 * @throws StartRefused for a port that is taken or forbidden
 */
export async function claimPort({ port, host, hold }: { port: number; host: string; hold: boolean }) {
  const holder = createServer((request, response) => {
    const live = request.url === '/health/live';
    response
      .writeHead(live ? 200 : 503, {
        'content-type': 'application/json',
        connection: 'close',
        ...(live ? {} : { 'retry-after': '5' }),
      })
      .end(JSON.stringify({ status: live ? 'live' : 'starting' }));
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
