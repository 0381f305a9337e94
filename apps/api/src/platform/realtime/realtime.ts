import type { IncomingMessage } from 'node:http';
import { type ClientEvents, realtimePath } from '@nearhand/contract/realtime';
import type { FastifyInstance } from 'fastify';
import { Server, type ServerOptions } from 'socket.io';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { networkOf } from '../connections/network-of.ts';
import type { Db } from '../db.ts';
import { toAppError } from '../http/error-mapper.ts';
import type { Actor } from '../http/scope.ts';
import type { Log } from '../log.ts';
import type { Present } from './presence.sql.ts';
import type { Bus } from './realtime-bus.ts';
import { createSocketCap } from './realtime-cap.ts';
import { countRealtime } from './realtime-counts.ts';
import { createDelivery } from './realtime-delivery.ts';
import { cutFloods } from './realtime-flood.ts';
import { createDoor, isOwnOrigin, readHandshake } from './realtime-handshake.ts';
import { createListening, type TypingTo } from './realtime-listening.ts';
import { createOutbox } from './realtime-outbox.ts';
import { Peer, type PeerSocket, type Sockets } from './realtime-peer.ts';
import { createPresence } from './realtime-presence.ts';
import { createRecheck, type RecheckParts } from './realtime-recheck.ts';
import { createRooms, type Rooms } from './realtime-rooms.ts';

export type RealtimeParts = RecheckParts & {
  config: Pick<
    Config,
    'IDENTITY_PROVIDER' | 'NATIVE_ORIGINS' | 'NODE_ENV' | 'PUBLIC_URL' | 'SOCKETS_PER_ADDRESS' | 'TRUST_PROXY'
  >;
  log: Log;
  db: Db;
  clock: Clock;
  bus: Bus;
  authenticate(authorization: string | undefined): Promise<Actor | null>;
  /** Who sees this account typing; null if it is not in that conversation or hides typing. */
  findTypingTo(accountId: string, conversationId: string): Promise<TypingTo | null>;
};

/** An access token and its frame; everything else a client sends is an id. */
const packetBytes = 2_500;
/** Devices per account and process; nobody has more. */
const socketsOfAccount = 50;
/** A refused client hangs up by itself; don't wait for one that doesn't. */
const refusedMs = 2_000;
/** Time to flush what is in flight before disconnecting. */
const disconnectMs = 200;

/**
 * The sockets of this process (ADR 89, 90): each is in the rooms of its account and businesses and receives the bus's signals for
 * them. Starts to listen with the server.
 */
export function registerRealtime(app: FastifyInstance, parts: RealtimeParts): void {
  const { log, bus } = parts;
  const rooms = createRooms();
  const outbox = createOutbox();
  const presence = createPresence(
    parts,
    (accountId) => presentOf(rooms, accountId),
    () => everyonePresent(rooms),
  );
  const door = createDoor();
  const external = parts.config.IDENTITY_PROVIDER !== 'built-in';
  const received = createListening(parts, (accountId) => presence.changed(accountId));
  const rechecks = createRecheck(parts, rooms);
  const notified = createDelivery({ rooms, outbox, rechecks, findSeers: parts.findSeers, log });
  let stopping = false;

  const hasRoom = createSocketCap(parts.config.SOCKETS_PER_ADDRESS, networkOf(parts.config));
  const io = openSockets(app, (request) => {
    if (stopping) return 'restart';
    if (!isOwnOrigin(request.headers.origin, parts.config)) return 'origin';
    return hasRoom(request) ? null : 'too many';
  });
  io.use((socket: PeerSocket, next) => {
    door(() => admit(socket, parts)).then(
      () => next(),
      (error) => {
        setTimeout(() => socket.conn.close(), refusedMs).unref();
        next(new Error(toAppError(error, log).code));
      },
    );
  });

  io.on('connection', (socket) => {
    const { peer, businesses = [] } = socket.data;
    if (!peer) return;
    makeRoom(rooms.ofAccount(peer.accountId), leave);
    rooms.place(peer, businesses);
    rechecks.came(peer);
    presence.changed(peer.accountId);
    socket.use(([event, ...values], next) => {
      received(peer, event as keyof ClientEvents, values);
      next();
    });
    if (external) endWithToken(socket, peer, parts.clock);
    socket.on('disconnect', () => leave(peer));
    shed(socket);
  });

  function leave(peer: Peer): void {
    rooms.remove(peer);
    outbox.forget(peer);
    rechecks.left(peer);
    presence.changed(peer.accountId);
  }

  app.addHook('onListen', async () => {
    bus.listen({
      notified,
      regained() {
        for (const peer of rooms.everyone) outbox.push(peer, { kind: 'resync' });
        void rechecks.recheckEveryone();
      },
    });
  });

  app.addHook('preClose', async () => {
    stopping = true;
    rechecks.stop();
    const peers = [...rooms.everyone];
    for (const peer of peers) peer.sendAway();
    if (peers.length > 0) await new Promise((resolve) => setTimeout(resolve, disconnectMs));
    io.engine.close();
    for (const peer of peers) peer.cut();
    for (const peer of peers) leave(peer);
    outbox.stop();
    await presence.stop();
  });

  countRealtime(app, { sockets: () => rooms.everyone.size, isUp: () => bus.isUp(), counts: outbox.counts });
}

