import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isId } from '@nearhand/contract/ids';
import { limits } from '@nearhand/contract/limits';
import { type ClientEvents, realtimePath } from '@nearhand/contract/realtime';
import type { FastifyInstance } from 'fastify';
import { decodeJwt } from 'jose';
import { Counter, Gauge } from 'prom-client';
import { Server, type ServerOptions } from 'socket.io';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/config-shapes.ts';
import { networkOf } from '../connections/network-of.ts';
import type { Db } from '../db.ts';
import { toAppError } from '../http/error-mapper.ts';
import type { Actor } from '../http/scope.ts';
import type { Log } from '../log.ts';
import type { Present } from './presence.sql.ts';
import type { RealtimeRoom } from './publish.ts';
import type { Bus } from './realtime-bus.ts';
import { createDelivery } from './realtime-delivery.ts';
import { createOutbox, type OutboxCounts } from './realtime-outbox.ts';
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
  authenticate(authorization: string | undefined): Actor | null | Promise<Actor | null>;
  /** Null outside the conversation, or if the account hides typing. */
  findTypingTo(accountId: string, conversationId: string): Promise<TypingTo | null>;
};

/** Fits an access token; everything else a client sends is an id. */
const packetBytes = 2_500;
const socketsOfAccount = 50;
/** Refused clients disconnect themselves; others are cut after this time. */
const refusedMs = 2_000;
const disconnectMs = 200;

/** Opens this process's sockets and joins them to their account's and businesses' rooms (ADR 89, 90). */
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
  const isExternal = parts.config.IDENTITY_PROVIDER !== 'built-in';
  const received = createListening(parts, (accountId) => presence.changed(accountId));
  const rechecks = createRecheck(parts, rooms);
  const delivery = createDelivery({ rooms, outbox, rechecks, findSeers: parts.findSeers, log });
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
    if (isExternal) endWithToken(socket, peer, parts.clock);
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
      deliver: delivery,
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

function presentOf(rooms: Rooms, accountId: string): Present | null {
  const peers = [...rooms.ofAccount(accountId)];
  if (peers.length === 0) return null;
  const openConversationId = peers.findLast((peer) => peer.looking !== null)?.looking ?? null;
  return { accountId, openConversationId };
}

function* everyonePresent(rooms: Rooms): Generator<Present> {
  for (const accountId of new Set([...rooms.everyone].map((peer) => peer.accountId))) {
    const present = presentOf(rooms, accountId);
    if (present) yield present;
  }
}

/** Closes with the token, so that an external provider is asked again (ADR 224). */
function endWithToken(socket: PeerSocket, peer: Peer, clock: Clock): void {
  const over = setTimeout(() => peer.sendAway(), peer.tokenEndsAt - clock.now().getTime());
  over.unref();
  socket.on('disconnect', () => clearTimeout(over));
}

/** Removed at once, since a burst must not find the oldest socket again before it closes. */
function makeRoom(peers: ReadonlySet<Peer>, leave: (peer: Peer) => void): void {
  const [oldest] = peers;
  if (!oldest || peers.size < socketsOfAccount) return;
  leave(oldest);
  oldest.cut();
}

