import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import type { FailedTask, PlatformHealth } from '@nearhand/contract/trust/platform-health';
import { healthLimits } from '@nearhand/contract/trust/platform-health.rules';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { lastAudits } from '../../platform/audits.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { atOnce } from '../../platform/tasks/tasks.ts';
import {
  countFailedTasks,
  countOpenDisputes,
  findDays,
  findFailedTasks,
  findPayoutsWaiting,
  restartTask,
} from './platform-health.sql.ts';

/** Figures of the last days, and what is waiting. For operators. */
export async function platformFigures(db: Db, { clock }: Scope): Promise<PlatformHealth> {
  const now = clock.now();
  const today = now.toISOString().slice(0, 10);
  const first = new Date(Date.parse(today) - (healthLimits.days - 1) * dayMs);
  const payouts = await findPayoutsWaiting(db);
  return {
    days: await findDays(db, first, new Date(today)),
    disputesOpen: await countOpenDisputes(db),
    payoutsWaiting: payouts.map((row) => ({
      currency: row.currency as Currency,
      count: row.count,
      amountMinor: row.amount_minor,
      oldestAt: row.oldest_at.toISOString(),
    })),
    audits: (await lastAudits(db)).map((audit) => ({
      ...audit,
      at: audit.at.toISOString(),
      first: [...audit.first],
    })),
    failedTasks: await countFailedTasks(db, healthLimits.countMost),
  };
}

const cursor = z.tuple([z.string().regex(/^\d{1,18}$/)]);

/** Tasks that are not tried any more, newest first. @throws request/bad-cursor */
export async function listFailedTasks(
  db: Db,
  _scope: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: FailedTask[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, cursor);
  const rows = await findFailedTasks(db, { after: after?.[0] ?? null, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.id]);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      name: row.name,
      attempts: row.attempts,
      error: (row.error ?? '').slice(0, healthLimits.errorShown),
      failedAt: row.failed_at.toISOString(),
    })),
    nextCursor: page.nextCursor,
  };
}

/** Runs a failed task again, with all its tries. @throws task/not-found unless it has failed for good */
export async function retryFailedTask(
  tx: Tx,
  _scope: Scope,
  { taskId }: { taskId: string },
): Promise<{ id: string }> {
  if (!(await restartTask(tx, taskId, atOnce))) throw new AppError('task/not-found');
  return { id: taskId };
}
