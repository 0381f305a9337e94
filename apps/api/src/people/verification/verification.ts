import { minuteMs } from '@nearhand/contract/durations';
import type { PhoneCheckStatus, VerificationOverview } from '@nearhand/contract/people/verification';
import { phoneCodeLimits } from '@nearhand/contract/people/verification.rules';
import { type Insertable, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { canSendTexts } from '../../platform/sms/sms.ts';
import type { PhoneCodes } from '../../platform/tables.gen.ts';

/** What has been checked about the caller, and what can be. Works before the email is verified. */
export async function overviewOf(db: Db, { actor, clock, config }: Scope): Promise<VerificationOverview> {
  const { accountId } = actor;
  const row = await findChecks(db, accountId);
  if (!row) throw new AppError('session/expired');
  const code = await findNewestCode(db, accountId);
  const checked = row.phone !== null && row.phone === row.checked_phone;
  return {
    accountId,
    email: { address: row.email, checked: row.email_verified },
    phone: {
      available: canSendTexts(config),
      status: phoneStatus(row.phone, row.checked_phone),
      number: row.phone,
      checkedAt: checked ? (row.checked_at?.toISOString() ?? null) : null,
      code: code ? viewCode(code, clock) : null,
    },
    payout: {
      status: (row.payout_status as VerificationOverview['payout']['status'] | null) ?? 'none',
      reason: row.payout_reason,
      decidedAt: row.decided_at?.toISOString() ?? null,
    },
  };
}

function phoneStatus(number: string | null, checked: string | null): PhoneCheckStatus {
  if (number === null) return 'none';
  if (number === checked) return 'checked';
  return checked === null ? 'unchecked' : 'changed';
}

/** A code that can be entered or that did not arrive; null for one that is over. */
function viewCode(row: PhoneCodeRow, clock: Clock): VerificationOverview['phone']['code'] {
  const over = row.expires_at <= clock.now() || !['open', 'undelivered'].includes(row.status);
  if (over) return null;
  return {
    phone: row.phone,
    expiresAt: row.expires_at.toISOString(),
    resendAt: new Date(row.created_at.getTime() + phoneCodeLimits.resendSeconds * 1_000).toISOString(),
    triesLeft: Math.max(0, phoneCodeLimits.tries - row.tries),
    undelivered: row.status === 'undelivered',
  };
}

/** Until when a code that is sent now can be entered. */
export const codeExpiry = (now: Date): Date => new Date(now.getTime() + phoneCodeLimits.minutes * minuteMs);

/** For an account that is removed (ADR 160): its checks and codes go. Returns the numbers it had. */
export async function forgetChecks(tx: Tx, accountId: string): Promise<string[]> {
  return [...(await deleteCodesOf(tx, accountId)), ...(await deletePhoneCheck(tx, accountId))];
}

/** What is known about an account's checks; undefined for no account. */
async function findChecks(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.account_id', 'accounts.id')
    .leftJoin('phone_checks', 'phone_checks.account_id', 'accounts.id')
    .leftJoin('payout_identities as payee', 'payee.account_id', 'accounts.id')
    .select(['accounts.email', 'accounts.email_verified', 'profiles.phone'])
    .select(['phone_checks.phone as checked_phone', 'phone_checks.checked_at'])
    .select(['payee.status as payout_status', 'payee.reason as payout_reason', 'payee.decided_at'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

/** The other account that has this checked number in its profile. */
export async function findHolder(
  db: Db,
  phone: string,
  exceptAccountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('phone_checks')
    .innerJoin('profiles', (join) =>
      join
        .onRef('profiles.account_id', '=', 'phone_checks.account_id')
        .onRef('profiles.phone', '=', 'phone_checks.phone'),
    )
    .select('phone_checks.account_id')
    .where('phone_checks.phone', '=', phone)
    .where('phone_checks.account_id', '<>', exceptAccountId)
    .executeTakeFirst();
  return row?.account_id;
}

/** Stores that an account has a number. Anyone who had it checked before and no longer uses it loses that check. */
export async function putPhoneCheck(
  tx: Tx,
  check: { account_id: string; phone: string; checked_at: Date },
): Promise<void> {
  const former = await tx
    .deleteFrom('phone_checks')
    .where('phone', '=', check.phone)
    .where('account_id', '<>', check.account_id)
    .returning('account_id')
    .execute();
  await tx
    .insertInto('phone_checks')
    .values(check)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ phone: check.phone, checked_at: check.checked_at }),
    )
    .execute();
  for (const { account_id: accountId } of [...former, check])
    emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

/** Deletes an account's check; returns its number. */
async function deletePhoneCheck(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('phone_checks')
    .where('account_id', '=', accountId)
    .returning('phone')
    .execute();
  return rows.map(({ phone }) => phone);
}

type Status = 'open' | 'used' | 'replaced' | 'undelivered';

const columns = ['id', 'account_id', 'phone', 'status', 'tries', 'created_at', 'expires_at'] as const;
type PhoneCodeRow = NonNullable<Awaited<ReturnType<typeof findCode>>>;

const emitAccount = (tx: Tx, accountId: string) =>
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });

