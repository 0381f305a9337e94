import { randomUUID } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import type { Log } from '../log.ts';
import { markGone, markPresent, type Present } from './presence.sql.ts';

const batchMs = 300;
const everyoneMs = minuteMs;

/** Writes changes after a moment and everyone once a minute, which corrects a failed write. */
export function createPresence(
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  present: (accountId: string) => Present | null,
  all: () => Iterable<Present>,
) {
  const process = randomUUID();
  const changed = new Set<string>();
  let soon: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  async function write(here: readonly Present[], absentIds: readonly string[]): Promise<void> {
    try {
      await markPresent(db, process, here, clock.now());
      await markGone(db, process, absentIds, clock.now());
    } catch (error) {
      log.warn({ err: error }, 'presence was not stored');
    }
  }

  function flush(): Promise<void> {
    clearTimeout(soon);
    soon = undefined;
    const ids = [...changed];
    changed.clear();
    const here = ids.flatMap((id) => present(id) ?? []);
    const absentIds = ids.filter((id) => present(id) === null);
    writing = writing.then(() => write(here, absentIds));
    return writing;
  }

  const minute = setInterval(() => {
    const here = [...all()];
    writing = writing.then(() => write(here, []));
  }, everyoneMs);
  minute.unref();

  return {
    changed(accountId: string): void {
      if (stopped) return;
      changed.add(accountId);
      soon ??= setTimeout(flush, batchMs);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(minute);
      await flush();
    },
  };
}
