import { type ClientEvents, realtimePath, type Signal } from '@nearhand/contract/realtime';
import type { FastifyInstance } from 'fastify';
import { Server } from 'socket.io';
import { AppError } from './app-error.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import { toAppError } from './http/error-mapper.ts';
import type { Actor } from './http/scope.ts';
import type { Log } from './log.ts';
import type { Bus } from './realtime-bus.ts';
import { countRealtime } from './realtime-counts.ts';
import { cutFloods } from './realtime-flood.ts';
import { createDoor, isOwnOrigin, readHandshake } from './realtime-handshake.ts';
import { createListening, type TypingTo } from './realtime-listening.ts';
import { createOutbox } from './realtime-outbox.ts';
import { Peer, type PeerSocket, type Sockets } from './realtime-peer.ts';
import { createPresence } from './realtime-presence.ts';
import { createRooms } from './realtime-rooms.ts';
import type { Told } from './tell.ts';

export type RealtimeParts = {
  config: Pick<Config, 'PUBLIC_URL' | 'NODE_ENV'>;
  log: Log;
  db: Db;
  clock: Clock;
  bus: Bus;
  authenticate(authorization: string | undefined): Promise<Actor | null>;
  /** Which of these sessions do not count any more. */
  findEndedSessions(sessionIds: readonly string[]): Promise<readonly string[]>;
  /** The businesses of which these accounts are members. */
  findBusinesses(accountIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Who hears that this account types; null where it is not in that conversation or shows no typing. */
  findTypingTo(accountId: string, conversationId: string): Promise<TypingTo | null>;
};

/** An access token and the frame around it; everything else a client says is an id. */
const packetBytes = 2_500;
/** Devices of one account on one process; more is no person. */
const socketsOfAccount = 50;
const recheckMs = 60_000;
/** The authenticator may go by what it knew 3 seconds ago, and memberships may have changed while the door was passed. */
const newcomerMs = 4_000;

/**
 * Sockets of this process (ADR 0089, 0090): who has one is in the rooms of their account and their businesses and hears the signals that the bus brings for them. Begins to listen when the server does.
 */
export function registerRealtime(app: FastifyInstance, parts: RealtimeParts): void {
  const { log, bus } = parts;
  const rooms = createRooms();
  const outbox = createOutbox();
  const presence = createPresence(parts, presentOf, function* all() {
    for (const accountId of new Set([...rooms.everybody].map((peer) => peer.accountId))) {
      const present = presentOf(accountId);
      if (present) yield present;
    }
  });
  const door = createDoor();
  const heard = createListening(parts, (accountId) => presence.changed(accountId));
  let stopping = false;
  let newcomers = new Set<Peer>();

  const io: Sockets = new Server(app.server, {
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
    allowRequest: (request, answer) =>
      stopping || !isOwnOrigin(request.headers.origin, parts.config)
        ? answer(stopping ? 'restart' : 'origin', false)
        : answer(null, true),
  });
  cutFloods(io.engine);

  io.use((socket: PeerSocket, next) => {
    admit(socket).then(
      () => next(),
      (error) => {
        // The library at the other end hangs up when it is refused; whoever does not is not waited for.
        setTimeout(() => socket.conn.close(), 2_000).unref();
        next(new Error(toAppError(error, log).code));
      },
    );
  });

  const admit = (socket: PeerSocket): Promise<void> =>
    door(async () => {
      // Whoever waited too long has gone, and is not asked about.
      if (socket.conn.readyState !== 'open') throw new AppError('request/unavailable');
      const actor = await readHandshake(socket.handshake.auth, parts.authenticate);
      const businesses = await parts.findBusinesses([actor.accountId]);
      socket.data = { peer: new Peer(socket, actor), businesses: businesses.get(actor.accountId) ?? [] };
    });

  io.on('connection', (socket) => {
    const { peer, businesses = [] } = socket.data;
    if (!peer) return;
    const others = rooms.ofAccount(peer.accountId);
    if (others.size >= socketsOfAccount) [...others][0]?.cut();
    rooms.place(peer, businesses);
    if (newcomers.size === 0) setTimeout(recheckNewcomers, newcomerMs).unref();
    newcomers.add(peer);
    presence.changed(peer.accountId);
    socket.use(([event, ...values], next) => {
      heard(peer, event as keyof ClientEvents, values);
      next();
    });
    socket.on('disconnect', () => leave(peer));
    shed(socket);
  });

  function leave(peer: Peer): void {
    rooms.remove(peer);
    outbox.forget(peer);
    newcomers.delete(peer);
    presence.changed(peer.accountId);
  }

  function presentOf(accountId: string) {
    const peers = [...rooms.ofAccount(accountId)];
    if (peers.length === 0) return null;
    return { accountId, looking: peers.findLast((peer) => peer.looking !== null)?.looking ?? null };
  }

  function told(all: readonly Told[]): void {
    for (const { rooms: to, signal } of all) {
      for (const room of to) for (const peer of rooms.in(room)) deliver(peer, signal);
      if (!mayChangeRooms(signal)) continue;
      recheck(to.flatMap((room) => (room.startsWith('account:') ? [...rooms.in(room)] : [])));
    }
  }

  function deliver(peer: Peer, signal: Signal): void {
    if (signal.kind === 'session-ended') return;
    if (signal.kind === 'typing' && signal.accountId === peer.accountId) return;
    outbox.push(peer, signal);
  }

  /** Asks whether these sessions still count, and which businesses their accounts have; in two statements, however many they are. */
  async function recheck(peers: readonly Peer[]): Promise<void> {
    if (peers.length === 0) return;
    try {
      const [ended, businesses] = await Promise.all([
        parts.findEndedSessions([...new Set(peers.map((peer) => peer.sessionId))]),
        parts.findBusinesses([...new Set(peers.map((peer) => peer.accountId))]),
      ]);
      const over = new Set(ended);
      for (const peer of peers) {
        if (!rooms.everybody.has(peer)) continue;
        if (over.has(peer.sessionId)) peer.end();
        else rooms.place(peer, businesses.get(peer.accountId) ?? []);
      }
    } catch (error) {
      log.warn({ err: error }, 'sockets were not rechecked');
    }
  }

  function recheckNewcomers(): void {
    const peers = [...newcomers];
    newcomers = new Set();
    void recheck(peers);
  }

  const everyMinute = setInterval(() => recheck([...rooms.everybody]), recheckMs);
  everyMinute.unref();

  app.addHook('onListen', async () => {
    bus.listen({
      told,
      regained() {
        for (const peer of rooms.everybody) outbox.push(peer, { kind: 'resync' });
        void recheck([...rooms.everybody]);
      },
    });
  });

  app.addHook('preClose', async () => {
    stopping = true;
    clearInterval(everyMinute);
    const peers = [...rooms.everybody];
    for (const peer of peers) peer.sendAway();
    if (peers.length > 0) await new Promise((resolve) => setTimeout(resolve, 200));
    io.engine.close();
    for (const peer of peers) peer.cut();
    for (const peer of peers) leave(peer);
    outbox.stop();
    await presence.stop();
  });

  countRealtime(app, { sockets: () => rooms.everybody.size, isUp: () => bus.isUp(), counts: outbox.counts });
}

/** Told to an account, these say that its sessions or memberships are others now. */
const mayChangeRooms = (signal: Signal): boolean =>
  signal.kind === 'session-ended' || (signal.kind === 'record' && signal.record === 'business');

/** Lets go of what the handshake left behind: a socket lives for hours, and its headers and token are of no more use. */
function shed(socket: PeerSocket): void {
  const holder = socket as unknown as { handshake: unknown; data: unknown; conn: { request: unknown } };
  holder.handshake = {};
  holder.data = {};
  holder.conn.request = null;
}
