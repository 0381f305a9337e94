import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { isSettled } from './waiting.sql.ts';

/** A position among notices by age. */
export type Aged = { id: string; created_at: Date };
/** A batch after a position. */
export type Step = { after: Aged | null; limit: number };

const isAfter = (after: Aged | null) =>
  after ? sql`and (created_at, id) > (${after.created_at}, ${after.id}::uuid)` : sql``;

/**
 * Deletes old read notices and all very old ones, a batch after a position by age; their deliveries are deleted too.
 * @returns the last one checked and the number; nothing when none is left
 */
export async function deleteOldNotices(
  db: Db,
  { readBefore, before, after, limit }: Step & { readBefore: Date; before: Date },
): Promise<(Aged & { looked: number }) | undefined> {
  const { rows } = await sql<Aged & { looked: number }>`
    with looked as (
      select id, created_at, created_at < ${before} or read_at is not null as over from notifications
      where created_at < ${readBefore} ${isAfter(after)} order by created_at, id limit ${limit}
    ), deleted as (
      delete from notifications using looked where notifications.id = looked.id and looked.over
    )
    select id, created_at, (count(*) over ())::integer as looked from looked order by created_at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/**
 * Notices that can never be pending again stop asking, a batch after a position by age. Not while something is still to be sent about it, or about an
 * older one that it repeats: whether that is sent depends on this one.
 * @returns the last one checked and the number; nothing when none is left
 */
export async function settleNotices(
  db: Db,
  { before, now, after, limit }: Step & { before: Date; now: Date },
): Promise<(Aged & { looked: number }) | undefined> {
  const { rows } = await sql<Aged & { looked: number }>`
    with looked as (
      select id, created_at from notifications where asks and created_at < ${before} ${isAfter(after)} order by created_at, id limit ${limit}
    ), settled as (
      update notifications set asks = false from looked where notifications.id = looked.id and ${isSettled(now)}
        and not exists (select from notifications about join notification_deliveries way on way.notification_id = about.id and way.state = 'queued'
          where about.account_id = notifications.account_id and about.asks and about.path = notifications.path
            and about.topic = notifications.topic and about.created_at <= notifications.created_at)
    )
    select id, created_at, (count(*) over ())::integer as looked from looked order by created_at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0];
}
