import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { isoText } from '../../platform/db.ts';
import type { Actor } from '../../platform/http/scope.ts';
import { keptRead } from '../../platform/prepared-statements.ts';

/** True while a scheduled deletion can be undone (ADR 160). */
const isLeaving = sql<boolean>`exists (select from account_deletions leaving
  where leaving.account_id = accounts.id and leaving.status = 'scheduled')`.as('leaving');

/** True if the operator was active within minutes and confirmed within hours (ADR 181). */
const isPresent = (now: Date) =>
  sql<boolean>`active_at > ${subtractMs(now, peopleLimits.operatorIdleMinutes * minuteMs)}
    and confirmed_at > ${subtractMs(now, peopleLimits.operatorConfirmHours * hourMs)}`;

const instantText = isoText(sql`ends_at`);
const suspensionsAt = (now: Date) =>
  sql`coalesce((select jsonb_agg(jsonb_build_object('scope', scope, 'until', ${instantText})) from sanctions
    where sanctions.account_id = accounts.id and scope is not null and ended_at is null
      and (ends_at is null or ends_at > ${now})), '[]')`.as('suspensions');

type SessionRow = Omit<Actor, 'sessionId' | 'operatorOutside'>;

/** Checks expiry, disabled accounts and operator activity. Runs in nearly every call. */
export async function findSession(db: Db, sessionId: string, now: Date): Promise<SessionRow | undefined> {
  const present = sql`exists (select from second_factor_checks where session_id = sessions.id and ${isPresent(now)})`;
  // As plain SQL, since a query built of parts costs more than the rest of the check.
  const { rows } = await sql<SessionRow>`${keptRead}
    select accounts.id as account_id, accounts.email_verified, operators.id is not null and ${present} as operator,
      operators.id is not null and not ${present} as operator_away, ${isLeaving}, ${suspensionsAt(now)}
    from sessions join accounts on accounts.id = sessions.account_id
    left join operators on operators.account_id = accounts.id and operators.removed_at is null
    where sessions.id = ${sessionId} and sessions.expires_at > ${now} and accounts.disabled_at is null`.execute(
    db,
  );
  return rows[0];
}

export async function findGrant(db: Db, tokenHash: string, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select([
      'sessions.id as sessionId',
      'sessions.createdAt as openedAt',
      'accounts.id',
      'accounts.email',
      'accounts.emailVerified',
      'accounts.name',
      isLeaving,
    ])
    .where('sessions.tokenHash', '=', tokenHash)
    .where('sessions.expiresAt', '>', now)
    .where('accounts.disabledAt', 'is', null)
    .executeTakeFirst();
}

export async function isDisabled(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('disabledAt')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.disabledAt != null;
}

/** Returns whether this provider or passkey is one of the account's ways to sign in. */
export async function hasWayIn(
  db: Db,
  accountId: string,
  way: { provider: string } | { passkey: string },
): Promise<boolean> {
  const row =
    'provider' in way
      ? await db
          .selectFrom('credentials')
          .select('id')
          .where('accountId', '=', accountId)
          .where('providerId', '=', way.provider)
          .executeTakeFirst()
      : await db
          .selectFrom('passkeys')
          .select('id')
          .where('accountId', '=', accountId)
          .where('credentialId', '=', way.passkey)
          .executeTakeFirst();
  return row !== undefined;
}

