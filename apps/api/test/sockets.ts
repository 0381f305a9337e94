import { type ClientEvents, realtimePath, type ServerEvents, type Signal } from '@nearhand/contract/realtime';
import type { FastifyInstance } from 'fastify';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { expect, vi } from 'vitest';

export type TestSocket = {
  signals: Signal[];
  ends: string[];
  socket: Socket<ServerEvents, ClientEvents>;
  received(fits: Partial<Signal> | ((signal: Signal) => boolean), withinMs?: number): Promise<Signal>;
  ended(withinMs?: number): Promise<string>;
  close(): void;
};

export async function listeningAt(server: FastifyInstance): Promise<string> {
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' });
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return `http://127.0.0.1:${address.port}`;
}

/** A bus connects a moment after the server listens. */
export const busesUp = (...all: { bus: { isUp(): boolean } }[]) =>
  vi.waitFor(() => expect(all.map(({ bus }) => bus.isUp())).toEqual(all.map(() => true)), {
    timeout: 8_000,
    interval: 20,
  });

/** Resolves when the bus is ready: before that, the device would miss signals and get a resync. */
export async function openDevice(
  server: FastifyInstance,
  bus: { isUp(): boolean },
  { token }: { token: string },
): Promise<TestSocket> {
  const url = await listeningAt(server);
  await busesUp({ bus });
  return openSocket(url, { token });
}

/** Reconnects only if `options` ask for it. */
export async function openSocket(
  url: string,
  auth: object,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Promise<TestSocket> {
  const socket: Socket<ServerEvents, ClientEvents> = io(url, {
    path: realtimePath,
    addTrailingSlash: false,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: auth as Record<string, unknown>,
    ...options,
  });
  const signals: Signal[] = [];
  const endings: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  socket.on('signals', (received) => {
    signals.push(...received);
    wake();
  });
  for (const event of ['connect_error', 'disconnect'] as const)
    socket.on(event as 'disconnect', (reason: string | Error) => {
      endings.push(reason instanceof Error ? reason.message : reason);
      wake();
    });
  const until = <Value>(find: () => Value | undefined, withinMs: number, label: string): Promise<Value> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(
          new Error(`${label} within ${withinMs} ms; heard ${JSON.stringify(signals)}, ends ${endings}`),
        );
      }, withinMs);
      const look = () => {
        const match = find();
        if (match === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(match);
      };
      waiting.add(look);
      look();
    });
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('connect_error', () => resolve());
    // Closed before a response: neither of the two events fires.
    socket.io.on('close', (reason) =>
      setTimeout(() => {
        if (endings.length === 0) endings.push(reason);
        wake();
        resolve();
      }),
    );
  });
  return {
    signals,
    ends: endings,
    socket,
    received: (fits, withinMs = 5_000) =>
      until(
        () =>
          signals.find((signal) =>
            typeof fits === 'function'
              ? fits(signal)
              : Object.entries(fits).every(
                  ([name, value]) => (signal as Record<string, unknown>)[name] === value,
                ),
          ),
        withinMs,
        `not heard: ${JSON.stringify(fits)}`,
      ),
    ended: (withinMs = 5_000) => until(() => endings[0], withinMs, 'not ended'),
    close: () => void socket.disconnect(),
  };
}
