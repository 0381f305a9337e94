import { minuteMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import type { Log } from '../log.ts';

/** Larger differences can't be network delay. */
const warnMs = 2_000;

/** Milliseconds that our clock is ahead of the database's at the middle of the call. */
async function measureSkew(db: Db, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const { rows } = await sql<{
    at: number;
  }>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
    as at`.execute(db);
  return (before + clock.now().getTime()) / 2 - (rows[0]?.at ?? 0);
}

/** Warns of clock skew, with which timers are off and other processes refuse our tokens. */
export async function watchClock(
  parts: { db: Db; clock: Clock; log: Log; metrics: Registry },
  everyMs = minuteMs,
) {
  const { db, clock, log, metrics } = parts;
  const gauge = new Gauge({
    name: 'clock_skew_seconds',
    help: "How far this process's clock is ahead of the database's",
    registers: [metrics],
  });
  async function compare(): Promise<void> {
    try {
      const skewMs = await measureSkew(db, clock);
      gauge.set(skewMs / 1_000);
      if (Math.abs(skewMs) > warnMs)
        log.warn(
          { skewMs },
          "this machine's clock differs from the database's: check its time synchronisation",
        );
    } catch (error) {
      log.warn({ err: error }, "the clock could not be compared with the database's");
    }
  }
  await compare();
  const timer = setInterval(compare, everyMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
