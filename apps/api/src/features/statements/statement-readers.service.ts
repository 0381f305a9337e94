import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { roleIn } from '../businesses/members.service.ts';
import { canReadStatement } from './statements.policy.ts';

/** Demands a role that sees the statement of a business. @throws business/not-found for strangers, business/not-allowed for recruiters */
export async function demandReader(db: Db, businessId: string, accountId: string): Promise<void> {
  const role = await roleIn(db, businessId, accountId);
  if (role === null) throw new AppError('business/not-found');
  if (!canReadStatement(role)) throw new AppError('business/not-allowed');
}