/** Counts and checks of one account, number or network happen one after the other until the transaction ends. */
export async function lockNumbers(tx: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await sql`select pg_advisory_xact_lock(hashtextextended('phone ' || ${key}, 0))`.execute(tx);
}

/** When codes were sent since then, oldest first. */
export async function findSent(
  db: Db,
  by: 'account_id' | 'phone' | 'networks',
  value: string,
  since: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('phone_codes')
    .select('created_at')
    .where(
      by === 'networks' ? sql<boolean>`networks @> array[${value}]` : sql<boolean>`${sql.ref(by)} = ${value}`,
    )
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute();
  return rows.map((row) => row.created_at);
}

/** When the first of the `most` newest codes was sent; undefined if fewer were sent since then. */
export async function findSentBefore(db: Db, since: Date, most: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('phone_codes')
    .select('created_at')
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

export async function findCode(db: Db, codeId: string) {
  const row = await db.selectFrom('phone_codes').select(columns).where('id', '=', codeId).executeTakeFirst();
  return row && { ...row, status: row.status as Status };
}

/** The account's newest code, in any state. */
export async function findNewestCode(db: Db, accountId: string): Promise<PhoneCodeRow | undefined> {
  const row = await db
    .selectFrom('phone_codes')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, status: row.status as Status };
}

/** Replaces the account's open code by this one. */
export async function insertCode(
  tx: Tx,
  row: Insertable<PhoneCodes> & { account_id: string },
): Promise<void> {
  await tx
    .updateTable('phone_codes')
    .set({ status: 'replaced' })
    .where('account_id', '=', row.account_id)
    .where('status', '=', 'open')
    .execute();
  await tx.insertInto('phone_codes').values(row).execute();
  emitAccount(tx, row.account_id);
}

/** Counts a try of the account's open code; undefined if there is none, it has expired, or no tries are left. */
export async function takeTry(
  db: Db,
  accountId: string,
  most: number,
  now: Date,
): Promise<{ id: string; tries: number } | undefined> {
  return db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('account_id', '=', accountId)
    .where('status', '=', 'open')
    .where('tries', '<', most)
    .where('expires_at', '>', now)
    .returning(['id', 'tries'])
    .executeTakeFirst();
}

/** Moves an open code on; undefined if it is no longer open. */
export async function endCode(
  tx: Tx,
  codeId: string,
  to: 'used' | 'undelivered',
): Promise<{ account_id: string; phone: string } | undefined> {
  const row = await tx
    .updateTable('phone_codes')
    .set({ status: to })
    .where('id', '=', codeId)
    .where('status', '=', 'open')
    .returning(['account_id', 'phone'])
    .executeTakeFirst();
  if (row) emitAccount(tx, row.account_id);
  return row;
}

export async function deleteCodesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('phone_codes').where('created_at', '<', before).execute();
}

/** Deletes an account's codes; returns the numbers they went to. */
async function deleteCodesOf(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('phone_codes')
    .where('account_id', '=', accountId)
    .returning('phone')
    .execute();
  return rows.map(({ phone }) => phone);
}
