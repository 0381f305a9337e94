import { engagementPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import type { Tip } from '@nearhand/contract/holds';
import { limits } from '@nearhand/contract/limits';
import type { FundingSource } from '@nearhand/contract/payments';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { openEngagement } from '../engagements/engagement-moves.service.ts';
import { tellOfEngagement } from '../engagements/engagement-notices.service.ts';
import { type LedgerAccount, postEntry } from '../ledger/ledger.service.ts';
import { lastChargeOf, startCharge } from '../payments/charges.service.ts';
import { chooseFunding } from '../payments/wallet.service.ts';
import { creditOf, scheduleClearing } from '../payouts/clearing.service.ts';
import { wantDocument } from '../statements/documents.service.ts';
import { balanceAccount, type MoneyScope, refuseShort, tryEntry } from './holds.service.ts';
import { insertTip, lockTip, type TipRow, updateTip } from './tips.sql.ts';

/**
 * A tip or a bonus, all of it for the worker; recruiters of the business, until `TIP_DAYS` after the work was approved. From the balance it is paid at once, from a card
 * once the charge succeeds. Minor units in the currency of the terms.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state, payment/tip-too-late (data: until), payment/tip-too-much (data: mostMinor),
 * payment/balance-short (data: missingMinor, currency), payment/card-not-found, payment/method-missing
 */
export async function giveTip(
  tx: Tx,
  scope: Scope,
  input: {
    engagementId: string;
    kind: 'tip' | 'bonus';
    amountMinor: number;
    note: string;
    funding?: FundingSource | undefined;
  },
): Promise<Tip> {
  const { engagementId, kind, amountMinor, note } = input;
  const { row } = await openEngagement(tx, scope, { engagementId, side: 'business' });
  if (row.status !== 'completed') throw new AppError('engagement/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const until = new Date((row.approved_at ?? row.updated_at).getTime() + scope.config.TIP_DAYS * dayMs);
  if (now > until) throw new AppError('payment/tip-too-late', { until: until.toISOString() });
  if (amountMinor > limits.tipMaxMinor)
    throw new AppError('payment/tip-too-much', { mostMinor: limits.tipMaxMinor });
  const { business_id: businessId, worker_id: workerId } = row;
  const { currency } = row.terms;
  const funding = await chooseFunding(tx, { businessId, amountMinor, currency, funding: input.funding });
  const tip: TipRow = {
    id: newId(now),
    engagement_id: engagementId,
    business_id: businessId,
    worker_id: workerId,
    kind,
    amount_minor: amountMinor,
    currency,
    note,
    status: 'paying',
    clears_at: null,
    given_by: scope.actor.accountId,
    at: now,
  };
  await insertTip(tx, tip);
  if (funding.from === 'balance') {
    if (!(await pay(tx, scope, tip, balanceAccount(businessId))))
      await refuseShort(tx, { businessId, amountMinor, currency });
  } else
    await startCharge(tx, scope, {
      businessId,
      cardId: funding.cardId,
      purpose: 'tip',
      subjectId: tip.id,
      amountMinor,
      currency,
      description: `${kind === 'tip' ? 'Tip' : 'Bonus'}: ${row.terms.title}`,
      returnPath: engagementPath(engagementId, 'business'),
    });
  return {
    ...{ id: tip.id, engagementId, kind, amountMinor, currency, note },
    status: funding.from === 'balance' ? 'paid' : 'paying',
    at: now.toISOString(),
    charge: await lastChargeOf(tx, tip.id),
  };
}

/** Pays a tip to its worker, without any fee; false where the balance does not cover it. */
async function pay(tx: Tx, scope: MoneyScope, tip: TipRow, from: LedgerAccount): Promise<boolean> {
  const credit = await creditOf(tx, scope, tip.worker_id);
  const currency = tip.currency as Currency;
  const entry = {
    key: `tip/${tip.id}`,
    kind: tip.kind as 'tip' | 'bonus',
    currency,
    about: tip.id,
    lines: [
      { account: from, amountMinor: -tip.amount_minor },
      { account: { kind: credit.account, ownerId: tip.worker_id }, amountMinor: tip.amount_minor },
    ],
  };
  const posted =
    from.kind === 'business_balance' ? await tryEntry(tx, scope, entry) : await postEntry(tx, scope, entry);
  if (!posted) return false;
  await updateTip(tx, tip.id, { status: 'paid', clears_at: credit.clearsAt });
  await scheduleClearing(tx, scope, {
    id: tip.id,
    workerId: tip.worker_id,
    amountMinor: tip.amount_minor,
    currency,
    clearsAt: credit.clearsAt,
  });
  const writtenAt = scope.unmailed ? scope.clock.now() : undefined;
  await wantDocument(tx, { entryId: posted.entryId, businessId: tip.business_id, at: writtenAt });
  await tellOfEngagement(tx, scope, tip.engagement_id, {
    worker: 'tip-received',
    event: tip.id,
    data: {
      amountMinor: tip.amount_minor,
      currency,
      what: tip.kind,
      ...(tip.note ? { reason: tip.note } : {}),
    },
  });
  return true;
}

/** For the outcome of a charge: the tip is paid with its money. `balance` where it was given up by then; the caller then puts the money there. */
export async function tipPaid(
  tx: Tx,
  scope: MoneyScope,
  tipId: string,
  charge: { id: string; amountMinor: number; currency: string },
): Promise<'subject' | 'balance'> {
  const tip = await lockTip(tx, tipId);
  if (tip?.status !== 'paying') return 'balance';
  if (tip.amount_minor !== charge.amountMinor || tip.currency !== charge.currency) return 'balance';
  await pay(tx, scope, tip, { kind: 'provider_clearing' });
  return 'subject';
}

/** For the outcome of a charge that failed: nothing was taken and nothing given. Who pays is told by the slice of payments. */
export async function tipFailed(tx: Tx, tipId: string): Promise<void> {
  const tip = await lockTip(tx, tipId);
  if (tip?.status === 'paying') await updateTip(tx, tipId, { status: 'failed' });
}
