import { dayMs, hourMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { SignInEventKind } from '@nearhand/contract/people/sessions';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emit } from '../../platform/emit.ts';
import { emitRecord } from '../../platform/emit-records.ts';

/** An account's running sessions, last used first. */
export async function findSessions(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'updated_at'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limits.sessionsShown)
    .execute();
}

/** A session that has not ended, of an account that is not disabled. */
export async function findOpenSession(db: Db, sessionId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select('sessions.id')
    .where('sessions.id', '=', sessionId)
    .where('expires_at', '>', now)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Ends sessions of an account and notifies its open devices: all of them, only one, or all but one.
 * @returns how many there were
 */
export async function deleteSessions(
  tx: Tx,
  accountId: string,
  which: { only?: string; except?: string } = {},
): Promise<number> {
  const { only, except } = which;
  let query = tx.deleteFrom('sessions').where('account_id', '=', accountId);
  if (only !== undefined) query = query.where('id', '=', only);
  if (except !== undefined) query = query.where('id', '<>', except);
  const ended = await query.returning('id').execute();
  for (const { id } of ended) emit(tx, [`account:${accountId}`], { kind: 'session-ended', sessionId: id });
  if (ended.length > 0) emitRecord(tx, 'account', { id: accountId, workerId: accountId });
  return ended.length;
}

/** Notes that a session is in use, at most once an hour. */
export async function markSessionUsed(db: Db, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ updated_at: now })
    .where('id', '=', sessionId)
    .where('updated_at', '<', new Date(now.getTime() - hourMs))
    .execute();
}

/** What a session's browser calls itself. */
export async function findSessionAgent(db: Db, sessionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('user_agent')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.user_agent ?? null;
}

type Happened = { id: string; accountId: string; kind: SignInEventKind; device: string; now: Date };

/** Whether the account has signed in before, and with such a device. Of two first sign-ins at once the second one sees the other. */
export async function findEarlierSignIn(tx: Tx, accountId: string, device: string) {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
  return tx
    .selectFrom('sign_in_events')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<boolean>`coalesce(bool_or(device = ${device}), false)`.as('sameDevice'),
    ])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'signed-in')
    .executeTakeFirstOrThrow();
}

/** Where to mail an account; undefined if it is gone or disabled. */
export async function findMailAddress(db: Db, accountId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row?.email;
}

/** Adds an event, and removes those beyond the newest `limits.signInEventsMax`. */
export async function insertEvent(tx: Tx, event: Happened & { newDevice: boolean }): Promise<void> {
  const { id, accountId, kind, device, newDevice, now } = event;
  await tx
    .insertInto('sign_in_events')
    .values({ id, account_id: accountId, kind, device, new_device: newDevice, happened_at: now })
    .execute();
  await sql`delete from sign_in_events where id in (select id from sign_in_events
    where account_id = ${accountId} order by happened_at desc, id desc offset ${limits.signInEventsMax})`.execute(
    tx,
  );
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

/** Counts a failed try into the last hour's event. @returns false if there is none */
export async function countFailure(tx: Tx, event: Omit<Happened, 'id' | 'kind'>): Promise<boolean> {
  const { rows } =
    await sql`update sign_in_events set tries = tries + 1, happened_at = ${event.now} where id = (
      select id from sign_in_events where account_id = ${event.accountId} and kind = 'failed' and device = ${event.device}
        and happened_at > ${new Date(event.now.getTime() - hourMs)} order by happened_at desc limit 1)
    returning id`.execute(tx);
  if (rows.length === 0) return false;
  emitRecord(tx, 'account', { id: event.accountId, workerId: event.accountId });
  return true;
}

/** A page of an account's history, newest first. */
export async function findEvents(
  db: Db,
  accountId: string,
  since: Date,
  after: readonly [string, string] | null,
  limit: number,
) {
  let query = db
    .selectFrom('sign_in_events')
    .select(['id', 'kind', 'device', 'new_device', 'tries', 'happened_at'])
    .where('account_id', '=', accountId)
    .where('happened_at', '>', since);
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('happened_at', 'id'), '<', tuple(new Date(after[0]), after[1])),
    );
  return query.orderBy('happened_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** Deletes what is older than the history goes back, and networks that were not seen for half a year. */
export async function deleteOldEvents(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_events')
    .where('happened_at', '<', new Date(now.getTime() - limits.signInHistoryDays * dayMs))
    .execute();
  await db
    .deleteFrom('account_networks')
    .where('last_seen_at', '<', new Date(now.getTime() - limits.accountNetworkDays * dayMs))
    .execute();
}

/** Adds to the sign-in log what no other row tells; triggers write the rest (ADR 12). */
export async function insertLogged(db: Db, accountId: string, kind: 'locked-out'): Promise<void> {
  await sql`insert into sign_in_log (subject, kind, device) values (sign_in_subject(${accountId}), ${kind}, '')`.execute(
    db,
  );
}

/** Deletes what the log may forget; the database refuses to delete more. */
export async function deleteOldLog(db: Db): Promise<void> {
  await sql`delete from sign_in_log where at < now() - interval '1 year'`.execute(db);
}

/** For an account that is removed. */
export async function deleteEventsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('sign_in_events').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('account_networks').where('account_id', '=', accountId).execute();
}
