import { addMs, dayMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import {
  type PhoneCheckStatus,
  type VerificationOverview,
  verification,
} from '@nearhand/contract/people/verification';
import { phoneCodeLimits } from '@nearhand/contract/people/verification.rules';
import { type Insertable, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import { countedNetworks } from '../../platform/http/caller-network.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { emitAccount } from '../../platform/realtime/publish-records.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';
import { canSendTexts, createSms, SmsRefusedError } from '../../platform/sms/sms.ts';
import type { PhoneCodes } from '../../platform/tables.gen.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { languageOfAccount } from '../account-settings/account-settings.ts';
import { saveProfile } from '../profiles/profiles.ts';

/** The caller's checks, and those that they can start. Needs no verified email. */
async function overviewOf(db: Db, { actor, clock, config }: Scope): Promise<VerificationOverview> {
  const { accountId } = actor;
  const row = await findChecks(db, accountId);
  if (!row) throw new AppError('session/expired');
  const code = await findNewestCode(db, accountId);
  const isChecked = row.phone !== null && row.phone === row.checkedPhone;
  return {
    accountId,
    email: { address: row.email, checked: row.emailVerified },
    phone: {
      available: canSendTexts(config),
      status: phoneStatus(row.phone, row.checkedPhone),
      number: row.phone,
      checkedAt: isChecked ? (row.checkedAt?.toISOString() ?? null) : null,
      code: code ? toPhoneCode(code, clock) : null,
    },
    payout: {
      status: row.payoutStatus ?? 'none',
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

function toPhoneCode(row: PhoneCodeRow, clock: Clock): VerificationOverview['phone']['code'] {
  const over = row.expiresAt <= clock.now() || !['open', 'undelivered'].includes(row.status);
  if (over) return null;
  return {
    phone: row.phone,
    expiresAt: row.expiresAt.toISOString(),
    resendAt: addMs(row.createdAt, phoneCodeLimits.resendSeconds * 1_000).toISOString(),
    triesLeft: Math.max(0, phoneCodeLimits.tries - row.tries),
    undelivered: row.status === 'undelivered',
  };
}

const codeExpiry = (now: Date): Date => addMs(now, phoneCodeLimits.minutes * minuteMs);

/** Deletes a removed account's checks and codes. Returns its numbers. */
export async function eraseChecks(tx: Tx, accountId: string): Promise<string[]> {
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

async function findHolder(db: Db, phone: string, exceptAccountId: string): Promise<string | undefined> {
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
async function upsertPhoneCheck(
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
  for (const { accountId } of [...former, check]) emitAccount(tx, accountId);
}

async function deletePhoneCheck(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('phone_checks')
    .where('accountId', '=', accountId)
    .returning('phone')
    .execute();
  return rows.map(({ phone }) => phone);
}

const columns = ['id', 'accountId', 'phone', 'status', 'tries', 'createdAt', 'expiresAt'] as const;
type PhoneCodeRow = NonNullable<Awaited<ReturnType<typeof findCode>>>;

/** Serializes counts and checks per account, number or network. */
async function lockNumbers(tx: Tx, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await sql`select pg_advisory_xact_lock(hashtextextended('phone ' || ${key}, 0))`.execute(tx);
}

async function findSent(
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

async function findSentBefore(db: Db, since: Date, max: number): Promise<Date | undefined> {
  const row = await db
    .selectFrom('phone_codes')
    .select('createdAt')
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.createdAt;
}

async function findCode(db: Db, codeId: string) {
  const row = await db.selectFrom('phone_codes').select(columns).where('id', '=', codeId).executeTakeFirst();
  return row && { ...row, status: row.status };
}

async function findNewestCode(db: Db, accountId: string): Promise<PhoneCodeRow | undefined> {
  const row = await db
    .selectFrom('phone_codes')
    .select(columns)
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, status: row.status };
}

async function insertCode(tx: Tx, row: Insertable<PhoneCodes> & { accountId: string }): Promise<void> {
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
async function recordCodeAttempt(
  db: Db,
  accountId: string,
  max: number,
  now: Date,
): Promise<{ id: string; tries: number } | undefined> {
  return db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('accountId', '=', accountId)
    .where('status', '=', 'open')
    .where('tries', '<', max)
    .where('expiresAt', '>', now)
    .returning(['id', 'tries'])
    .executeTakeFirst();
}

async function endCode(
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

async function deleteCodesBefore(db: Db, before: Date): Promise<void> {
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

const sendPhoneCodeTask = defineTask({
  name: 'verification.send-phone-code',
  payload: z.object({ codeId: z.string() }),
  queue: 'messages',
  run: (scope, { codeId }) => sendCodeBySms(scope, codeId),
});

const codeBytes = 6;

/** Derives the code from its id and a server key, so nothing stored reveals it (ADR 173). */
const derivePhoneCode = (mac: Mac, codeId: string): string =>
  String(mac('phone-code', codeId).readUIntBE(0, codeBytes) % 10 ** phoneCodeLimits.digits).padStart(
    phoneCodeLimits.digits,
    '0',
  );

/** Texts a code, which replaces an earlier one. */
async function sendPhoneCode(
  tx: Tx,
  scope: Scope,
  { phone }: { phone: string },
): Promise<VerificationOverview> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  if (!canSendTexts(scope.config)) throw new AppError('phone-check/unavailable', {});
  const networks = countedNetworks(scope.network ?? '').map(({ network, share }) => ({
    hash: scope.sign.lasting('phone-network', network).toString('hex'),
    share,
  }));
  const hashes = networks.map(({ hash }) => hash);
  await lockNumbers(tx, [accountId, phone, ...hashes, 'all']);
  await requireRoom(tx, { accountId, phone, networks }, now);
  // Last, so that the caller's own limits are reported first.
  const full = await findSentBefore(tx, subtractMs(now, dayMs), scope.config.TEXTS_PER_DAY);
  if (full) throw new AppError('phone-check/unavailable', retryAfter(now, full, dayMs));
  const row = { id: newId(now), accountId, phone, networks: hashes, status: 'open' as const };
  await insertCode(tx, { ...row, createdAt: now, expiresAt: codeExpiry(now) });
  await enqueue(tx, sendPhoneCodeTask, { codeId: row.id }, { key: `phone-code/${row.id}` });
  return overviewOf(tx, scope);
}

const retryAfter = (now: Date, at: Date, ms: number) => ({
  retryAfterSeconds: Math.ceil((at.getTime() + ms - now.getTime()) / 1_000),
});

async function requireRoom(
  tx: Tx,
  by: { accountId: string; phone: string; networks: readonly { hash: string; share: number }[] },
  now: Date,
): Promise<void> {
  const since = subtractMs(now, dayMs);
  const sentByAccount = await findSent(tx, 'accountId', by.accountId, since);
  const sentToNumber = await findSent(tx, 'phone', by.phone, since);
  const resendMs = phoneCodeLimits.resendSeconds * 1_000;
  const last = sentByAccount.at(-1);
  if (last && last.getTime() + resendMs > now.getTime())
    throw new AppError('phone-check/too-soon', retryAfter(now, last, resendMs));
  const { perAccount, perNumber, perNetwork } = phoneCodeLimits;
  const requireFewer = (times: readonly Date[], max: number) => {
    const first = times.at(-max);
    if (first) throw new AppError('phone-check/too-many', retryAfter(now, first, dayMs));
  };
  requireFewer(sentByAccount, perAccount);
  requireFewer(sentToNumber, perNumber);
  for (const { hash, share } of by.networks)
    requireFewer(await findSent(tx, 'networks', hash, since), perNetwork * share);
}

type RightCode = { codeId: string; repeated: boolean };

/**
 * Counts before the transaction, so that a wrong code counts too.
 * @throws phone-check/wrong-code
 */
async function checkCode(scope: Scope, { code }: { code: string }, db: Db): Promise<RightCode> {
  const { accountId } = scope.actor;
  const { tries } = phoneCodeLimits;
  const isRight = (codeId: string) => isAccepted(scope.sign, code, (mac) => derivePhoneCode(mac, codeId));
  const attempt = await recordCodeAttempt(db, accountId, tries, scope.clock.now());
  if (attempt && isRight(attempt.id)) return { codeId: attempt.id, repeated: false };
  if (attempt) throw new AppError('phone-check/wrong-code', { left: tries - attempt.tries });
  // The response to the first call may have been lost.
  const newest = await findNewestCode(db, accountId);
  if (newest?.status === 'used' && newest.expiresAt > scope.clock.now() && isRight(newest.id))
    return { codeId: newest.id, repeated: true };
  throw new AppError('phone-check/no-code');
}

/** Verifies the number and stores it in the profile. */
async function confirmPhone(
  tx: Tx,
  scope: Scope,
  _input: unknown,
  { codeId, repeated }: RightCode,
): Promise<VerificationOverview> {
  if (repeated) return overviewOf(tx, scope);
  const { accountId } = scope.actor;
  const codeRow = await findCode(tx, codeId);
  if (!codeRow) throw new AppError('phone-check/no-code');
  await lockNumbers(tx, [accountId, codeRow.phone]);
  const code = await endCode(tx, codeId, 'used');
  if (!code) throw new AppError('phone-check/no-code');
  if (await findHolder(tx, code.phone, accountId)) throw new AppError('phone-check/taken');
  await upsertPhoneCheck(tx, { accountId, phone: code.phone, checkedAt: scope.clock.now() });
  await saveProfile(tx, scope, { phone: code.phone });
  return overviewOf(tx, scope);
}

async function sendCodeBySms(scope: TaskScope, codeId: string): Promise<void> {
  const { db, config, clock, sign, log } = scope;
  const row = await findCode(db, codeId);
  if (row?.status !== 'open' || row.expiresAt <= clock.now()) return;
  const code = derivePhoneCode(sign, codeId);
  const smsText = phrase("{code} is your Nearhand code. It works for {minutes} minutes. Don't share it.", {
    code,
    minutes: phoneCodeLimits.minutes,
  });
  const words = phraseIn(await languageOfAccount(db, row.accountId), smsText);
  // Phones read the code from the last line (WebOTP).
  const text = `${words}\n\n@${new URL(config.PUBLIC_URL).hostname} #${code}`;
  try {
    await createSms(config, db, clock).send({ to: row.phone, text, key: `phone-code-${codeId}` });
  } catch (error) {
    if (!(error instanceof SmsRefusedError)) throw error;
    log.info({ codeId }, 'a number was refused by the text message provider');
    await db.transaction().execute((tx) => endCode(tx, codeId, 'undelivered'));
  }
}

const keptDays = 2;

export const purgeCodes = ({ db, clock }: Pick<TaskScope, 'db' | 'clock'>): Promise<void> =>
  deleteCodesBefore(db, subtractMs(clock.now(), keptDays * dayMs));

const purgeTask = defineTask({
  name: 'verification.purge-phone-codes',
  payload: z.object({}),
  daily: true,
  run: purgeCodes,
});

export const verificationTasks = [sendPhoneCodeTask, purgeTask];

export const verificationRoutes = {
  overview: read(verification.overview, overviewOf),
  sendPhoneCode: write(verification.sendPhoneCode, sendPhoneCode),
  // A wrong code counts as an attempt even if the transaction rolls back.
  confirmPhone: write(verification.confirmPhone, confirmPhone, { prepare: checkCode, stored: false }),
};
