import { dayMs } from '@nearhand/contract/durations';
import type { Db } from '../../platform/db.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { forgetRedacted } from './messages.sql.ts';

/** How long a report may reasonably follow. */
const keptDays = 30;

/** For the runner: deletes text redacted more than 30 days ago, for operators too, unless a report of its conversation is open (ADR 0094). */
export async function purgeRedacted(db: Db, scope: Pick<TaskScope, 'clock'>): Promise<void> {
  const before = new Date(scope.clock.now().getTime() - keptDays * dayMs);
  await db.transaction().execute((tx) => forgetRedacted(tx, before));
}

/** For an account that is removed (ADR 0160). */
export { forgetMessages } from './messages.sql.ts';
