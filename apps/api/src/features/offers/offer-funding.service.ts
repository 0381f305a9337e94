import type { Funding } from '@nearhand/contract/terms';
import type { Tx } from '../../platform/db.ts';
import { updateFunding } from './offers.sql.ts';

/** For the holds slice: keeps what an offer shows of its money true. No move and no new version: nothing that anybody decides upon has changed. */
export const setOfferFunding = (tx: Tx, offerId: string, funding: Funding): Promise<void> =>
  updateFunding(tx, offerId, funding);
