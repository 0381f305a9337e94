import type { WithdrawalStatus } from '@nearhand/contract/money/payouts';
import type { HeldPayout } from '@nearhand/contract/trust/payout-reviews';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import type { HouseRule } from '@nearhand/contract/trust/sanctions.rules';
import { balanceOf } from '../../money/ledger/ledger.service.ts';
import { payeeNamesOf } from '../../money/payees/payees.service.ts';
import {
  lockHeld,
  refuseHeld,
  releaseHeld,
  wasReleasedBefore,
} from '../../money/payouts/held-withdrawals.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  type Approval,
  byOne,
  type Moved,
  requireSecondPerson,
  takesSecondPerson,
} from '../../work/settlement/second-person.service.ts';
import { viewSanction } from '../sanctions/sanction-views.service.ts';
import {
  findEarlier,
  findOfWithdrawal,
  recordSanction,
  requireOutside,
} from '../sanctions/sanctions.service.ts';
import { findEarlierWithdrawals, findHeld } from './payout-reviews.sql.ts';

const earlierShown = 20;

/** For cases: a withdrawal in review with what is known about it; undefined if it is not. The caller checks whose it is. */
export async function heldPayout(
  db: Db,
  scope: Scope,
  withdrawalId: string,
): Promise<HeldPayout | undefined> {
  const row = await findHeld(db, withdrawalId);
  if (!row) return undefined;
  const { account_id: accountId, currency } = row;
  const target = { kind: 'account', id: accountId } as const;
  const [names, availableMinor, earlier, decisions] = await Promise.all([
    payeeNamesOf(db, accountId),
    balanceOf(db, { kind: 'worker_available', ownerId: accountId }, currency),
    findEarlierWithdrawals(db, { accountId, except: withdrawalId }, earlierShown),
    findEarlier(db, target, earlierShown),
  ]);
  const now = scope.clock.now();
  return {
    withdrawalId,
    status: row.status,
    names,
    currency,
    speed: row.speed,
    availableMinor,
    person: {
      id: accountId,
      name: row.account_name,
      email: row.email,
      createdAt: row.created_at.toISOString(),
    },
    method: {
      bankName: row.bank_name,
      last4: row.last4,
      holderName: row.holder_name,
      country: row.country,
      addedAt: row.added_at.toISOString(),
    },
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    getsMinor: row.amount_minor - row.fee_minor,
    requestedAt: row.requested_at.toISOString(),
    takesSecondPerson: takesSecondPerson(scope, { amountMinor: row.amount_minor, currency }),
    earlier: earlier.map((one) => ({
      id: one.id,
      status: one.status,
      amountMinor: one.amount_minor,
      currency: one.currency,
      requestedAt: one.requested_at.toISOString(),
      last4: one.last4,
      sameAccount: one.method_id === row.method_id,
    })),
    decisions: decisions.map((one) => viewSanction(one, now)),
  };
}

type One = { withdrawalId: string };

/** Locks a withdrawal that an operator may release. @throws payout/not-found, payout-review/decided, operator/own-record */
export async function openPayoutDecision(
  tx: Tx,
  scope: Scope,
  { withdrawalId }: One,
): Promise<{ moved: Moved; accountId: string }> {
  const row = await lockHeld(tx, withdrawalId);
  await requireOutside(tx, scope, { account_id: row.account_id, business_id: null });
  if (row.status !== 'in_review') throw new AppError('payout-review/decided');
  return {
    moved: { amountMinor: row.amount_minor, currency: row.currency },
    accountId: row.account_id,
  };
}

/**
 * For operators: sends a withdrawal in review and accepts its bank account for the verified name. A repeat is a no-op.
 * @throws payout/not-found, payout-review/decided for one that was refused or cancelled, operator/own-record, approval/required
 */
export async function releasePayout(
  tx: Tx,
  scope: Scope,
  { withdrawalId }: One,
  approval: Approval = byOne,
): Promise<{ withdrawalId: string; status: WithdrawalStatus }> {
  const row = await lockHeld(tx, withdrawalId);
  if (row.status !== 'in_review' && (await wasReleasedBefore(tx, withdrawalId))) {
    await requireOutside(tx, scope, { account_id: row.account_id, business_id: null });
    return { withdrawalId, status: row.status };
  }
  const { moved } = await openPayoutDecision(tx, scope, { withdrawalId });
  requireSecondPerson(scope, moved, approval);
  const { status } = await releaseHeld(tx, scope, row);
  return { withdrawalId, status };
}

/**
 * For operators: returns the money of a withdrawal in review to its balance; the person gets the statement of reasons and can appeal. A
 * repeat is a no-op.
 * @throws payout/not-found, payout-review/decided for one that was released or cancelled, operator/own-record
 */
export async function refusePayout(
  tx: Tx,
  scope: Scope,
  { withdrawalId, rule, facts }: One & { rule: HouseRule; facts: string },
): Promise<Sanction> {
  const row = await lockHeld(tx, withdrawalId);
  await requireOutside(tx, scope, { account_id: row.account_id, business_id: null });
  const refused = await findOfWithdrawal(tx, withdrawalId);
  if (refused) return viewSanction(refused, scope.clock.now());
  if (row.status !== 'in_review') throw new AppError('payout-review/decided');
  await refuseHeld(tx, scope, row, facts);
  return recordSanction(tx, scope, {
    measure: 'payout_refused',
    account_id: row.account_id,
    withdrawal_id: withdrawalId,
    rule,
    facts,
    source: 'screening',
    ends_at: null,
  });
}
