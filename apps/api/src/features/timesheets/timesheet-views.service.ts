import type { Delivery, HoursClaim } from '@nearhand/contract/engagements';
import type { Db } from '../../platform/db.ts';

/** For the engagement's view: the hours that were put forward, in the order put. Amounts in minor units of the terms. */
export async function claimsOf(_db: Db, _engagementId: string): Promise<HoursClaim[]> {
  return [];
}

/** For the engagement's view: what was delivered of a task, first round first. */
export async function deliveriesOf(_db: Db, _engagementId: string): Promise<Delivery[]> {
  return [];
}
