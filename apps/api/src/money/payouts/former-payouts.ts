import type { Currency } from '@nearhand/contract/currencies';
import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { ProviderRefusedError, type SavedBank } from '../../platform/payment-provider.ts';
import { balanceOf, postEntry } from '../ledger/ledger.ts';
import { listFormerBanks } from './former-payee.ts';
import { askProvider, requestKey } from './identities.ts';
import {
  eraseMethods,
  findMethodByRef,
  insertWithdrawal,
  insertWithdrawalMove,
  isRemovedAccount,
  lockWithdrawal,
  lockWorker,
  upsertMethod,
  type WithdrawalRow,
} from './payouts.sql.ts';
import { moveWithdrawal } from './withdrawal-transitions.ts';

type FormerPayout = { ownerId: string; currency: Currency; token: string };

/**
 * Turns the token into a removed account's bank account; where the provider has pages, it is the account's ref
 * there.
 * @throws payout/not-found, payout/method-refused (data: failure), payment/provider-unavailable
 */
export async function saveFormerBank(scope: Scope, input: FormerPayout, db: Db): Promise<SavedBank> {
  const { ownerId, token } = input;
  if (!(await isRemovedAccount(db, ownerId))) throw new AppError('payout/not-found');
  if (scope.provider.pages) {
    const bank = (await listFormerBanks(db, scope, ownerId)).find(({ ref }) => ref === token);
    if (!bank) throw new AppError('payout/method-refused', { failure: 'processing_error' });
    return bank;
  }
  try {
    const key = requestKey('bank', ownerId, token);
    const bank = await askProvider(() => scope.provider.saveBank({ key, token, ownerId }));
    if ('failure' in bank) throw new AppError('payout/method-refused', { failure: bank.failure });
    return bank;
  } catch (error) {
    if (!(error instanceof ProviderRefusedError)) throw error;
    throw new AppError('payout/method-refused', { failure: 'processing_error' }, { cause: error });
  }
}

/**
 * Withdraws a removed account's money in one currency, for
 * operators (ADR 160); a `payout_held` case decides it (ADR 77).
 * @throws payout/not-found, payout/balance-short (data: availableMinor), payout/method-refused (data: failure)
 */
export async function payFormer(
  tx: Tx,
  scope: Scope,
  { ownerId, currency }: FormerPayout,
  bank: SavedBank,
): Promise<Pick<WithdrawalRow, 'id' | 'status'>> {
  await lockWorker(tx, ownerId);
  if (!(await isRemovedAccount(tx, ownerId))) throw new AppError('payout/not-found');
  const availableMinor = await balanceOf(tx, { kind: 'worker_available', ownerId }, currency);
  if (availableMinor <= 0) throw new AppError('payout/balance-short', { availableMinor, currency });
  const now = scope.clock.now();
  const previous = await findMethodByRef(tx, bank.ref);
  if (bank.currency !== currency || (previous && previous.accountId !== ownerId))
    throw new AppError('payout/method-refused', { failure: 'processing_error' });
  const methodId = previous?.id ?? newId(now);
  const id = newId(now);
  await upsertMethod(tx, {
    id: methodId,
    accountId: ownerId,
    providerRef: bank.ref,
    bankName: bank.bankName,
    last4: bank.last4,
    holderName: bank.holderName,
    country: bank.country,
    currency,
    instant: bank.instant,
    isDefault: false,
    usableFrom: now,
    addedAt: now,
    removedAt: now,
    acceptedFor: null,
  });
  const { entryId } = await postEntry(tx, scope, {
    key: `reserve/${id}`,
    kind: 'reserve',
    currency,
    about: id,
    lines: [
      { account: { kind: 'worker_available', ownerId }, amountMinor: -availableMinor },
      { account: { kind: 'worker_reserved', ownerId }, amountMinor: availableMinor },
    ],
  });
  await insertWithdrawal(tx, {
    id,
    accountId: ownerId,
    methodId,
    status: 'requested',
    amountMinor: availableMinor,
    feeMinor: 0,
    currency,
    speed: 'standard',
    cancelBy: null,
    arrivesOn: null,
    requestedAt: now,
    updatedAt: now,
    reserveEntry: entryId,
  });
  await insertWithdrawalMove(tx, {
    id: newId(now),
    withdrawalId: id,
    actor: scope.actor.accountId,
    action: 'request',
    fromStatus: null,
    toStatus: 'requested',
    at: now,
  });
  const row = await lockWithdrawal(tx, id);
  if (!row) throw new Error(`withdrawal ${id} is gone`);
  const { status } = await moveWithdrawal(tx, scope, row, { action: 'review', who: 'timer' });
  return { id, status };
}

/** Deletes the bank details of a removed account once its money has arrived. */
export async function eraseFormerBank(tx: Tx, scope: ClockScope, accountId: string): Promise<void> {
  if (await isRemovedAccount(tx, accountId))
    await eraseMethods(tx, accountId, formerMemberName, scope.clock.now());
}
