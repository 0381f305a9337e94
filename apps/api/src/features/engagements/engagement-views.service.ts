import type { Engagement } from '@nearhand/contract/engagements';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';

/**
 * One engagement as the caller may see it; the answer of every operation on it.
 * @throws engagement/not-found for whoever is neither its worker nor a member of its business
 */
export async function viewEngagement(_db: Db, _scope: Scope, _engagementId: string): Promise<Engagement> {
  throw new AppError('engagement/not-found');
}
