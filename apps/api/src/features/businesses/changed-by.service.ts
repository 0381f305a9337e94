import type { Side } from '@nearhand/contract/terms';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { isId } from '../../platform/ids.ts';

/**
 * Who changed a record of a worker and a business, as whoever came later is told beside a stale version (ADR 0060): the worker hears the name of the
 * business, whoever acted for it; recruiters hear the person's. Nothing where a timer or an operator did.
 * @param actor of the last move, as it is logged
 */
export async function changedBy(
  db: Db,
  of: { business_id: string; worker_id: string },
  reader: Side,
  actor: string | undefined,
): Promise<{ by?: string }> {
  if (actor === undefined || !isId(actor)) return {};
  const { rows } = await sql<{ name: string }>`
    select case when ${reader} = 'worker' and account.id <> ${of.worker_id}::uuid then business.name else account.name end as name
    from accounts account cross join businesses business
    where account.id = ${actor}::uuid and business.id = ${of.business_id}::uuid`.execute(db);
  return rows[0] ? { by: rows[0].name } : {};
}
