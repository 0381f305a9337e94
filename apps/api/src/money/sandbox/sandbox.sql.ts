import type { Currency } from '@nearhand/contract/currencies';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type {
  SandboxBanks,
  SandboxCards,
  SandboxCharges,
  SandboxIdentities,
  SandboxPayouts,
  SandboxRefunds,
  SandboxTokens,
} from '../../platform/tables.gen.ts';

/** Claims a key for a call; returns false if it is taken. Concurrent calls under the same key wait. */
export async function takeKey(
  tx: Tx,
  row: { key: string; operation: string; content: Buffer; ref: string; at: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('sandbox_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const findKey = (db: Db, key: string) =>
  db.selectFrom('sandbox_keys').selectAll().where('key', '=', key).executeTakeFirst();

export async function failKey(tx: Tx, key: string, failure: string): Promise<void> {
  await tx.updateTable('sandbox_keys').set({ ref: null, failure }).where('key', '=', key).execute();
}

export async function insertToken(db: Db, row: Insertable<SandboxTokens>): Promise<void> {
  await db.insertInto('sandbox_tokens').values(row).execute();
}

/** Uses a token once. Returns undefined if it was used before, has expired or is of another kind. */
export const useToken = (tx: Tx, token: string, kind: 'card' | 'bank', now: Date) =>
  tx
    .updateTable('sandbox_tokens')
    .set({ usedAt: now })
    .where('token', '=', token)
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('details')
    .executeTakeFirst();

export async function deleteTokens(db: Db, expiredBefore: Date): Promise<void> {
  await db.deleteFrom('sandbox_tokens').where('expiresAt', '<', expiredBefore).execute();
}

export async function insertCard(tx: Tx, row: Insertable<SandboxCards>): Promise<void> {
  await tx.insertInto('sandbox_cards').values(row).execute();
}

export const findSandboxCard = (db: Db, ref: string) =>
  db.selectFrom('sandbox_cards').selectAll().where('ref', '=', ref).executeTakeFirst();

export async function insertBank(tx: Tx, row: Insertable<SandboxBanks>): Promise<void> {
  await tx.insertInto('sandbox_banks').values(row).execute();
}

export const findBank = (db: Db, ref: string) =>
  db.selectFrom('sandbox_banks').selectAll().where('ref', '=', ref).executeTakeFirst();

export const findSandboxIdentity = (db: Db, ownerId: string) =>
  db.selectFrom('sandbox_identities').selectAll().where('ownerId', '=', ownerId).executeTakeFirst();

export const lockSandboxIdentity = (tx: Tx, ownerId: string) =>
  tx
    .selectFrom('sandbox_identities')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .forUpdate()
    .executeTakeFirst();

export async function upsertSandboxIdentity(tx: Tx, row: Insertable<SandboxIdentities>): Promise<void> {
  await tx
    .insertInto('sandbox_identities')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('ownerId')
        .doUpdateSet({ status: row.status, reason: row.reason ?? null, askedAt: row.askedAt })
        .where('sandbox_identities.status', '<>', 'verified'),
    )
    .execute();
}

export async function insertCharge(tx: Tx, row: Insertable<SandboxCharges>): Promise<void> {
  await tx.insertInto('sandbox_charges').values(row).execute();
}

export const findSandboxCharge = (db: Db, ref: string) =>
  db.selectFrom('sandbox_charges').selectAll().where('ref', '=', ref).executeTakeFirst();

export const lockSandboxCharge = (tx: Tx, ref: string) =>
  tx.selectFrom('sandbox_charges').selectAll().where('ref', '=', ref).forUpdate().executeTakeFirst();

export const updateSandboxCharge = (tx: Tx, ref: string, set: Updateable<SandboxCharges>) =>
  tx.updateTable('sandbox_charges').set(set).where('ref', '=', ref).returningAll().executeTakeFirstOrThrow();

export async function insertRefund(tx: Tx, row: Insertable<SandboxRefunds>): Promise<void> {
  await tx.insertInto('sandbox_refunds').values(row).execute();
}

export async function insertPayout(tx: Tx, row: Insertable<SandboxPayouts>): Promise<void> {
  await tx.insertInto('sandbox_payouts').values(row).execute();
}

export const findPayout = (db: Db, ref: string) =>
  db.selectFrom('sandbox_payouts').selectAll().where('ref', '=', ref).executeTakeFirst();

export const lockPayout = (tx: Tx, ref: string) =>
  tx.selectFrom('sandbox_payouts').selectAll().where('ref', '=', ref).forUpdate().executeTakeFirst();

export const updatePayout = (tx: Tx, ref: string, set: Updateable<SandboxPayouts>) =>
  tx.updateTable('sandbox_payouts').set(set).where('ref', '=', ref).returningAll().executeTakeFirstOrThrow();

/** The queue uses the database's clock: if ours lags behind, the task would rerun in a loop. */
export async function notBeforeNow(tx: Tx, at: Date): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    select greatest(${at}::timestamptz, clock_timestamp() + interval '1 second') as at`.execute(tx);
  return rows[0]?.at ?? at;
}

/** Moves the platform's balance and returns the new one; the row stays locked until the transaction ends. */
export async function moveBalance(tx: Tx, currency: Currency, byMinor: number): Promise<number> {
  const row = await tx
    .insertInto('sandbox_balances')
    .values({ currency, amountMinor: byMinor })
    .onConflict((conflict) =>
      conflict.column('currency').doUpdateSet({
        amountMinor: sql<number>`sandbox_balances.amount_minor + excluded.amount_minor`,
      }),
    )
    .returning('amountMinor')
    .executeTakeFirstOrThrow();
  return row.amountMinor;
}

/** The counter stays locked until the end, so events become visible in order; nothing may be locked after it. */
export async function insertEvent(
  tx: Tx,
  row: { id: string; type: string; ref: string; at: Date },
): Promise<void> {
  await sql`with next as (update sandbox_event_counter set last_seq = last_seq + 1 returning last_seq)
    insert into sandbox_events (seq, id, type, ref, at)
    select last_seq, ${row.id}, ${row.type}, ${row.ref}, ${row.at}::timestamptz from next`.execute(tx);
}

export const findEvents = (db: Db, afterSeq: number, limit: number) =>
  db
    .selectFrom('sandbox_events')
    .selectAll()
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .limit(limit)
    .execute();

export async function insertDelivery(tx: Tx, row: { id: string; eventId: string; createdAt: Date }) {
  await tx
    .insertInto('sandbox_deliveries')
    .values({ ...row, state: 'waiting' })
    .execute();
}

export const findSandboxDelivery = (db: Db, id: string) =>
  db
    .selectFrom('sandbox_deliveries as delivery')
    .innerJoin('sandbox_events as event', 'event.id', 'delivery.eventId')
    .select(['delivery.state', 'delivery.attempts', 'event.id', 'event.type', 'event.ref', 'event.at'])
    .where('delivery.id', '=', id)
    .executeTakeFirst();

/** Records an attempt to deliver an event. Returns false if it was delivered or given up before. */
export async function recordAttempt(
  tx: Tx,
  id: string,
  row: { state: 'waiting' | 'delivered' | 'given_up'; answer: string; at: Date },
): Promise<boolean> {
  const updated = await tx
    .updateTable('sandbox_deliveries')
    .set((eb) => ({
      state: row.state,
      attempts: eb('attempts', '+', 1),
      lastAnswer: row.answer,
      endedAt: row.state === 'waiting' ? null : row.at,
    }))
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export const newestEvents = (db: Db, limit: number) =>
  db
    .selectFrom('sandbox_events as event')
    .select((eb) => [
      'event.seq',
      'event.id',
      'event.type',
      'event.ref',
      'event.at',
      eb
        .selectFrom('sandbox_deliveries as delivery')
        .whereRef('delivery.eventId', '=', 'event.id')
        .select(
          sql<
            string | null
          >`string_agg(delivery.state || ' (' || delivery.attempts || ')', ', ' order by delivery.id)`.as(
            'summary',
          ),
        )
        .as('deliveries'),
    ])
    .orderBy('event.seq', 'desc')
    .limit(limit)
    .execute();

export type TotalsRow = {
  currency: Currency;
  charged: number;
  refunded: number;
  chargedBack: number;
  paidOut: number;
  balance: number;
};

export async function sumObjects(db: Db): Promise<TotalsRow[]> {
  const { rows } = await sql<TotalsRow>`
    select currency, coalesce(sum(charged), 0)::bigint as charged, coalesce(sum(refunded), 0)::bigint as refunded,
      coalesce(sum(charged_back), 0)::bigint as "chargedBack", coalesce(sum(paid_out), 0)::bigint as "paidOut",
        coalesce(sum(balance), 0)::bigint as balance
    from (
      select currency, amount_minor as charged, 0 as refunded, 0 as paid_out, 0 as balance,
        case when chargeback_status in ('open', 'lost') then chargeback_minor end as charged_back
      from sandbox_charges where status = 'succeeded'
      union all
      select charge.currency, 0, refund.amount_minor, 0, 0, 0
      from sandbox_refunds refund join sandbox_charges charge on charge.ref = refund.charge_ref
      union all
      select currency, 0, 0, amount_minor, 0, 0 from sandbox_payouts where status in ('processing', 'in_transit', 'paid')
      union all
      select currency, 0, 0, 0, amount_minor, 0 from sandbox_balances
    ) parts group by currency order by currency`.execute(db);
  return rows;
}
