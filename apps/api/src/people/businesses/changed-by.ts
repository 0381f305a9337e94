import { isId } from '@nearhand/contract/ids';
import type { Side } from '@nearhand/contract/sides';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** Last editor's name (ADR 49): workers see the business's. Empty for a timer or operator. */
export async function changedBy(
  db: Db,
  of: { businessId: string; workerId: string },
  reader: Side,
  actor: string | undefined,
): Promise<{ by?: string }> {
  if (actor === undefined || !isId(actor)) return {};
  const { rows } = await sql<{ name: string }>`
    select case when ${reader} = 'worker' and account.id <> ${of.workerId}::uuid then business.name else account.name end as name
    from accounts account cross join businesses business
    where account.id = ${actor}::uuid and business.id = ${of.businessId}::uuid`.execute(db);
  return rows[0] ? { by: rows[0].name } : {};
}
