import { z } from 'zod';
import { recordAudit } from '../../platform/audits.ts';
import { type Db, type Tx, unhurried } from '../../platform/db.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import {
  carryLines,
  findCarryingFaults,
  forgetForeignMark,
  lockMark,
  nextMark,
  putMark,
} from './carrying.sql.ts';

/** How often lines are materialized; pages read whatever was posted since next to them. */
const everyMs = 60_000;
/** Entries in one transaction. */
const partSize = 5_000;
/** If all lines are wrong, the first ones are enough. */
const maxLogged = 100;

const nothing = z.object({}).loose();

/** The tasks by name and payload. */
export const carryTask = { name: 'statements.carry', payload: nothing };
export const checkTask = { name: 'statements.check', payload: nothing };

const plan = (tx: Tx, runAt?: Date): Promise<void> =>
  enqueue(tx, carryTask, {}, { ...(runAt ? { runAt } : {}), key: carryTask.name });

/** At server start: materializes what was posted while none ran, then every minute. */
export const startCarrying = (db: Db): Promise<void> =>
  unhurried(db, (one) =>
    one.transaction().execute(async (tx) => {
      await forgetForeignMark(tx);
      await plan(tx);
    }),
  );

/** For the runner: schedules the next run first, so that a failure is retried. */
export async function runCarrying({ db, clock }: Pick<TaskScope, 'db' | 'clock'>): Promise<void> {
  const next = new Date(clock.now().getTime() + everyMs);
  await db.transaction().execute((tx) => plan(tx, next));
  await unhurried(db, async (one) => {
    await one.transaction().execute(forgetForeignMark);
    await carryOn(one);
  });
}

/**
 * Materializes the lines of entries that have none (ADR 64). Statements are the same before, halfway and after; they only cost less.
 * @param size about how many entries per transaction
 */
export async function carryOn(db: Db, size = partSize): Promise<void> {
  for (;;) {
    const more = await db.transaction().execute(async (tx) => {
      const from = await lockMark(tx);
      const before = await nextMark(tx, from, size);
      if (before === from) return false;
      await carryLines(tx, from, before);
      await putMark(tx, before);
      return true;
    });
    if (!more) return;
  }
}

/** For the runner, once a day: logs lines that differ from the ledger as errors. How to rebuild them: docs/operations.md. */
export async function checkCarried({
  db,
  log,
  clock,
}: Pick<TaskScope, 'db' | 'log' | 'clock'>): Promise<void> {
  const faults = await unhurried(db, (one) => findCarryingFaults(one, maxLogged));
  for (const fault of faults)
    log.error(fault, `statements: a line of ${fault.holder} differs from the ledger`);
  await recordAudit(db, {
    name: 'statements',
    at: clock.now(),
    checked: null,
    findings: faults.length,
    first: faults.map(({ holder }) => `line_differs ${holder}`),
  });
}
