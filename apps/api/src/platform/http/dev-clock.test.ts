import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/harness.ts';
import { createMovableClock } from '../clock.ts';
import { registerDevClock } from './dev-clock.ts';

function serverIn(NODE_ENV: 'development' | 'test' | 'production') {
  const base = new TestClock();
  const clock = createMovableClock(base);
  const ran: string[] = [];
  const app = Fastify();
  registerDevClock(
    app,
    { NODE_ENV },
    { clock, runDue: async () => void ran.push(clock.now().toISOString()) },
  );
  const move = (payload: unknown) =>
    app.inject({ method: 'POST', url: '/dev/clock', payload: payload as Record<string, unknown> });
  return { base, clock, ran, move };
}

describe("the journeys' clock", () => {
  it('moves ahead of real time, keeps running, and runs what is due by then', async () => {
    const { base, clock, ran, move } = serverIn('test');
    const answer = await move({ aheadSeconds: 48 * 3600 });
    expect(answer.json()).toEqual({ now: '2026-11-23T09:00:00.000Z' });
    expect(ran).toEqual(['2026-11-23T09:00:00.000Z']);
    base.forward({ seconds: 30 });
    expect(clock.now().toISOString()).toBe('2026-11-23T09:00:30.000Z');
    await move({ aheadSeconds: 0 });
    expect(clock.now()).toEqual(base.now());
  });

  it('rejects nonsense', async () => {
    const { base, clock, move } = serverIn('test');
    for (const payload of [{}, { aheadSeconds: 'x' }, { aheadSeconds: 1e300 }, { aheadSeconds: 0.5 }, []])
      expect((await move(payload)).statusCode).toBe(422);
    expect(clock.now()).toEqual(base.now());
  });

  for (const mode of ['development', 'production'] as const)
    it(`doesn't exist in ${mode}`, async () => {
      const { base, clock, ran, move } = serverIn(mode);
      expect((await move({ aheadSeconds: 60 })).statusCode).toBe(404);
      expect(clock.now()).toEqual(base.now());
      expect(ran).toEqual([]);
    });
});
