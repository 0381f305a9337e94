import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { describeTwoProcesses, jobChange } from '../../../test/two-processes.ts';
import { createLog } from '../log.ts';
import { emit, signalsChannel } from './publish.ts';
import type { BusListener } from './realtime-bus.ts';
import { createPostgresBus } from './realtime-postgres.ts';

const app = useTestApp();

describe('two processes over PostgreSQL', () => {
  describeTwoProcesses(app);

  it('resyncs its sockets after losing the listening connection, and receives again', async () => {
    const leila = await app.person();
    const socket = await app.socket(leila);
    const { rows } = await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nearhand signals' and datname = current_database()`,
    );
    expect(rows.length).toBeGreaterThan(0);
    await socket.received({ kind: 'resync' });
    await app.db.transaction().execute(async (tx) => emit(tx, [`account:${leila.accountId}`], jobChange));
    await socket.received(jobChange);
  });
});

async function openBus(more: Partial<BusListener> = {}) {
  const bus = createPostgresBus(app.directUrl, createLog({ LOG_LEVEL: 'silent' }));
  const received: string[] = [];
  await new Promise<void>((resolve) =>
    bus.listen({
      deliver: (signals) => received.push(...signals.map(({ signal }) => signal.kind)),
      regained: resolve,
      ...more,
    }),
  );
  return { bus, received };
}

const eventually = async (what: () => boolean) => {
  for (let tries = 0; tries < 400 && !what(); tries += 1) await wait(25);
  return what();
};

describe('the bus on PostgreSQL', () => {
  it('sends the signals of many commits in few notifications, in order', async () => {
    const { bus } = await openBus();
    const raw = new pg.Client(app.directUrl);
    await raw.connect();
    const packs: string[] = [];
    raw.on('notification', ({ payload = '' }) => packs.push(payload));
    await raw.query(`listen ${signalsChannel}`);
    const signals = Array.from({ length: 50 }, (_, at) => ({
      rooms: [`account:${at}`] as const,
      signal: { kind: 'resync' as const },
    }));
    for (const signal of signals) bus.signals.afterCommit?.([signal]);
    const sent = () => packs.flatMap((pack) => JSON.parse(pack) as { rooms: string[] }[]);
    expect(await eventually(() => sent().length >= 50)).toBe(true);
    expect(sent().map(({ rooms }) => rooms[0])).toEqual(signals.map(({ rooms }) => rooms[0]));
    expect(packs.length).toBeLessThan(5);
    await raw.end();
    await bus.stop();
  });

  it('resyncs when a process vanished with possibly unsent signals, but not when one stopped', async () => {
    const stays = await openBus();
    const stops = await openBus();
    const vanishing = new pg.Client({
      connectionString: app.directUrl,
      application_name: 'nearhand signals',
    });
    vanishing.on('error', () => {});
    await vanishing.connect();
    stops.bus.signals.afterCommit?.([{ rooms: ['everyone'], signal: { kind: 'notice' } as never }]);
    await stops.bus.stop();
    expect(await eventually(() => stays.received.includes('notice'))).toBe(true);
    // Two checks later: the first sees the process, the second misses it.
    await wait(6_000);
    expect(stays.received).toEqual(['notice']);
    await app.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where pid = $1`, [
      (vanishing as unknown as { processID: number }).processID,
    ]);
    expect(await eventually(() => stays.received.includes('resync'))).toBe(true);
    await stays.bus.stop();
  });
});
