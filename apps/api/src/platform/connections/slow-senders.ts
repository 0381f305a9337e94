import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { callerNetwork } from '../http/caller-network.ts';

export type SlowLimits = {
  /** Connections of a network that have not sent the headers of a request. */
  connections: number;
  /** Requests of a network whose bodies have not arrived. */
  bodies: number;
  /** From when on a sender is slow; before that it counts, but is never cut off. */
  slowMs: number;
};

/** A browser opens a few connections ahead; an office, and a phone network, share one address. */
const usual: SlowLimits = { connections: 64, bodies: 32, slowMs: 5_000 };

/** What is arriving, by network, oldest first. */
function createArrivals(most: number, slowMs: number) {
  const byNetwork = new Map<string, Set<{ since: number; cut: () => void }>>();
  return (network: string, cut: () => void): (() => void) => {
    const now = performance.now();
    const arriving = byNetwork.get(network) ?? new Set();
    byNetwork.set(network, arriving);
    const sender = { since: now, cut };
    arriving.add(sender);
    for (const other of arriving) {
      if (arriving.size <= most || now - other.since < slowMs) break;
      arriving.delete(other);
      other.cut();
    }
    return () => {
      arriving.delete(sender);
      if (arriving.size === 0 && byNetwork.get(network) === arriving) byNetwork.delete(network);
    };
  };
}

/**
 * Bounds what one network keeps open by sending slowly: beyond its number the slowest is cut off for each new one, so that others behind
 * the same address still get through. The server's own time limits end the rest (`server.ts`). A proxy in front reads headers itself.
 */
export function limitSlowSenders(
  app: FastifyInstance,
  isProxy: (address: string) => boolean,
  { connections, bodies, slowMs }: SlowLimits = usual,
): void {
  const silent = createArrivals(connections, slowMs);
  const unfinished = createArrivals(bodies, slowMs);
  const waiting = new WeakMap<Socket, () => void>();
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const spoke = silent(callerNetwork(address), () => socket.destroy());
    waiting.set(socket, spoke);
    socket.once('close', spoke);
  });
  const spoke = ({ socket }: IncomingMessage) => waiting.get(socket)?.();
  app.server.prependListener('request', spoke);
  app.server.prependListener('upgrade', spoke);
  app.addHook('onRequest', async ({ raw, ip }, { raw: response }) => {
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
    if (!hasBody || raw.complete) return;
    const done = unfinished(callerNetwork(ip), () => raw.destroy());
    raw.once('end', done).once('close', done);
    // A call that is refused before its body is never read to its end.
    response.once('finish', done).once('close', done);
  });
}
