import { dayMs } from '@nearhand/contract/durations';
import type { Db } from '../../platform/db.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { forgetRedacted } from './messages.sql.ts';

/** How long a report may reasonably follow. */
const keptDays = 30;
/** A removal by an operator can be appealed for six months (ADR 179); the text stays until the appeal is answered. */
export const keptForAppealDays = 200;

/**
 * For the runner: deletes text redacted more than 30 days ago, for operators too, unless a report of its conversation is open or the removal
 * by an operator can still be appealed (ADR 94).
 */
export async function purgeRedacted(db: Db, scope: Pick<TaskScope, 'clock'>): Promise<void> {
  const ago = (days: number) => new Date(scope.clock.now().getTime() - days * dayMs);
  await db.transaction().execute((tx) => forgetRedacted(tx, ago(keptDays), ago(keptForAppealDays)));
}

/** For an account that is removed (ADR 160). */
export { forgetMessages } from './messages.sql.ts';
