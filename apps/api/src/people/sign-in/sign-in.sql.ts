import { dayMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';

/** Whether the account is being deleted, and can still undo it (ADR 0160). */
const isLeaving = sql<boolean>`exists (select from account_deletions leaving
  where leaving.account_id = accounts.id and leaving.status = 'scheduled')`.as('leaving');

/** A valid session: not expired, its account not disabled; and whether it is an operator's. Nearly every call asks for it. */
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
      isLeaving,
    ])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** The valid session behind a cookie, with its account. */
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
      isLeaving,
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

/** By email, case-insensitive. */
export async function findAccountByEmail(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'name', 'email_verified as emailVerified', 'disabled_at as disabledAt'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Which of these sessions are no longer valid: gone, expired, or of a disabled account. */
export async function findEndedSessions(db: Db, sessionIds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select asked.id from unnest(${sessionIds}::uuid[]) as asked (id)
    where not exists (select from sessions join accounts on accounts.id = sessions.account_id
      where sessions.id = asked.id and sessions.expires_at > ${now} and accounts.disabled_at is null)`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** The password of a session was entered again. */
export async function insertPasswordCheck(db: Db, sessionId: string, at: Date): Promise<void> {
  await db
    .insertInto('password_checks')
    .values({ session_id: sessionId, at })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ at }))
    .execute();
}

/** When the password of a session was last entered again; null if never. */
export async function findPasswordCheck(db: Db, sessionId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('password_checks')
    .select('at')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Deletes expired sessions and links, which are refused anyway. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute();
  await db.deleteFrom('verifications').where('expires_at', '<', now).execute();
}

/** A password credential in the provider's own form: its `subject` is the account. */
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

/** Removes the password, and every other way to sign in that was added since a time. */
export async function deleteCredentials(tx: Tx, accountId: string, addedSince: Date): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('provider_id', '=', 'credential'), eb('created_at', '>=', addedSince)]))
    .execute();
}

/** Whether an address may still be taken back by the account that had it (ADR 157). */
export async function isHeldForUndo(db: Db, email: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('email_changes')
    .select('id')
    .where('old_email', '=', email.toLowerCase())
    .where('status', '=', 'done')
    .where('undo_until', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes an account's links and trusted devices: they name it by its id. */
export async function deleteLinksOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('verifications').where('value', '=', accountId).execute();
}

/** Whether an account asks for a second step, and has a password. */
export async function findSecondStep(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .select(({ exists, selectFrom }) => [
      sql<boolean>`coalesce(two_factor_enabled, false)`.as('on'),
      exists(
        selectFrom('credentials')
          .select('credentials.id')
          .whereRef('credentials.account_id', '=', 'accounts.id')
          .where('provider_id', '=', 'credential')
          .where('password', 'is not', null),
      ).as('hasPassword'),
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

/** Notes when the second step was turned on, and that the account's screens changed. */
export async function markSecondStepOn(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ turned_on_at: now })
    .where('account_id', '=', accountId)
    .execute();
}

/** Turns a second step off that was turned on since a time. */
export async function deleteSecondStepSince(tx: Tx, accountId: string, since: Date): Promise<void> {
  const gone = await tx
    .deleteFrom('second_factors')
    .where('account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('turned_on_at', 'is', null), eb('turned_on_at', '>=', since)]))
    .returning('id')
    .execute();
  if (gone.length > 0)
    await tx.updateTable('accounts').set({ two_factor_enabled: false }).where('id', '=', accountId).execute();
}

/** The account that a pending second step is of, by the hash in `identifier`. */
export async function findPendingStep(db: Db, identifier: string, now: Date) {
  return db
    .selectFrom('verifications')
    .innerJoin('accounts', (join) => join.on(sql`accounts.id::text`, '=', sql.ref('verifications.value')))
    .select(['accounts.id', 'accounts.email'])
    .where('identifier', '=', identifier)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** A one-time link; `identifier` is stored hashed, as the provider looks it up. */
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
 * Counts one attempt per key in fixed windows (a minute by default) and returns each count and window start.
 * One statement, so concurrent attempts can't both be the last allowed one. It also sweeps a few windows older than a day.
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

/** The hash of an account's password; null if it signs in another way. */
export async function findPasswordHash(db: Db, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('credentials')
    .select('password')
    .where('account_id', '=', accountId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return row?.password ?? null;
}

export async function findAccountEmail(db: Db, accountId: string): Promise<string | null> {
  const row = await db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirst();
  return row?.email ?? null;
}

/** Removes every way to sign in, and pending links. */
export async function deleteSignIn(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('credentials').where('account_id', '=', accountId).execute();
  await tx.deleteFrom('second_factors').where('account_id', '=', accountId).execute();
  await tx.updateTable('accounts').set({ two_factor_enabled: false }).where('id', '=', accountId).execute();
  await deleteLinksOf(tx, accountId);
}
