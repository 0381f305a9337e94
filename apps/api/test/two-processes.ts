import { setTimeout as wait } from 'node:timers/promises';
import type { Signal } from '@nearhand/contract/realtime';
import { expect, it } from 'vitest';
import { emit } from '../src/platform/realtime/publish.ts';
import type { useTestApp } from './harness.ts';
import { busesUp, listeningAt } from './sockets.ts';

const jobId = '01a1fbbc-d019-79f0-8086-994049deb373';
const conversationId = '01a1fbbc-d019-79f0-8086-994049deb374';

export const jobChange = { kind: 'record', record: 'job', id: jobId } as const;

/** Connects both processes to the bus before a socket opens, because a later bus would resync it. */
async function startBoth(app: ReturnType<typeof useTestApp>) {
  const second = await app.another();
  await Promise.all([listeningAt(app.server), listeningAt(second.server)]);
  await busesUp(app, second);
  return second;
}

export function describeTwoProcesses(app: ReturnType<typeof useTestApp>): void {
  it("sends one process's commits to sockets of both, and nothing of a rollback", async () => {
    const second = await startBoth(app);
    const leila = await app.person();
    const here = await app.socket(leila);
    const there = await second.socket(leila);
    const room = `account:${leila.accountId}` as const;
    await expect(
      app.db.transaction().execute(async (tx) => {
        emit(tx, [room], { kind: 'notice' });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await app.db.transaction().execute(async (tx) => emit(tx, [room], jobChange));
    await Promise.all([here.received(jobChange), there.received(jobChange)]);
    await second.db.transaction().execute(async (tx) => emit(tx, [room], { ...jobChange, jobId }));
    await Promise.all([here.received({ jobId }), there.received({ jobId })]);
    await wait(100);
    for (const { signals } of [here, there])
      expect(signals.filter((signal) => signal.kind === 'notice')).toEqual([]);
    await second.stop();
  });

  it('sends more than fits one packet, and the newest of one conversation', async () => {
    const second = await startBoth(app);
    const leila = await app.person();
    const there = await second.socket(leila);
    await app.db.transaction().execute(async (tx) => {
      for (let n = 1; n <= 60; n += 1) {
        const id = crypto.randomUUID();
        emit(tx, [`account:${leila.accountId}`], { kind: 'conversation', conversationId: id });
      }
      for (let rev = 1; rev <= 100; rev += 1)
        emit(tx, [`account:${leila.accountId}`], { kind: 'message', conversationId, rev, seq: rev });
    });
    await there.received({ kind: 'message', rev: 100 } as Partial<Signal>);
    await wait(200);
    const of = (kind: string) => there.signals.filter((signal) => signal.kind === kind);
    expect(of('conversation')).toHaveLength(60);
    expect(of('message').length).toBeLessThan(20);
    await second.stop();
  });

  it("ends a session's sockets on every process within 5 seconds of sign-out", async () => {
    const second = await startBoth(app);
    const leila = await app.person();
    const there = await second.socket(leila);
    const { endSessions } = await import('../src/people/sessions/sessions.ts');
    await app.db.transaction().execute((tx) => endSessions(tx, leila.accountId));
    await there.received({ kind: 'session-ended', sessionId: leila.sessionId });
    expect(await there.ended()).toBe('io server disconnect');
    await second.stop();
  });

  it('sends typing without a transaction', async () => {
    const second = await startBoth(app);
    const leila = await app.person();
    const there = await second.socket(leila);
    const signal = {
      kind: 'typing',
      conversationId,
      accountId: crypto.randomUUID(),
      side: 'business',
    } as const;
    app.bus.send([{ rooms: [`account:${leila.accountId}`], signal }]);
    expect(await there.received({ kind: 'typing' })).toEqual(signal);
    await second.stop();
  });
}
