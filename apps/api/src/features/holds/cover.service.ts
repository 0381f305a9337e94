import { engagementPath } from '@nearhand/contract/app-paths';
import type { Engagement } from '@nearhand/contract/engagements';
import type { Charge, FundingSource } from '@nearhand/contract/payments';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { engagementForTimer, openEngagement } from '../engagements/engagement-moves.service.ts';
import { viewEngagement } from '../engagements/engagement-views.service.ts';
import { cancelChargeOf, isBeingAsked, lastChargeOf, startCharge } from '../payments/charges.service.ts';
import { chooseFunding } from '../payments/wallet.service.ts';
import { approvableMinor } from '../timesheets/approval.service.ts';
import { isOver, payWhatWaited } from './hold-endings.service.ts';
import { isOpenHold } from './holds.rules.ts';
import {
  addFromBalance,
  fundFromCharge,
  type HoldRow,
  type MoneyScope,
  moveHold,
  refuseShort,
} from './holds.service.ts';
import { findHold, lockHold, updateHold } from './holds.sql.ts';
import { quoteRelease } from './release-quotes.service.ts';
import { owedMinor, takePayee } from './releases.service.ts';

/**
 * Adds to the hold what is missing for pay that is owed and for what waits to be approved, fee included; recruiters of the business. Owed pay is released with it. From
 * a card that happens once the charge succeeds; asked again meanwhile, nothing more is charged.
 * @throws engagement/not-found, engagement/not-allowed, payment/nothing-missing, payment/balance-short (data: missingMinor, currency), payment/card-not-found,
 * payment/method-missing
 */
export async function coverWork(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; funding: FundingSource },
): Promise<{ engagement: Engagement; charge: Charge | null }> {
  const { engagementId } = input;
  const { row } = await openEngagement(tx, scope, { engagementId, side: 'business' });
  const hold = await lockHold(tx, { engagementId });
  if (!hold) throw new Error(`engagement ${engagementId} has no hold`);
  const approvable = row.status === 'submitted' || row.status === 'delivered';
  const pay = approvable ? await approvableMinor(tx, row) : null;
  const { missingMinor } = await quoteRelease(tx, engagementId, pay);
  if (missingMinor === 0) throw new AppError('payment/nothing-missing');
  const last = await lastChargeOf(tx, hold.id);
  if (last?.purpose === 'cover' && isBeingAsked(last))
    return { engagement: await viewEngagement(tx, scope, engagementId), charge: last };
  const { business_id: businessId, currency } = hold;
  const funding = await chooseFunding(tx, {
    businessId,
    amountMinor: missingMinor,
    currency,
    funding: input.funding,
  });
  await cancelChargeOf(tx, scope, hold.id, 'cover');
  if (funding.from === 'balance') {
    await takePayee(tx, row.worker_id, currency);
    if (!(await addFromBalance(tx, scope, hold, missingMinor)))
      await refuseShort(tx, { businessId, amountMinor: missingMinor, currency });
    await added(tx, scope, hold, engagementId, missingMinor);
    return { engagement: await viewEngagement(tx, scope, engagementId), charge: null };
  }
  await startCharge(tx, scope, {
    businessId,
    cardId: funding.cardId,
    purpose: 'cover',
    subjectId: hold.id,
    amountMinor: missingMinor,
    currency,
    description: `Pay added: ${row.terms.title}`,
    returnPath: engagementPath(engagementId, 'business'),
  });
  return {
    engagement: await viewEngagement(tx, scope, engagementId),
    charge: await lastChargeOf(tx, hold.id),
  };
}

/** After money was added to a hold: what was owed is paid, and where the work is over the rest goes back. */
async function added(
  tx: Tx,
  scope: MoneyScope,
  hold: HoldRow,
  engagementId: string,
  amountMinor: number,
): Promise<void> {
  const changes = { added_minor: hold.added_minor + amountMinor };
  if (isOpenHold(hold.status)) await updateHold(tx, hold, changes);
  else await moveHold(tx, scope, hold, 'add', changes);
  await payWhatWaited(tx, scope, engagementId);
}

/**
 * For the outcome of a charge: its money goes into the hold, and what was owed is paid. `balance` where nothing is owed or awaited any more; the caller then puts the
 * money there.
 */
export async function coverPaid(
  tx: Tx,
  scope: MoneyScope,
  holdId: string,
  charge: { id: string; amountMinor: number; currency: string },
): Promise<'subject' | 'balance'> {
  const both = await lockForWork(tx, holdId);
  if (!both || both.hold.frozen || both.hold.currency !== charge.currency) return 'balance';
  const { hold, engagementId } = both;
  if ((await isOver(tx, scope, engagementId)) && (await owedMinor(tx, engagementId)) === 0) return 'balance';
  await fundFromCharge(tx, scope, hold, charge);
  await added(tx, scope, hold, engagementId, charge.amountMinor);
  return 'subject';
}

async function lockForWork(tx: Tx, holdId: string): Promise<{ hold: HoldRow; engagementId: string } | null> {
  const found = await findHold(tx, holdId);
  if (!found?.engagement_id) return null;
  await engagementForTimer(tx, found.engagement_id);
  const hold = await lockHold(tx, { holdId });
  return hold ? { hold, engagementId: found.engagement_id } : null;
}