/** Shared with benchmarks of a bare server. */
const socketOptions = {
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

/** @param refusal the reason to reject a request before its handshake; null accepts it */
function openSockets(app: FastifyInstance, refusal: (request: IncomingMessage) => string | null): Sockets {
  const io: Sockets = new Server(app.server, {
    ...socketOptions,
    allowRequest: (request, answer) => {
      const reason = refusal(request);
      answer(reason, reason === null);
    },
  });
  cutFloods(io.engine);
  return io;
}

/** @throws session/required, session/expired, session/email-not-verified, request/unavailable */
async function admit(socket: PeerSocket, parts: RealtimeParts): Promise<void> {
  // A client that waited too long has disconnected; skip the query.
  if (socket.conn.readyState !== 'open') throw new AppError('request/unavailable');
  const { actor, tokenEndsAt } = await readHandshake(socket.handshake.auth, parts.authenticate);
  const businesses = await parts.findBusinesses([actor.accountId]);
  socket.data = {
    peer: new Peer(socket, actor, tokenEndsAt),
    businesses: businesses.get(actor.accountId) ?? [],
  };
}

/** Frees handshake headers, token and Socket.IO's own room, since sockets live for hours. */
function shed(socket: PeerSocket): void {
  socket.nsp.adapter.delAll(socket.id);
  const holder = socket as unknown as { handshake: unknown; data: unknown; conn: { request: unknown } };
  holder.handshake = {};
  holder.data = {};
  holder.conn.request = null;
}

/** Counts sockets per network from the first byte, so that a burst counts too. */
function createSocketCap(
  maxOpen: number,
  networkOf: (request: IncomingMessage) => string,
): (request: IncomingMessage & { socket: Socket }) => boolean {
  const open = new Map<string, number>();
  return (request) => {
    const network = networkOf(request);
    const count = open.get(network) ?? 0;
    if (count >= maxOpen) return false;
    open.set(network, count + 1);
    request.socket.once('close', () => {
      const remaining = (open.get(network) ?? 1) - 1;
      if (remaining === 0) open.delete(network);
      else open.set(network, remaining);
    });
    return true;
  };
}

/** Packets per connection within the time below; apps send far fewer. */
const maxPackets = 200;
const withinMs = 10_000;

type Connection = {
  on(event: 'packet', received: () => void): unknown;
  close(discard: boolean): unknown;
  transport: unknown;
};
type Engine = { on(event: 'connection', came: (connection: Connection) => void): unknown };

/** The library buffers answers for a client that does not read, which would fill the memory (ADR 90). */
function cutFloods(engine: Engine): void {
  engine.on('connection', (connection) => {
    let since = performance.now();
    let count = 0;
    connection.on('packet', () => {
      const at = performance.now();
      if (at - since > withinMs) {
        since = at;
        count = 0;
      }
      count += 1;
      if (count <= maxPackets) return;
      // Closed first, so that packets already received are dropped.
      connection.close(true);
      (connection.transport as { socket?: { terminate(): void } }).socket?.terminate();
    });
  });
}

function countRealtime(
  app: FastifyInstance,
  status: { sockets(): number; isUp(): boolean; counts: OutboxCounts },
): void {
  const registers = [app.metrics];
  new Gauge({
    name: 'realtime_sockets',
    help: 'Open sockets of this process',
    registers,
    collect() {
      this.set(status.sockets());
    },
  });
  new Gauge({
    name: 'realtime_bus_up',
    help: '1 while this process receives signals from the others',
    registers,
    collect() {
      this.set(status.isUp() ? 1 : 0);
    },
  });
  for (const [name, help] of [
    ['sent', 'Signals sent to sockets'],
    ['dropped', 'Signals that became a resync because a socket did not read'],
    ['cut', 'Sockets dropped because nothing moved on them'],
  ] as const)
    new Counter({
      name: `realtime_signals_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(status.counts[name]);
      },
    });
}

/** Browsers don't enforce origins for sockets. Other clients send none; in development any local page may. */
export function isOwnOrigin(
  origin: string | undefined,
  { PUBLIC_URL, NODE_ENV, NATIVE_ORIGINS }: Pick<Config, 'PUBLIC_URL' | 'NODE_ENV' | 'NATIVE_ORIGINS'>,
): boolean {
  if (origin === undefined || NATIVE_ORIGINS.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  return (
    new URL(origin).origin === new URL(PUBLIC_URL).origin || (NODE_ENV !== 'production' && isLoopback(origin))
  );
}

/** @throws session/required, session/expired, session/email-not-verified */
async function readHandshake(
  auth: unknown,
  authenticate: (authorization: string | undefined) => Actor | null | Promise<Actor | null>,
): Promise<{ actor: Actor; tokenEndsAt: number }> {
  const token = (auth as { token?: unknown } | null | undefined)?.token;
  if (typeof token !== 'string' || token === '') throw new AppError('session/required');
  const actor = await authenticate(`Bearer ${token}`);
  if (!actor) throw new AppError('session/required');
  if (!actor.emailVerified) throw new AppError('session/email-not-verified');
  return { actor, tokenEndsAt: (decodeJwt(token).exp ?? 0) * 1_000 };
}

/** Concurrent handshakes, so that a reconnecting fleet leaves connections to active users. */
const atOnce = 3;
const maxWaiting = 5_000;

function createDoor() {
  let inside = 0;
  const queue: (() => void)[] = [];
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (queue.length >= maxWaiting) throw new AppError('request/unavailable');
    if (inside >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
    else inside += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}

type TypingTo = { rooms: readonly RealtimeRoom[]; side: 'worker' | 'business' };

type ListeningParts = {
  clock: Clock;
  log: Log;
  bus: Bus;
  findTypingTo(accountId: string, conversationId: string): Promise<TypingTo | null>;
};

/** Our apps never send this many; a client that does is disconnected. */
const maxEvents = 60;
const maxEventsMs = 10_000;
/** Apps send it every `limits.typingMs` / 2 by their own clock; the network adds jitter. */
const typedAgainMs = limits.typingMs / 3;
const typedElsewhereMs = 500;

/** Unknown events are ignored, because events have no response. */
export function createListening(parts: ListeningParts, presenceChanged: (accountId: string) => void) {
  const { clock, log, bus } = parts;

  async function type(peer: Peer, conversationId: string): Promise<void> {
    const at = clock.now().getTime();
    const { typed } = peer;
    const pause = typed?.conversationId === conversationId ? typedAgainMs : typedElsewhereMs;
    if (typed && Math.abs(at - typed.at) < pause) return;
    peer.typed = { conversationId, at };
    const to = await parts.findTypingTo(peer.accountId, conversationId);
    if (to)
      bus.send([
        {
          rooms: to.rooms,
          signal: { kind: 'typing', conversationId, accountId: peer.accountId, side: to.side },
        },
      ]);
  }

  return (peer: Peer, event: keyof ClientEvents, [value]: readonly unknown[]): void => {
    const at = clock.now().getTime();
    if (Math.abs(at - peer.received.since) > maxEventsMs) peer.received = { since: at, count: 0 };
    peer.received.count += 1;
    if (peer.received.count > maxEvents) {
      peer.cut();
      return;
    }
    if (event === 'typing' && isId(value))
      type(peer, value).catch((error) => log.debug({ err: error }, 'typing was not sent'));
    if (event === 'looking' && (value === null || isId(value)) && peer.looking !== value) {
      peer.looking = value;
      presenceChanged(peer.accountId);
    }
  };
}
