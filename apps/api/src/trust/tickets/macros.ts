import type { Macro } from '@nearhand/contract/trust/operators';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';

/** Lists the answers that operators share, by name. */
export async function listMacros(db: Db, _scope: Scope): Promise<Macro[]> {
  const rows = await db.selectFrom('ticket_macros').select(['id', 'name', 'texts']).orderBy('name').execute();
  return rows.map((row) => ({ ...row, texts: row.texts as Macro['texts'] }));
}

/** Saves a shared answer, replacing one of the same name. For operators with the role. */
export async function saveMacro(tx: Tx, scope: Scope, { name, texts }: Omit<Macro, 'id'>): Promise<Macro> {
  const now = scope.clock.now();
  const { rows } = await sql<{ id: string }>`
    insert into ticket_macros (id, name, texts, updated_by, updated_at)
      values (${newId(now)}, ${name}, ${JSON.stringify(texts)}::jsonb, ${scope.actor.accountId}, ${now})
    on conflict (lower(name)) do update set name = excluded.name, texts = excluded.texts, updated_by = excluded.updated_by,
      updated_at = excluded.updated_at returning id`.execute(tx);
  return { id: rows[0]?.id ?? '', name, texts };
}

/** Removes a shared answer. For operators with the role. */
export async function removeMacro(
  tx: Tx,
  _scope: Scope,
  { macroId }: { macroId: string },
): Promise<{ removed: number }> {
  const { numDeletedRows } = await tx
    .deleteFrom('ticket_macros')
    .where('id', '=', macroId)
    .executeTakeFirst();
  return { removed: Number(numDeletedRows) };
}
