import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isId } from '../../platform/ids.ts';
import { type IdentityState, ProviderRefused } from '../../platform/payment-provider.ts';
import type { TaskScope } from '../../platform/tasks.ts';
import { notify } from '../notifications/notifications.service.ts';
import {
  decideIdentity,
  findIdentity,
  type IdentityRow,
  lockIdentity,
  putIdentity,
} from './identities.sql.ts';
import { lockWorker } from './methods.sql.ts';
import { isBirthday } from './payouts.rules.ts';
import { asking, wishKey } from './provider-calls.service.ts';

export type IdentityInput = { legalName: string; bornOn: string; countryCode: string; address: string };

/** How it stands, as the contract tells it. */
export const toldIdentity = (row: IdentityRow | undefined) => ({
  status: row?.status ?? ('none' as const),
  reason: row?.reason ?? null,
  legalName: row?.legal_name ?? null,
});

const demandOpen = (row: IdentityRow | undefined): void => {
  if (row && row.status !== 'refused')
    throw new AppError('payout/identity-wrong-state', { status: row.status });
};

/**
 * Before the transaction: the provider is asked who the caller is. Asking the same again, after a lost answer, is the same question.
 * @throws payout/identity-wrong-state (data: status), request/invalid for what is no birthday, payment/provider-unavailable
 */
export async function askIdentity(scope: Scope, input: IdentityInput, db: Db): Promise<IdentityState> {
  const { accountId } = scope.actor;
  const row = await findIdentity(db, accountId);
  demandOpen(row);
  if (!isBirthday(input.bornOn, scope.clock.now()))
    throw new AppError('request/invalid', { issues: [{ path: 'bornOn', message: 'a day of birth' }] });
  const { legalName, bornOn, countryCode: country, address } = input;
  // Who was refused asks anew, also with the same details: they may be right, and the provider's wrong.
  const attempt = row?.asked_at.toISOString() ?? '';
  const key = wishKey('identity', accountId, attempt, legalName, bornOn, country, address);
  try {
    return await asking(() =>
      scope.provider.checkIdentity({ key, ownerId: accountId, legalName, bornOn, country, address }),
    );
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  }
}

/**
 * Writes down what the provider said of the caller; it may decide later (`applyIdentity`). Once verified, new pay is available at once; pay that already waits
 * keeps its time. Only the name and the country are kept.
 * @throws payout/identity-wrong-state (data: status)
 */
export async function verifyIdentity(tx: Tx, scope: Scope, input: IdentityInput, state: IdentityState) {
  const { accountId } = scope.actor;
  await lockWorker(tx, accountId);
  demandOpen(await lockIdentity(tx, accountId));
  const now = scope.clock.now();
  const row: IdentityRow = {
    account_id: accountId,
    status: state.status,
    reason: state.reason,
    legal_name: input.legalName,
    country_code: input.countryCode,
    asked_at: now,
    decided_at: state.status === 'pending' ? null : now,
  };
  await putIdentity(tx, row);
  if (state.status !== 'pending') await tell(tx, scope, row, state.status);
  return toldIdentity(row);
}

/** For other slices: has an event of the provider about who somebody is take effect. It only moves on: who is verified stays so. */
export async function applyIdentity(scope: TaskScope, ownerId: string): Promise<void> {
  if (!isId(ownerId)) return;
  const state = await scope.provider.getIdentity(ownerId);
  if (!state || state.status === 'pending') return;
  const { status, reason } = state;
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockIdentity(tx, ownerId);
    if (!row || row.status === 'verified' || row.status === status) return;
    await decideIdentity(tx, ownerId, { status, reason, decided_at: scope.clock.now() });
    await tell(tx, scope, row, status);
  });
}

const tell = (tx: Tx, scope: Pick<Scope, 'clock'>, row: IdentityRow, status: 'verified' | 'refused') =>
  notify(tx, scope, {
    accountId: row.account_id,
    topic: 'identity-checked',
    data: { what: status },
    path: '/withdraw',
    dedupeKey: `identity-checked/${row.account_id}/${row.asked_at.toISOString()}/${status}`,
  });