export async function findAccountByEmail(db: Db, email: string) {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'name', 'emailVerified', 'disabledAt'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Returns which of these sessions have ended or expired. */
export async function findEndedSessions(db: Db, sessionIds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select asked.id from unnest(${sessionIds}::uuid[]) as asked (id)
    where not exists (select from sessions join accounts on accounts.id = sessions.account_id
      where sessions.id = asked.id and sessions.expires_at > ${now} and accounts.disabled_at is null)`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

export async function insertPasswordCheck(db: Db, sessionId: string, at: Date): Promise<void> {
  await db
    .insertInto('password_checks')
    .values({ sessionId, at })
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet({ at }))
    .execute();
}

export async function findPasswordCheck(db: Db, sessionId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('password_checks')
    .select('at')
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** The last proof and sign-in of a session, and whether a password or passkey exists. */
export async function findProof(
  db: Db,
  sessionId: string,
  external: boolean,
): Promise<{ confirmedAt: Date | null; signedInAt: Date; canConfirm: boolean } | undefined> {
  const { rows } = await sql<{ confirmedAt: Date | null; signedInAt: Date; canConfirm: boolean }>`
    select password_checks.at as "confirmedAt", sessions.created_at as "signedInAt",
      exists (select from passkeys where passkeys.account_id = sessions.account_id)
        or case when ${external}
          then exists (select from firebase_identities where firebase_identities.account_id = sessions.account_id and has_password)
          else exists (select from credentials where credentials.account_id = sessions.account_id
            and provider_id = 'credential' and password is not null) end as "canConfirm"
    from sessions left join password_checks on password_checks.session_id = sessions.id
    where sessions.id = ${sessionId}`.execute(db);
  return rows[0];
}

export type SecondFactorMethod = 'totp' | 'recovery_code' | 'passkey';

export async function upsertSecondFactorCheck(
  db: Db,
  sessionId: string,
  method: SecondFactorMethod,
  at: Date,
): Promise<void> {
  const check = { method, confirmedAt: at, activeAt: at };
  await db
    .insertInto('second_factor_checks')
    .values({ sessionId, ...check })
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet(check))
    .execute();
}

/** The last confirmation of a session's second factor. */
export async function findSecondFactorCheck(db: Db, sessionId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('second_factor_checks')
    .select('confirmedAt')
    .where('sessionId', '=', sessionId)
    .executeTakeFirst();
  return row?.confirmedAt ?? null;
}

/** Records operator activity. Returns false after too long a pause, even for concurrent calls. */
export async function touchSecondFactorCheck(db: Db, sessionId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor_checks')
    .set({ activeAt: sql`greatest(active_at, ${now})` })
    .where('sessionId', '=', sessionId)
    .where(isPresent(now))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function deleteSecondFactorChecks(tx: Tx, accountId: string, methods: SecondFactorMethod[]) {
  await sql`delete from second_factor_checks using sessions where sessions.id = session_id
    and sessions.account_id = ${accountId} and method = any(${methods})`.execute(tx);
}

/** Returns the time until which too many wrong codes lock the second step; null if it is open. */
export async function findSecondStepLock(db: Db, accountId: string, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('second_factors')
    .select('lockedUntil')
    .where('accountId', '=', accountId)
    .where('lockedUntil', '>', now)
    .executeTakeFirst();
  return row?.lockedUntil ?? null;
}

/** Adds to the library's count of wrong codes, which covers only sign-ins. */
export async function recordWrongCode(db: Db, accountId: string, now: Date): Promise<void> {
  const until = addMs(now, peopleLimits.secondStepLockMinutes * minuteMs);
  await sql`update second_factors set
      failed_verification_count = case when locked_until <= ${now} then 1 else failed_verification_count + 1 end,
      locked_until = case when locked_until <= ${now} then null
        when failed_verification_count + 1 >= ${peopleLimits.secondStepTries} then ${until} else locked_until end
    where account_id = ${accountId}`.execute(db);
}

export async function resetWrongCodes(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('second_factors')
    .set({ failedVerificationCount: 0, lockedUntil: null })
    .where('accountId', '=', accountId)
    .execute();
}

export async function findSignInTime(db: Db, sessionId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('sessions')
    .select('createdAt')
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.createdAt ?? null;
}

export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expiresAt', '<', now).execute();
  await db.deleteFrom('verifications').where('expiresAt', '<', now).execute();
}

/** A former owner of the address may still undo its change (ADR 157). */
export async function isHeldForUndo(db: Db, email: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('email_changes')
    .select('id')
    .where('oldEmail', '=', email.toLowerCase())
    .where('status', '=', 'done')
    .where('undoUntil', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLinksOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('verifications').where('value', '=', accountId).execute();
}

export async function findSecondStep(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .select(({ exists, selectFrom }) => [
      sql<boolean>`coalesce(two_factor_enabled, false)`.as('on'),
      exists(
        selectFrom('credentials')
          .select('credentials.id')
          .whereRef('credentials.accountId', '=', 'accounts.id')
          .where('providerId', '=', 'credential')
          .where('password', 'is not', null),
      ).as('hasPassword'),
      exists(
        selectFrom('firebase_identities')
          .select('uid')
          .whereRef('firebase_identities.accountId', '=', 'accounts.id')
          .where('hasPassword', '=', true),
      ).as('hasExternalPassword'),
      exists(
        selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.accountId', '=', 'accounts.id'),
      ).as('hasPasskey'),
    ])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

export async function markSecondStepOn(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ turnedOnAt: now })
    .where('accountId', '=', accountId)
    .execute();
}

/** Removes a second step that was turned on since a time, such as by an intruder. */
export async function deleteSecondStepSince(tx: Tx, accountId: string, since: Date): Promise<void> {
  const deleted = await tx
    .deleteFrom('second_factors')
    .where('accountId', '=', accountId)
    .where(({ eb, or }) => or([eb('turnedOnAt', 'is', null), eb('turnedOnAt', '>=', since)]))
    .returning('id')
    .execute();
  if (deleted.length > 0)
    await tx.updateTable('accounts').set({ twoFactorEnabled: false }).where('id', '=', accountId).execute();
}

/** The account of a pending second step or reset link, by the hash in `identifier`. */
export async function findPendingStep(db: Db, identifier: string, now: Date) {
  return db
    .selectFrom('verifications')
    .innerJoin('accounts', (join) => join.on(sql`accounts.id::text`, '=', sql.ref('verifications.value')))
    .select(['accounts.id', 'accounts.email', 'accounts.emailVerified'])
    .where('identifier', '=', identifier)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}

/** `identifier` is stored hashed, as the provider looks it up. */
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
      expiresAt: row.expiresAt,
      createdAt: row.now,
      updatedAt: row.now,
    })
    .execute();
}

/** Counts in fixed windows. One statement, so concurrent attempts can't both be the last allowed one. */
export async function recordAttempts(
  db: Db,
  keys: readonly string[],
  now: Date,
  windowMs = 60_000,
): Promise<Map<string, { count: number; since: Date }>> {
  const windowStart = subtractMs(now, windowMs);
  const { rows } = await sql<{ key: string; count: number; windowStart: Date }>`
    with swept as (
      delete from sign_in_limits where key in (
        select key from sign_in_limits where window_start < ${subtractMs(now, dayMs)}
          and key <> all (${[...keys]}::text[])
        limit 20 for update skip locked))
    insert into sign_in_limits as kept (key, count, window_start)
    select key, 1, ${now} from unnest(${[...keys].sort()}::text[]) as key
    on conflict (key) do update set
      count = case when kept.window_start <= ${windowStart} then 1 else kept.count + 1 end,
      window_start = case when kept.window_start <= ${windowStart} then excluded.window_start else kept.window_start end
    returning kept.key, kept.count, kept.window_start`.execute(db);
  return new Map(rows.map((row) => [row.key, { count: row.count, since: row.windowStart }]));
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('sign_in_limits').where('key', '=', key).execute();
}

export async function findPasswordHash(db: Db, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('credentials')
    .select('password')
    .where('accountId', '=', accountId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst();
  return row?.password ?? null;
}

export async function findPasswordHashAt(db: Db, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('credentials')
    .innerJoin('accounts', 'accounts.id', 'credentials.accountId')
    .select('credentials.password')
    .where('accounts.email', '=', email.toLowerCase())
    .where('credentials.providerId', '=', 'credential')
    .executeTakeFirst();
  return row?.password ?? null;
}

export async function deleteSignIn(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('credentials').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('second_factors').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('second_step_codes').where('accountId', '=', accountId).execute();
  await tx.updateTable('accounts').set({ twoFactorEnabled: false }).where('id', '=', accountId).execute();
  await deleteLinksOf(tx, accountId);
}

/**
 * Claims a code, so that only one of two concurrent sign-ins can use it.
 * @returns false if claimed since `since`
 */
export async function claimCode(
  db: Db,
  claim: { accountId: string; codeHash: string; now: Date; since: Date },
): Promise<boolean> {
  const { accountId, codeHash, now, since } = claim;
  await db
    .deleteFrom('second_step_codes')
    .where('accountId', '=', accountId)
    .where('usedAt', '<', since)
    .execute();
  const row = await db
    .insertInto('second_step_codes')
    .values({ accountId, codeHash, usedAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'codeHash']).doNothing())
    .returning('codeHash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets a code be used again, because the step that used it failed. */
export async function releaseCode(db: Db, accountId: string, codeHash: string): Promise<void> {
  await db
    .deleteFrom('second_step_codes')
    .where('accountId', '=', accountId)
    .where('codeHash', '=', codeHash)
    .execute();
}
