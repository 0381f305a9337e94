import { isId } from '@nearhand/contract/ids';
import type { Side } from '@nearhand/contract/sides';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { DB } from '../../platform/tables.gen.ts';

/** Last editor's name (ADR 49): workers see the business's. Empty for a timer or operator. */
export async function changedBy(
  db: Db,
  pair: { businessId: string; workerId: string },
  reader: Side,
  last: Move | undefined,
): Promise<{ by?: string }> {
  if (!last || !isId(last.actor)) return {};
  const { rows } = await sql<{ name: string }>`
    select case when ${reader} = 'worker' and account.id <> ${pair.workerId}::uuid then business.name else account.name end as name
    from accounts account cross join businesses business
    where account.id = ${last.actor}::uuid and business.id = ${pair.businessId}::uuid`.execute(db);
  return rows[0] ? { by: rows[0].name } : {};
}

type MoveTable = keyof DB & `${string}_${'moves' | 'steps'}`;
type Move = { actor: string; action: string };

/** Returns the last move of each record. `ignored` is an action that doesn't count. */
export async function lastMoves(
  db: Db,
  table: MoveTable,
  recordIds: readonly string[],
  ignored = '',
): Promise<ReadonlyMap<string, Move>> {
  const recordId = sql.ref(table.replace(/_(moves|steps)$/, '_id'));
  const { rows } = await sql<Move & { recordId: string }>`
    select distinct on (${recordId}) ${recordId} as record_id, actor, action from ${sql.table(table)}
    where ${recordId} = any(${[...recordIds]}::uuid[]) and action <> ${ignored}
    order by ${recordId}, at desc, id desc`.execute(db);
  return new Map(rows.map(({ recordId, ...move }) => [recordId, move]));
}

/** Returns the newest move of a record; `ignored` names an action to skip. */
export const lastMove = async (
  db: Db,
  table: MoveTable,
  recordId: string,
  ignored?: string,
): Promise<Move | undefined> => (await lastMoves(db, table, [recordId], ignored)).get(recordId);
