import { dayMs } from '@nearhand/contract/durations';
import { countedWithMessages } from '@nearhand/contract/notifications';
import type { Intent } from '@nearhand/contract/profile-choices';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/fewer-trips.ts';
import { tell } from '../../platform/tell.ts';
import { tellRecord } from '../../platform/tell-records.ts';

/** A session that still counts: not over, its account not disabled; and whether it is an operator's. Nearly every call asks it. */
export async function findSession(db: Db, sessionId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .modifyFront(keptPlan)
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .leftJoin('operators', (join) =>
      join.onRef('operators.account_id', '=', 'accounts.id').on('operators.removed_at', 'is', null),
    )
    .select([
      'accounts.id as accountId',
      'accounts.email_verified as emailVerified',
      sql<boolean>`operators.id is not null`.as('operator'),
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** The session behind a cookie and whose it is, if it still counts. */
export async function findGrant(db: Db, sessionToken: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.id as sessionId',
      'accounts.id',
      'accounts.email',
      'accounts.email_verified as emailVerified',
      'accounts.name',
    ])
    .where('sessions.token', '=', sessionToken)
    .where('sessions.expires_at', '>', now)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}

export async function isDisabled(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('disabled_at')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.disabled_at != null;
}

/** By email, in any case of letters. */
export async function findAccountByEmail(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'name', 'email_verified as emailVerified', 'disabled_at as disabledAt'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** The row behind `accounts.me`, its newest accepted terms, photo and unread count. */
export async function findAccount(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.account_id', 'accounts.id')
    .select(['accounts.id', 'email', 'email_verified', 'name', 'intent', 'created_at', 'photo_file_id'])
    .select((eb) =>
      eb
        .selectFrom('terms_acceptances')
        .select('terms_acceptances.version')
        .whereRef('terms_acceptances.account_id', '=', 'accounts.id')
        .orderBy('accepted_at', 'desc')
        .limit(1)
        .as('terms_accepted'),
    )
    .select((eb) =>
      eb
        .selectFrom('notifications')
        .select((count) => count.fn.countAll<number>().as('unread'))
        .whereRef('notifications.account_id', '=', 'accounts.id')
        .where('read_at', 'is', null)
        .where('hidden', '=', false)
        .where('topic', '<>', countedWithMessages)
        .as('unread'),
    )
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

/** Businesses the account is a member of, by name; those that closed are left out. */
export async function listMemberships(db: Db, accountId: string) {
  return db
    .selectFrom('business_members')
    .innerJoin('businesses', 'businesses.id', 'business_members.business_id')
    .select(['business_id', 'role', 'name', 'status', 'logo_file_id'])
    .where('account_id', '=', accountId)
    .where('status', '<>', 'closed')
    .orderBy('name')
    .orderBy('business_id')
    .limit(100)
    .execute();
}

export async function updateAccount(
  tx: Tx,
  accountId: string,
  change: { name?: string | undefined; intent?: Intent | undefined },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.intent === undefined ? {} : { intent: change.intent }),
      updated_at: now,
    })
    .where('id', '=', accountId)
    .execute();
  tellRecord(tx, 'profile', { id: accountId, workerId: accountId });
}

export async function insertAcceptance(tx: Tx, accountId: string, version: string, now: Date): Promise<void> {
  await tx
    .insertInto('terms_acceptances')
    .values({ account_id: accountId, version, accepted_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'version']).doNothing())
    .execute();
}

export async function markEmailVerified(db: Db, accountId: string, now: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ email_verified: true, updated_at: now })
    .where('id', '=', accountId)
    .where('email_verified', '=', false)
    .execute();
}

export async function markDisabled(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ disabled_at: now, updated_at: now })
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .execute();
}

/** Ends every session of an account, and tells the devices that are open. */
export async function deleteSessions(tx: Tx, accountId: string): Promise<void> {
  const ended = await tx.deleteFrom('sessions').where('account_id', '=', accountId).returning('id').execute();
  for (const { id } of ended) tell(tx, [`account:${accountId}`], { kind: 'session-ended', sessionId: id });
}

/** Which of these sessions do not count any more: gone, over, or of a disabled account. */
export async function findEndedSessions(db: Db, sessionIds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select asked.id from unnest(${sessionIds}::uuid[]) as asked (id)
    where not exists (select from sessions join accounts on accounts.id = sessions.account_id
      where sessions.id = asked.id and sessions.expires_at > ${now} and accounts.disabled_at is null)`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Sessions that ran out and links that were never followed; both are refused anyway. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
  await db.deleteFrom('verifications').where('expires_at', '<', now).execute();
}

export async function insertAccount(
  tx: Tx,
  row: { id: string; email: string; name: string; emailVerified: boolean; now: Date },
): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: row.id,
      email: row.email.toLowerCase(),
      name: row.name,
      email_verified: row.emailVerified,
      created_at: row.now,
      updated_at: row.now,
    })
    .execute();
}

/** A password as a way to sign in, in the provider's own form: its `subject` is the account itself. */
export async function insertPassword(
  tx: Tx,
  row: { id: string; accountId: string; passwordHash: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('credentials')
    .values({
      id: row.id,
      account_id: row.accountId,
      provider_id: 'credential',
      subject: row.accountId,
      password: row.passwordHash,
      created_at: row.now,
      updated_at: row.now,
    })
    .execute();
}

/** A link that may be followed once; `identifier` is kept hashed, as the provider looks it up. */
export async function insertVerification(
  db: Db,
  row: { id: string; identifier: string; value: string; expiresAt: Date; now: Date },
): Promise<void> {
  await db
    .insertInto('verifications')
    .values({
      id: row.id,
      identifier: row.identifier,
      value: row.value,
      expires_at: row.expiresAt,
      created_at: row.now,
      updated_at: row.now,
    })
    .execute();
}

/**
 * Counts one attempt under each key, in windows of a minute unless said otherwise, and answers the counts and when their windows began. One statement, so
 * that attempts at the same moment cannot both be the last allowed one. Windows older than a day, the longest there is, are swept along the way, a few at a time.
 */
export async function countAttempts(
  db: Db,
  keys: readonly string[],
  now: Date,
  windowMs = 60_000,
): Promise<Map<string, { count: number; since: Date }>> {
  const windowStart = new Date(now.getTime() - windowMs);
  const { rows } = await sql<{ key: string; count: number; window_start: Date }>`
    with swept as (
      delete from sign_in_limits where key in (
        select key from sign_in_limits where window_start < ${new Date(now.getTime() - dayMs)}
          and key <> all (${[...keys]}::text[])
        limit 20 for update skip locked))
    insert into sign_in_limits as kept (key, count, window_start)
    select key, 1, ${now} from unnest(${[...keys].sort()}::text[]) as key
    on conflict (key) do update set
      count = case when kept.window_start <= ${windowStart} then 1 else kept.count + 1 end,
      window_start = case when kept.window_start <= ${windowStart} then excluded.window_start else kept.window_start end
    returning kept.key, kept.count, kept.window_start`.execute(db);
  return new Map(rows.map((row) => [row.key, { count: row.count, since: row.window_start }]));
}
