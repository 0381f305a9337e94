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

/** The caller's checks and possible ones. Needs no verified email. */
export async function overviewOf(db: Db, { actor, clock, config }: Scope): Promise<VerificationOverview> {
  const { accountId } = actor;
  const row = await findChecks(db, accountId);
  if (!row) throw new AppError('session/expired');
  const code = await findNewestCode(db, accountId);
  const checked = row.phone !== null && row.phone === row.checkedPhone;
  return {
    accountId,
    email: { address: row.email, checked: row.emailVerified },
    phone: {
      available: canSendTexts(config),
      status: phoneStatus(row.phone, row.checkedPhone),
      number: row.phone,
      checkedAt: checked ? (row.checkedAt?.toISOString() ?? null) : null,
      code: code ? viewCode(code, clock) : null,
    },
    payout: {
      status: (row.payoutStatus as VerificationOverview['payout']['status'] | null) ?? 'none',
      reason: row.payoutReason,
      decidedAt: row.decidedAt?.toISOString() ?? null,
    },
  };
}

function phoneStatus(number: string | null, checked: string | null): PhoneCheckStatus {
  if (number === null) return 'none';
  if (number === checked) return 'checked';
  return checked === null ? 'unchecked' : 'changed';
}

function viewCode(row: PhoneCodeRow, clock: Clock): VerificationOverview['phone']['code'] {
  const over = row.expiresAt <= clock.now() || !['open', 'undelivered'].includes(row.status);
  if (over) return null;
  return {
    phone: row.phone,
    expiresAt: row.expiresAt.toISOString(),
    resendAt: new Date(row.createdAt.getTime() + phoneCodeLimits.resendSeconds * 1_000).toISOString(),
    triesLeft: Math.max(0, phoneCodeLimits.tries - row.tries),
    undelivered: row.status === 'undelivered',
  };
}

export const codeExpiry = (now: Date): Date => new Date(now.getTime() + phoneCodeLimits.minutes * minuteMs);

/** Deletes a removed account's checks and codes. Returns its numbers. */
export async function forgetChecks(tx: Tx, accountId: string): Promise<string[]> {
  return [...(await deleteCodesOf(tx, accountId)), ...(await deletePhoneCheck(tx, accountId))];
}

async function findChecks(db: Db, accountId: string) {
  return db
    .selectFrom('accounts')
    .leftJoin('profiles', 'profiles.accountId', 'accounts.id')
    .leftJoin('phone_checks', 'phone_checks.accountId', 'accounts.id')
    .leftJoin('payout_identities as payee', 'payee.accountId', 'accounts.id')
    .select(['accounts.email', 'accounts.emailVerified', 'profiles.phone'])
    .select(['phone_checks.phone as checkedPhone', 'phone_checks.checkedAt'])
    .select(['payee.status as payoutStatus', 'payee.reason as payoutReason', 'payee.decidedAt'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
}

export async function findHolder(
  db: Db,
  phone: string,
  exceptAccountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('phone_checks')
    .innerJoin('profiles', (join) =>
      join
        .onRef('profiles.accountId', '=', 'phone_checks.accountId')
        .onRef('profiles.phone', '=', 'phone_checks.phone'),
    )
    .select('phone_checks.accountId')
    .where('phone_checks.phone', '=', phone)
    .where('phone_checks.accountId', '<>', exceptAccountId)
    .executeTakeFirst();
  return row?.accountId;
}

/** Stores a checked number, and ends the check of a former holder who no longer uses it. */
export async function putPhoneCheck(
  tx: Tx,
  check: { accountId: string; phone: string; checkedAt: Date },
): Promise<void> {
  const former = await tx
    .deleteFrom('phone_checks')
    .where('phone', '=', check.phone)
    .where('accountId', '<>', check.accountId)
    .returning('accountId')
    .execute();
  await tx
    .insertInto('phone_checks')
    .values(check)
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({ phone: check.phone, checkedAt: check.checkedAt }),
    )
    .execute();
  for (const { accountId } of [...former, check])
    emitRecord(tx, 'account', { id: accountId, workerId: accountId });
}

async function deletePhoneCheck(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('phone_checks')
    .where('accountId', '=', accountId)
    .returning('phone')
    .execute();
  return rows.map(({ phone }) => phone);
}

type Status = 'open' | 'used' | 'replaced' | 'undelivered';

const columns = ['id', 'accountId', 'phone', 'status', 'tries', 'createdAt', 'expiresAt'] as const;
type PhoneCodeRow = NonNullable<Awaited<ReturnType<typeof findCode>>>;

const emitAccount = (tx: Tx, accountId: string) =>
  emitRecord(tx, 'account', { id: accountId, workerId: accountId });

/** Serializes counts and checks per account, number or network. */
export async function lockNumbers(tx: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await sql`select pg_advisory_xact_lock(hashtextextended('phone ' || ${key}, 0))`.execute(tx);
}

export async function findSent(
  db: Db,
  by: 'accountId' | 'phone' | 'networks',
  value: string,
  since: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('phone_codes')
    .select('createdAt')
    .where(
      by === 'networks' ? sql<boolean>`networks @> array[${value}]` : sql<boolean>`${sql.ref(by)} = ${value}`,
    )
    .where('createdAt', '>', since)
    .orderBy('createdAt')
    .execute();
  return rows.map((row) => row.createdAt);
}

export async function findSentBefore(db: Db, since: Date, most: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('phone_codes')
    .select('createdAt')
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.createdAt;
}

export async function findCode(db: Db, codeId: string) {
  const row = await db.selectFrom('phone_codes').select(columns).where('id', '=', codeId).executeTakeFirst();
  return row && { ...row, status: row.status as Status };
}

export async function findNewestCode(db: Db, accountId: string): Promise<PhoneCodeRow | undefined> {
  const row = await db
    .selectFrom('phone_codes')
    .select(columns)
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, status: row.status as Status };
}

export async function insertCode(tx: Tx, row: Insertable<PhoneCodes> & { accountId: string }): Promise<void> {
  await tx
    .updateTable('phone_codes')
    .set({ status: 'replaced' })
    .where('accountId', '=', row.accountId)
    .where('status', '=', 'open')
    .execute();
  await tx.insertInto('phone_codes').values(row).execute();
  emitAccount(tx, row.accountId);
}

/** Counts an attempt; undefined if no open code or no attempts are left. */
export async function takeTry(
  db: Db,
  accountId: string,
  most: number,
  now: Date,
): Promise<{ id: string; tries: number } | undefined> {
  return db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('accountId', '=', accountId)
    .where('status', '=', 'open')
    .where('tries', '<', most)
    .where('expiresAt', '>', now)
    .returning(['id', 'tries'])
    .executeTakeFirst();
}

export async function endCode(
  tx: Tx,
  codeId: string,
  to: 'used' | 'undelivered',
): Promise<{ accountId: string; phone: string } | undefined> {
  const row = await tx
    .updateTable('phone_codes')
    .set({ status: to })
    .where('id', '=', codeId)
    .where('status', '=', 'open')
    .returning(['accountId', 'phone'])
    .executeTakeFirst();
  if (row) emitAccount(tx, row.accountId);
  return row;
}

export async function deleteCodesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('phone_codes').where('createdAt', '<', before).execute();
}

async function deleteCodesOf(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('phone_codes')
    .where('accountId', '=', accountId)
    .returning('phone')
    .execute();
  return rows.map(({ phone }) => phone);
}
