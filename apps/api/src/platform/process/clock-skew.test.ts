import { addMs } from '@nearhand/contract/durations';
import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { watchClock } from './clock-skew.ts';

const app = useTestApp();
const ahead: Clock = { now: () => addMs(systemClock.now(), 600_000) };

async function watched(clock: Clock) {
  const warn = vi.fn();
  const metrics = new Registry();
  const watch = await watchClock({ db: app.db, clock, log: { warn } as unknown as Log, metrics }, 50);
  await new Promise((resolve) => setTimeout(resolve, 150));
  watch.stop();
  const seconds = Number(/^clock_skew_seconds (\S+)$/m.exec(await metrics.metrics())?.[1]);
  return { warnings: warn.mock.calls.length, seconds };
}

it('warns at once and again when the clock differs from the database, with the difference', async () => {
  const { warnings, seconds } = await watched(ahead);
  expect(warnings).toBeGreaterThan(1);
  expect(Math.round(seconds)).toBe(600);
});

it('logs nothing when the clocks agree', async () => {
  const { warnings, seconds } = await watched(systemClock);
  expect(warnings).toBe(0);
  expect(Math.abs(seconds)).toBeLessThan(2);
});
