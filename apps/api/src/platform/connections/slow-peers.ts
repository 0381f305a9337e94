import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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

type Peer = {
  socket: Socket;
  /** The latest request and its response. */
  call: { request: FastifyRequest; reply: FastifyReply } | null;
  /** The time when its response was first found unread. */
  unreadSince: number | null;
};

/**
 * Looks for responses that are not read, twice until one counts as slow. Looking is cheaper than following each
 * response, and hardly any is slow.
 */
function watchResponses(
  app: FastifyInstance,
  peers: ReadonlySet<Peer>,
  { responses, slowMs, responseMs }: SlowLimits,
): void {
  const look = () => {
    const now = performance.now();
    const slowByNetwork = new Map<string, Peer[]>();
    for (const peer of peers) {
      const response = peer.call?.reply.raw;
      if (response?.writableFinished) peer.call = null;
      if (!peer.call || !response?.headersSent) {
        peer.unreadSince = null;
        continue;
      }
      peer.unreadSince ??= now;
      if (now - peer.unreadSince >= responseMs) peer.socket.destroy();
      else if (now - peer.unreadSince >= slowMs) {
        const network = callerNetwork(peer.call.request.ip);
        slowByNetwork.set(network, [...(slowByNetwork.get(network) ?? []), peer]);
      }
    }
    for (const slow of slowByNetwork.values()) {
      slow.sort((a, b) => Number(a.unreadSince) - Number(b.unreadSince));
      for (const { socket } of slow.slice(0, Math.max(0, slow.length - responses))) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(slowMs, responseMs) / 2).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Beyond the limit, each new slow connection cuts off the network's slowest, so others still get through. */
export function limitSlowPeers(
  app: FastifyInstance,
  isProxy: (address: string) => boolean,
  limits: Partial<SlowLimits> = {},
): void {
  const chosen = { ...usual, ...limits };
  const { connections, bodies, slowMs } = chosen;
  const silent = createTransfers(connections, slowMs);
  const unfinished = createTransfers(bodies, slowMs);
  const peers = new Set<Peer>();
  const peerOf = new WeakMap<Socket, Peer>();
  const waiting = new WeakMap<Socket, () => void>();
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const peer: Peer = { socket, call: null, unreadSince: null };
    peers.add(peer);
    peerOf.set(socket, peer);
    socket.once('close', () => peers.delete(peer));
    if (isProxy(address)) return;
    const spoke = silent(callerNetwork(address), () => socket.destroy());
    waiting.set(socket, spoke);
    socket.once('close', spoke);
  });
  const spoke = ({ socket }: IncomingMessage) => waiting.get(socket)?.();
  app.server.prependListener('request', spoke);
  app.server.prependListener('upgrade', spoke);
  app.addHook('onRequest', (request, reply, next) => {
    const { raw } = request;
    const peer = peerOf.get(raw.socket);
    if (peer) {
      peer.call = { request, reply };
      peer.unreadSince = null;
    }
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
    if (!hasBody || raw.complete) return next();
    const { raw: response } = reply;
    const finish = unfinished(callerNetwork(request.ip), () => raw.destroy());
    raw.once('end', finish).once('close', finish);
    // The body of a call that is refused early is never read to its end.
    response.once('finish', finish).once('close', finish);
    next();
  });
  watchResponses(app, peers, chosen);
}
