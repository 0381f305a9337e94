import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { ServiceMessages } from '../../platform/tables.gen.ts';

const columns = ['id', 'text', 'starts_at', 'ends_at'] as const;
export type ServiceMessageRow = Awaited<ReturnType<typeof findServiceMessages>>[number];

export async function insertServiceMessage(tx: Tx, row: Insertable<ServiceMessages>): Promise<void> {
  await tx.insertInto('service_messages').values(row).execute();
}

/** Messages, last starting first. */
export async function findServiceMessages(
  db: Db,
  { after, limit }: { after: readonly [string, string] | null; limit: number },
) {
  let query = db.selectFrom('service_messages').select(columns);
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('starts_at', 'id'), '<', tuple(new Date(after[0]), after[1])),
    );
  return query.orderBy('starts_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** The message in force that started last. */
export async function findCurrentMessage(db: Db, now: Date): Promise<ServiceMessageRow | undefined> {
  return db
    .selectFrom('service_messages')
    .select(columns)
    .where('starts_at', '<=', now)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .orderBy('starts_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Ends a message at this time, unless it ended before; one that has not started never will. */
export async function endMessage(
  tx: Tx,
  messageId: string,
  now: Date,
): Promise<ServiceMessageRow | undefined> {
  await tx
    .updateTable('service_messages')
    .set((eb) => ({ ends_at: eb.fn('greatest', ['starts_at', eb.val(now)]) }))
    .where('id', '=', messageId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
    .where('starts_at', '<=', now)
    .execute();
  await tx
    .updateTable('service_messages')
    .set((eb) => ({ ends_at: eb.ref('starts_at') }))
    .where('id', '=', messageId)
    .where('starts_at', '>', now)
    .execute();
  return tx.selectFrom('service_messages').select(columns).where('id', '=', messageId).executeTakeFirst();
}

export type Problems = { mails: number; pushes: number; charges: number; tasks: number };

/**
 * What is late or failing: deliveries tried more than once, charges without an answer since `chargesBefore`, and tasks due since
 * `tasksBefore`. Each is counted up to `most`, so that a large backlog is as cheap as a small one.
 */
export async function countProblems(
  db: Db,
  since: { chargesBefore: Date; tasksBefore: Date; most: number },
): Promise<Problems> {
  const { chargesBefore, tasksBefore, most } = since;
  const failing = (channel: string) => sql`(select count(*) from (select from notification_deliveries
    where channel = ${channel} and state = 'queued' and attempts > 1 limit ${most}) one)`;
  const { rows } = await sql<Problems>`select ${failing('email')} as mails, ${failing('push')} as pushes,
    (select count(*) from (select from charges where status in ('created', 'processing') and updated_at < ${chargesBefore}
      and asked_at is not null limit ${most}) one) as charges,
    (select count(*) from (select from graphile_worker.jobs where greatest(run_at, created_at) < ${tasksBefore}
      and locked_at is null and attempts = 0 limit ${most}) one) as tasks`.execute(db);
  return rows[0] ?? { mails: 0, pushes: 0, charges: 0, tasks: 0 };
}
