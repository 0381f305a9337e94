import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { Db } from '../../platform/db.ts';
import { findCase, findClaimer } from './cases.sql.ts';

/** Who a case is about and who works on it. `ids` are its people and its business; of a closed case none are known. */
export type CaseParties = { isOpen: boolean; claimedBy: string | null; ids: string[] };

/** For the operators' gate. A claim outlives its case, so that a repeated decision is still answered. */
export async function casePartiesOf(
  db: Db,
  accountId: string,
  subject: { kind: CaseKind; subjectId: string },
): Promise<CaseParties> {
  const row = await findCase(db, accountId, subject);
  if (!row) return { isOpen: false, claimedBy: await findClaimer(db, subject), ids: [] };
  return {
    isOpen: !row.is_own,
    claimedBy: row.claimed_by,
    ids: [...row.account_ids, ...(row.business_id === null ? [] : [row.business_id])],
  };
}
