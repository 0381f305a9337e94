import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { ProviderEvent } from '../../platform/payment-provider.ts';
import type { ProviderEvents } from '../../platform/tables.gen.ts';

/** Stores new events and returns their ids; of concurrent callers only one gets an id. */
export async function insertEvents(
  tx: Tx,
  events: readonly ProviderEvent[],
  receivedAt: Date,
): Promise<string[]> {
  if (events.length === 0) return [];
  const rows = await tx
    .insertInto('provider_events')
    .values(
      events.map(({ id, type, ref, at }) => ({
        id,
        type,
        ref,
        happened_at: new Date(at),
        received_at: receivedAt,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const findEvent = (db: Db, eventId: string): Promise<Selectable<ProviderEvents> | undefined> =>
  db.selectFrom('provider_events').selectAll().where('id', '=', eventId).executeTakeFirst();

export async function markHandled(db: Db, eventId: string, at: Date): Promise<void> {
  await db.updateTable('provider_events').set({ handled_at: at }).where('id', '=', eventId).execute();
}

/** Stored events that were never handled, for example because their task gave up. */
export async function findUnhandled(db: Db, since: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('provider_events')
    .select('id')
    .where('handled_at', 'is', null)
    .where('received_at', '<=', since)
    .orderBy('received_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function findCursor(db: Db, provider: string): Promise<string | null> {
  const row = await db
    .selectFrom('provider_cursors')
    .select('cursor')
    .where('provider', '=', provider)
    .executeTakeFirst();
  return row?.cursor ?? null;
}

export async function putCursor(tx: Tx, provider: string, cursor: string | null, at: Date): Promise<void> {
  await tx
    .insertInto('provider_cursors')
    .values({ provider, cursor, at })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet({ cursor, at }))
    .execute();
}
