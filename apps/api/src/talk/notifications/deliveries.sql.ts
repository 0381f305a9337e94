import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';
import { isOver } from './waiting.sql.ts';

export type Delivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

const deliveriesOf = (db: Db, now: Date) =>
  db
    .selectFrom('notification_deliveries as delivery')
    .innerJoin('notifications', 'notifications.id', 'delivery.notification_id')
    .select([
      'delivery.id',
      'notification_id',
      'delivery.account_id',
      'channel',
      'device_id',
      'state',
      'reason',
      'due_at',
      'daily',
      'attempts',
      'topic',
      'data',
      'path',
      'group_key',
      'read_at',
    ])
    .select(isOver(now).as('over'));

/** A delivery with its notice. */
export const findDelivery = (db: Db, id: string, now: Date) =>
  deliveriesOf(db, now).modifyFront(keptPlan).where('delivery.id', '=', id).executeTakeFirst();

/** What is due in an account's daily mail, newest first. */
export const listDaily = (db: Db, accountId: string, now: Date) =>
  deliveriesOf(db, now)
    .where('delivery.account_id', '=', accountId)
    .where('state', '=', 'queued')
    .where('daily', '=', true)
    .where('due_at', '<=', now)
    .orderBy('notifications.created_at', 'desc')
    .orderBy('delivery.id', 'desc')
    .limit(500)
    .execute();

/** Ends queued deliveries; ones that ended in the meantime stay. */
export async function endDeliveries(
  db: Db,
  ids: readonly string[],
  end: { state: 'sent' | 'suppressed' | 'failed'; reason: string | null; tried?: boolean },
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('notification_deliveries')
    .set((eb) => ({
      state: end.state,
      reason: end.reason,
      done_at: now,
      attempts: eb('attempts', '+', end.tried ? 1 : 0),
    }))
    .where('id', 'in', ids)
    .where('state', '=', 'queued')
    .execute();
}

export async function putOffDelivery(
  tx: Tx,
  id: string,
  options: { dueAt: Date; reason: string; tried: boolean },
): Promise<void> {
  await tx
    .updateTable('notification_deliveries')
    .set((eb) => ({
      due_at: options.dueAt,
      reason: options.reason,
      attempts: eb('attempts', '+', options.tried ? 1 : 0),
    }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}

/**
 * Releases the mail that a push replaced or delayed, if no push is pending or delivered: due at once.
 * @returns the delivery's id, or nothing
 */
export async function promoteMail(tx: Tx, notificationId: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`update notification_deliveries mail
    set state = 'queued', reason = null, due_at = ${now}, done_at = null
    where notification_id = ${notificationId} and channel = 'email' and not daily
      and ((state = 'suppressed' and reason = 'pushed') or (state = 'queued' and reason = 'unless-seen'))
      and not exists (select from notification_deliveries push where push.notification_id = mail.notification_id
        and push.channel = 'push' and push.state in ('queued', 'sent'))
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** The recipient's server rejected the address; applies as long as the account has it. */
export async function insertRefusal(
  tx: Tx,
  refusal: { accountId: string; address: string; answer: string },
  now: Date,
): Promise<void> {
  const row = { address: refusal.address, answer: refusal.answer, refused_at: now };
  await tx
    .insertInto('notification_refusals')
    .values({ account_id: refusal.accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

export async function isRefused(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('notification_refusals')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.id', '=', 'notification_refusals.account_id')
        .onRef('accounts.email', '=', 'notification_refusals.address'),
    )
    .select('accounts.id')
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteRefusal(db: Db, address: string): Promise<void> {
  await db.deleteFrom('notification_refusals').where('address', '=', address.toLowerCase()).execute();
}
