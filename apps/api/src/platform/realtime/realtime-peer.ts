import type { ClientEvents, ServerEvents, Signal } from '@nearhand/contract/realtime';
import type { Server, Socket } from 'socket.io';
import type { Actor } from '../http/scope.ts';
import type { Membership } from '../members/job-members.ts';
import type { RealtimeRoom } from './publish.ts';
import type { Wire } from './realtime-outbox.ts';

type Admitted = { peer?: Peer; businesses?: readonly Membership[] };
export type Sockets = Server<ClientEvents, ServerEvents, Record<string, never>, Admitted>;
export type PeerSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, Admitted>;

/** Bytes that the OS may buffer for one socket. */
const maxBuffered = 256 * 1024;

type Connection = {
  writeBuffer: readonly unknown[];
  transport: {
    writable: boolean;
    socket?: { bufferedAmount: number; terminate(): void; close(code: number, reason: string): void };
  };
};

export class Peer implements Wire {
  readonly socket: PeerSocket;
  readonly accountId: string;
  readonly sessionId: string;
  rooms: ReadonlySet<RealtimeRoom> = new Set();
  looking: string | null = null;
  typed: { conversationId: string; at: number } | null = null;
  received = { since: 0, count: 0 };

  /** The end of its token, by the server's clock. */
  readonly tokenEndsAt: number;

  constructor(socket: PeerSocket, actor: Actor, tokenEndsAt: number) {
    this.socket = socket;
    this.tokenEndsAt = tokenEndsAt;
    this.accountId = actor.accountId;
    this.sessionId = actor.sessionId;
  }

  get #connection(): Connection {
    return this.socket.conn as unknown as Connection;
  }

  emit(event: 'signals', signals: readonly Signal[]): void {
    this.socket.emit(event, signals);
  }

  isClear(): boolean {
    const { writeBuffer, transport } = this.#connection;
    return (
      transport.writable && writeBuffer.length === 0 && (transport.socket?.bufferedAmount ?? 0) < maxBuffered
    );
  }

  cut(): void {
    this.#connection.transport.socket?.terminate();
  }

  /** Makes the device reconnect after a random delay: 1012 is a service restart. */
  sendAway(): void {
    this.#connection.transport.socket?.close(1012, 'restart');
  }

  /** Ends an expired session; a client that does not read is cut. */
  end(): void {
    this.emit('signals', [{ kind: 'session-ended', sessionId: this.sessionId }]);
    this.socket.disconnect(true);
    setTimeout(() => this.cut(), 2_000).unref();
  }
}