/** Whether an account has a socket here, and what it looks at; null without one. */
function presentOf(rooms: Rooms, accountId: string): Present | null {
  const peers = [...rooms.ofAccount(accountId)];
  if (peers.length === 0) return null;
  return { accountId, looking: peers.findLast((peer) => peer.looking !== null)?.looking ?? null };
}

function* everyonePresent(rooms: Rooms): Generator<Present> {
  for (const accountId of new Set([...rooms.everyone].map((peer) => peer.accountId))) {
    const present = presentOf(rooms, accountId);
    if (present) yield present;
  }
}

/** An account may end at another provider, which is asked when a token is renewed (ADR 224). */
function endWithToken(socket: PeerSocket, peer: Peer, clock: Clock): void {
  const over = setTimeout(() => peer.sendAway(), peer.tokenEndsAt - clock.now().getTime());
  over.unref();
  socket.on('disconnect', () => clearTimeout(over));
}

/** Cuts an account's oldest socket if it has too many. It closes a moment later; in a burst the next one must not find it here again. */
function makeRoom(peers: ReadonlySet<Peer>, leave: (peer: Peer) => void): void {
  const [oldest] = peers;
  if (!oldest || peers.size < socketsOfAccount) return;
  leave(oldest);
  oldest.cut();
}

/** How Socket.IO runs here; benchmarks compare a bare server with the same. */
export const socketOptions = {
  path: realtimePath,
  addTrailingSlash: false,
  transports: ['websocket'],
  allowUpgrades: false,
  serveClient: false,
  perMessageDeflate: false,
  httpCompression: false,
  maxHttpBufferSize: packetBytes,
  pingInterval: 25_000,
  pingTimeout: 20_000,
  connectTimeout: 30_000,
} satisfies Partial<ServerOptions>;

/**
 * The socket server on the app's HTTP server.
 * @param refusal why this request is refused before its greeting; null accepts it
 */
function openSockets(app: FastifyInstance, refusal: (request: IncomingMessage) => string | null): Sockets {
  const io: Sockets = new Server(app.server, {
    ...socketOptions,
    allowRequest: (request, answer) => {
      const why = refusal(request);
      answer(why, why === null);
    },
  });
  cutFloods(io.engine);
  return io;
}

/**
 * Authenticates a socket and stores the account and its businesses on it.
 * @throws session/required, session/expired, session/email-not-verified, request/unavailable
 */
async function admit(socket: PeerSocket, parts: RealtimeParts): Promise<void> {
  // A client that waited too long is gone; skip the query.
  if (socket.conn.readyState !== 'open') throw new AppError('request/unavailable');
  const { actor, tokenEndsAt } = await readHandshake(socket.handshake.auth, parts.authenticate);
  const businesses = await parts.findBusinesses([actor.accountId]);
  socket.data = {
    peer: new Peer(socket, actor, tokenEndsAt),
    businesses: businesses.get(actor.accountId) ?? [],
  };
}

/**
 * Frees what a socket, which lives for hours, no longer needs: headers and token of its handshake, and the room that Socket.IO makes for each, since
 * ours are `realtime-rooms.ts`.
 */
function shed(socket: PeerSocket): void {
  socket.nsp.adapter.delAll(socket.id);
  const holder = socket as unknown as { handshake: unknown; data: unknown; conn: { request: unknown } };
  holder.handshake = {};
  holder.data = {};
  holder.conn.request = null;
}
