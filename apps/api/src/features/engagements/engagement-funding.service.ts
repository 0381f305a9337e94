import type { Funding } from '@nearhand/contract/terms';
import type { Tx } from '../../platform/db.ts';
import { updateFunding } from './engagements.sql.ts';

/** For the holds slice: keeps what an engagement shows of its money true. No move and no new version: nothing that anybody decides upon has changed. */
export const setEngagementFunding = (tx: Tx, engagementId: string, funding: Funding): Promise<void> =>
  updateFunding(tx, engagementId, funding);
