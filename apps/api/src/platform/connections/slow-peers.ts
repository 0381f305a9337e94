import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { callerNetwork } from '../http/caller-network.ts';

export type SlowLimits = {
  /** Connections per network without complete request headers. */
  connections: number;
  /** Requests per network without complete bodies. */
  bodies: number;
  /** Responses per network not fully read. */
  responses: number;
  /** Milliseconds before a peer counts as slow and may be cut off. */
  slowMs: number;
  responseMs: number;
};

/** Higher than for one client, because browsers preconnect, and an office or phone network shares one address. */
const usual: SlowLimits = {
  connections: 64,
  bodies: 32,
  responses: 64,
  slowMs: 5_000,
  responseMs: 15 * 60_000,
};

function createTransfers(maxOpen: number, slowMs: number) {
  const byNetwork = new Map<string, Set<{ since: number; cut: () => void }>>();
  return (network: string, cut: () => void): (() => void) => {
    const now = performance.now();
    const transfers = byNetwork.get(network) ?? new Set();
    byNetwork.set(network, transfers);
    const transfer = { since: now, cut };
    transfers.add(transfer);
    for (const oldest of transfers) {
      if (transfers.size <= maxOpen || now - oldest.since < slowMs) break;
      transfers.delete(oldest);
      oldest.cut();
    }
    return () => {
      transfers.delete(transfer);
      if (transfers.size === 0 && byNetwork.get(network) === transfers) byNetwork.delete(network);
    };
  };
}

/** Beyond the limit, each new slow connection cuts off the network's slowest, so others still get through. */
export function limitSlowPeers(
  app: FastifyInstance,
  isProxy: (address: string) => boolean,
  limits: Partial<SlowLimits> = {},
): void {
  const { connections, bodies, responses, slowMs, responseMs } = { ...usual, ...limits };
  const silent = createTransfers(connections, slowMs);
  const unfinished = createTransfers(bodies, slowMs);
  const unread = createTransfers(responses, slowMs);
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
  app.addHook('onRequest', ({ raw, ip }, { raw: response }, next) => {
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
    if (!hasBody || raw.complete) return next();
    const finish = unfinished(callerNetwork(ip), () => raw.destroy());
    raw.once('end', finish).once('close', finish);
    // The body of a call that is refused early is never read to its end.
    response.once('finish', finish).once('close', finish);
    next();
  });
  app.addHook('onSend', ({ ip }, { raw: response }, _payload, next) => {
    const cut = () => void response.destroy();
    const release = unread(callerNetwork(ip), cut);
    const late = setTimeout(cut, responseMs).unref();
    const finish = () => {
      clearTimeout(late);
      release();
    };
    response.once('finish', finish).once('close', finish);
    next();
  });
}
