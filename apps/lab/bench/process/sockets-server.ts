import { createServer } from 'node:http';
import { writeHeapSnapshot } from 'node:v8';
import { systemClock } from '@nearhand/api/src/platform/clock.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createMetrics } from '@nearhand/api/src/platform/metrics/metrics.ts';
import type { RealtimeParts } from '@nearhand/api/src/platform/realtime/realtime.ts';
import { registerRealtime, socketOptions } from '@nearhand/api/src/platform/realtime/realtime.ts';
import type { DB } from '@nearhand/api/src/platform/tables.gen.ts';
import { fastify } from 'fastify';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { Server } from 'socket.io';

/**
 * Holds sockets for `idle-sockets.ts`, which asks for its memory after a collection, or for a snapshot of its heap. `bare`: Socket.IO alone with our settings. `ours`: our own
 * sockets, whose accounts are accepted without a database.
 */
const [, , which = 'ours', port = '0'] = process.argv;
const collect = () => {
  for (const _ of [1, 2, 3]) (globalThis as { gc?: () => void }).gc?.();
};
process.on('message', (asked: { snapshot?: string }) => {
  collect();
  if (asked.snapshot) writeHeapSnapshot(asked.snapshot);
  process.send?.(process.memoryUsage());
});

if (which === 'bare') {
  const server = createServer();
  new Server(server, socketOptions);
  server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
} else await ours();

async function ours(): Promise<void> {
  const app = fastify();
  app.decorate('metrics', createMetrics());
  registerRealtime(app, parts());
  await app.listen({ port: Number(port), host: '127.0.0.1' });
  process.send?.('ready');
}

function parts(): RealtimeParts {
  return {
    config: readConfig({
      NODE_ENV: 'development',
      SECRET: 'the secret of idle sockets, thirty-two and more',
      SOCKETS_PER_ADDRESS: '1000000',
    }),
    log: createLog({ LOG_LEVEL: 'silent' }),
    // Presence is written to nowhere.
    db: new Kysely<DB>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    clock: systemClock,
    bus: { signals: {}, send() {}, listen() {}, isUp: () => true, stop: async () => {} },
    async authenticate(authorization) {
      const [, claims = ''] = String(authorization).split('.');
      const { sub, sid } = JSON.parse(Buffer.from(claims, 'base64url').toString());
      return { accountId: sub, sessionId: sid, emailVerified: true };
    },
    findTypingTo: async () => null,
    findEndedSessions: async () => [],
    findBusinesses: async () => new Map(),
    findSeers: async () => [],
  };
}
