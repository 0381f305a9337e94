import type { ApplicationInput, MyApplication } from '@nearhand/contract/applications';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { submitApplication } from './applications.service.ts';

/**
 * An application made through the service, in the name of `scope.actor`, the worker.
 * In tests: `makeApplication(app.db, app.scopeOf(worker.accountId), job.id)`.
 */
export async function makeApplication(
  db: Db,
  scope: Scope,
  jobId: string,
  wishes: Partial<ApplicationInput> = {},
): Promise<MyApplication> {
  const input = { coverNote: 'I live around the corner.', answers: [], cvFileId: null, ...wishes };
  return db.transaction().execute((tx) => submitApplication(tx, scope, { jobId, ...input }));
}
