import { dayMs } from '@nearhand/contract/durations';
import type { VerificationOverview } from '@nearhand/contract/people/verification';
import { phoneCodeLimits } from '@nearhand/contract/people/verification.rules';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { countedNetworks } from '../../platform/http/caller-network.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { phraseIn, say } from '../../platform/mail/mail-layout.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';
import { canSendTexts, createSms, SmsRefused } from '../../platform/sms/sms.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { languageOfAccount } from '../account-settings/account-settings.ts';
import { saveProfile } from '../profiles/profiles.ts';
import {
  codeExpiry,
  deleteCodesBefore,
  endCode,
  findCode,
  findHolder,
  findNewestCode,
  findSent,
  findSentBefore,
  insertCode,
  lockNumbers,
  overviewOf,
  putPhoneCheck,
  takeTry,
} from './verification.ts';

export const sendPhoneCodeTask = {
  name: 'verification.send-phone-code',
  payload: z.object({ codeId: z.string() }),
};

const codeBytes = 6;

/** Derives the code from its id and a server key, so nothing stored reveals it (ADR 173). */
export const codeOf = (mac: Mac, codeId: string): string =>
  String(mac('phone-code', codeId).readUIntBE(0, codeBytes) % 10 ** phoneCodeLimits.digits).padStart(
    phoneCodeLimits.digits,
    '0',
  );

/** Texts a code, which replaces an earlier one. @throws phone-check/too-soon, phone-check/too-many */
export async function sendPhoneCode(
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
  const full = await findSentBefore(tx, new Date(now.getTime() - dayMs), scope.config.TEXTS_PER_DAY);
  if (full) throw new AppError('phone-check/unavailable', until(now, full, dayMs));
  const row = { id: newId(now), accountId, phone, networks: hashes, status: 'open' };
  await insertCode(tx, { ...row, createdAt: now, expiresAt: codeExpiry(now) });
  await enqueue(tx, sendPhoneCodeTask, { codeId: row.id }, { key: `phone-code/${row.id}` });
  return overviewOf(tx, scope);
}

const until = (now: Date, at: Date, ms: number) => ({
  retryAfterSeconds: Math.ceil((at.getTime() + ms - now.getTime()) / 1_000),
});

async function requireRoom(
  tx: Tx,
  by: { accountId: string; phone: string; networks: readonly { hash: string; share: number }[] },
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - dayMs);
  const sentByAccount = await findSent(tx, 'accountId', by.accountId, since);
  const sentToNumber = await findSent(tx, 'phone', by.phone, since);
  const resendMs = phoneCodeLimits.resendSeconds * 1_000;
  const last = sentByAccount.at(-1);
  if (last && last.getTime() + resendMs > now.getTime())
    throw new AppError('phone-check/too-soon', until(now, last, resendMs));
  const { perAccount, perNumber, perNetwork } = phoneCodeLimits;
  const requireFewer = (times: readonly Date[], most: number) => {
    const first = times.at(-most);
    if (first) throw new AppError('phone-check/too-many', until(now, first, dayMs));
  };
  requireFewer(sentByAccount, perAccount);
  requireFewer(sentToNumber, perNumber);
  for (const { hash, share } of by.networks)
    requireFewer(await findSent(tx, 'networks', hash, since), perNetwork * share);
}

type RightCode = { codeId: string; repeated: boolean };

/** Counts before the transaction, so that a wrong code counts too. @throws phone-check/wrong-code */
export async function checkCode(scope: Scope, { code }: { code: string }, db: Db): Promise<RightCode> {
  const { accountId } = scope.actor;
  const { tries } = phoneCodeLimits;
  const isRight = (codeId: string) => isAccepted(scope.sign, code, (mac) => codeOf(mac, codeId));
  const tried = await takeTry(db, accountId, tries, scope.clock.now());
  if (tried && isRight(tried.id)) return { codeId: tried.id, repeated: false };
  if (tried) throw new AppError('phone-check/wrong-code', { left: tries - tried.tries });
  // The response to the first call may have been lost.
  const newest = await findNewestCode(db, accountId);
  if (newest?.status === 'used' && newest.expiresAt > scope.clock.now() && isRight(newest.id))
    return { codeId: newest.id, repeated: true };
  throw new AppError('phone-check/no-code');
}

/** Verifies the number and stores it in the profile. Idempotent. @throws phone-check/taken */
export async function confirmPhone(
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
  await putPhoneCheck(tx, { accountId, phone: code.phone, checkedAt: scope.clock.now() });
  await saveProfile(tx, scope, { phone: code.phone });
  return overviewOf(tx, scope);
}

export async function textCode(scope: TaskScope, codeId: string): Promise<void> {
  const { db, config, clock, sign, log } = scope;
  const row = await findCode(db, codeId);
  if (row?.status !== 'open' || row.expiresAt <= clock.now()) return;
  const code = codeOf(sign, codeId);
  const said = say("{code} is your Nearhand code. It works for {minutes} minutes. Don't share it.", {
    code,
    minutes: phoneCodeLimits.minutes,
  });
  const words = phraseIn(await languageOfAccount(db, row.accountId), said);
  // Phones read the code from the last line (WebOTP).
  const text = `${words}\n\n@${new URL(config.PUBLIC_URL).hostname} #${code}`;
  try {
    await createSms(config, db, clock).send({ to: row.phone, text, key: `phone-code-${codeId}` });
  } catch (error) {
    if (!(error instanceof SmsRefused)) throw error;
    log.info({ codeId }, 'a number was refused by the text message provider');
    await db.transaction().execute((tx) => endCode(tx, codeId, 'undelivered'));
  }
}

const keptDays = 2;

export const purgeCodes = ({ db, clock }: Pick<TaskScope, 'db' | 'clock'>): Promise<void> =>
  deleteCodesBefore(db, new Date(clock.now().getTime() - keptDays * dayMs));
