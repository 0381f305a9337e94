import type { Dispute } from '@nearhand/contract/engagements';
import type { Side } from '@nearhand/contract/terms';
import type { Db } from '../../platform/db.ts';

/** For the engagement's view: its dispute as somebody on this side sees it; null where there is none. Amounts in minor units of the terms. */
export async function disputeOf(_db: Db, _engagementId: string, _side: Side): Promise<Dispute | null> {
  return null;
}
