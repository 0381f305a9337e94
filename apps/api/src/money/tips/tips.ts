import type { Currency } from '@nearhand/contract/currencies';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { tipProblem } from '@nearhand/contract/money/releases.rules';
import type { Tip } from '@nearhand/contract/money/tips';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Tips } from '../../platform/tables.gen.ts';
import { type Landed, lastChargeOf, type PaidCharge, startCharge } from '../charges/charges.ts';
import { balanceAccount, refuseShort, tryEntry } from '../holds/hold-entries.ts';
import { type MoneyScope, moneyHooks } from '../hooks.ts';
import type { LedgerAccount } from '../ledger/ledger.rules.ts';
import { postEntry } from '../ledger/ledger.ts';
import { creditOf, scheduleClearing } from '../payouts/clearing.ts';
import { wantReceipt } from '../receipts/receipts.ts';
import { chooseFunding } from '../wallet/wallet.ts';

type TipRow = Selectable<Tips>;

async function insertTip(tx: Tx, row: Insertable<Tips>): Promise<void> {
  await tx.insertInto('tips').values(row).execute();
  notifyOfTip(tx, row);
}

const lockTip = (tx: Tx, tipId: string): Promise<TipRow | undefined> =>
  tx.selectFrom('tips').selectAll().where('id', '=', tipId).forUpdate().executeTakeFirst();

async function updateTip(tx: Tx, tipId: string, set: Updateable<Tips>): Promise<void> {
  const updated = await tx
    .updateTable('tips')
    .set(set)
    .where('id', '=', tipId)
    .returning(['engagementId', 'workerId', 'businessId', 'status'])
    .executeTakeFirst();
  if (updated) notifyOfTip(tx, updated);
}

function notifyOfTip(
  tx: Tx,
  { engagementId, ...row }: Pick<Selectable<Tips>, 'engagementId' | 'workerId' | 'businessId' | 'status'>,
): void {
  emitRecord(tx, 'engagement', {
    ...row,
    id: engagementId,
    workerId: row.status === 'paid' ? row.workerId : null,
  });
}

/** Part of account removal: replaces the person's name in notes. */
export async function eraseTips(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update tips set note = ${withoutWords('note', member)} where note <> '' and engagement_id in (
    select id from engagements where worker_id = ${member.accountId})`.execute(tx);
}

/**
 * Pays a tip or bonus, all of it to the worker. Minor units. The caller checks access.
 * @throws payment/tip-too-much (data: maxMinor), payment/balance-short
 * (data: missingMinor, currency), payment/card-not-found, payment/method-missing
 */
export async function payTip(
  tx: Tx,
  scope: Scope,
  request: {
    engagementId: string;
    businessId: string;
    workerId: string;
    kind: 'tip' | 'bonus';
    amountMinor: number;
    currency: Currency;
    note: string;
    funding?: FundingSource;
    description: string;
    returnPath: string;
  },
): Promise<Tip> {
  const { engagementId, businessId, workerId, kind, amountMinor, currency, note } = request;
  if (tipProblem(amountMinor) === 'too-much')
    throw new AppError('payment/tip-too-much', { maxMinor: moneyLimits.tipMaxMinor, currency });
  const now = scope.clock.now();
  const funding = await chooseFunding(tx, scope, {
    businessId,
    amountMinor,
    currency,
    funding: request.funding,
    forTip: true,
  });
  const tip: TipRow = {
    id: newId(now),
    engagementId,
    businessId,
    workerId,
    kind,
    amountMinor,
    currency,
    note,
    status: 'paying',
    clearsAt: null,
    givenBy: scope.actor.accountId,
    at: now,
    reversedAt: null,
  };
  await insertTip(tx, tip);
  if (funding.from === 'balance') {
    if (!(await postTip(tx, scope, tip, balanceAccount(businessId))))
      await refuseShort(tx, scope, { businessId, amountMinor, currency, forTip: true });
  } else
    await startCharge(tx, scope, {
      businessId,
      cardId: funding.cardId,
      purpose: 'tip',
      subjectId: tip.id,
      amountMinor,
      currency,
      description: request.description,
      returnPath: request.returnPath,
    });
  return {
    id: tip.id,
    engagementId,
    kind,
    amountMinor,
    currency,
    note,
    status: funding.from === 'balance' ? 'paid' : 'paying',
    at: now.toISOString(),
    charge: await lastChargeOf(tx, tip.id),
  };
}

async function postTip(tx: Tx, scope: MoneyScope, tip: TipRow, from: LedgerAccount): Promise<boolean> {
  const credit = await creditOf(tx, scope, tip.workerId);
  const currency = tip.currency;
  const entry = {
    key: `tip/${tip.id}`,
    kind: tip.kind,
    currency,
    about: tip.id,
    lines: [
      { account: from, amountMinor: -tip.amountMinor },
      { account: { kind: credit.account, ownerId: tip.workerId }, amountMinor: tip.amountMinor },
    ],
  };
  const posted =
    from.kind === 'business_balance' ? await tryEntry(tx, scope, entry) : await postEntry(tx, scope, entry);
  if (!posted) return false;
  await updateTip(tx, tip.id, { status: 'paid', clearsAt: credit.clearsAt });
  await scheduleClearing(tx, scope, {
    id: tip.id,
    workerId: tip.workerId,
    amountMinor: tip.amountMinor,
    currency,
    clearsAt: credit.clearsAt,
  });
  const writtenAt = scope.unmailed ? scope.clock.now() : undefined;
  await wantReceipt(tx, { entryId: posted.entryId, businessId: tip.businessId, at: writtenAt });
  await moneyHooks.on.tipPaid(tx, scope, {
    tipId: tip.id,
    engagementId: tip.engagementId,
    amountMinor: tip.amountMinor,
    currency,
    kind: entry.kind,
    note: tip.note,
  });
  return true;
}

/** Pays a tip from its successful charge; `balance` if the tip was given up. */
export async function applyTipCharge(
  tx: Tx,
  scope: MoneyScope,
  tipId: string,
  charge: PaidCharge,
): Promise<Landed> {
  const tip = await lockTip(tx, tipId);
  if (tip?.status !== 'paying') return 'balance';
  if (tip.amountMinor !== charge.amountMinor || tip.currency !== charge.currency) return 'balance';
  await postTip(tx, scope, tip, { kind: 'provider_clearing' });
  return 'subject';
}

/** Ends a tip whose charge failed: nothing was taken. */
export async function failTip(tx: Tx, tipId: string): Promise<void> {
  const tip = await lockTip(tx, tipId);
  if (tip?.status === 'paying') await updateTip(tx, tipId, { status: 'failed' });
}

export const markTipReversed = (tx: Tx, tipId: string, at: Date): Promise<void> =>
  updateTip(tx, tipId, { reversedAt: at });
