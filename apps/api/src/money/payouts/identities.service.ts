import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isId } from '../../platform/ids.ts';
import { type IdentityState, ProviderRefused } from '../../platform/payment-provider.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.service.ts';
import {
  decideIdentity,
  findIdentity,
  type IdentityRow,
  lockIdentity,
  putIdentity,
} from './identities.sql.ts';
import { lockWorker } from './methods.sql.ts';
import { isBirthday } from './payouts.rules.ts';
import { asking, requestKey } from './provider-calls.service.ts';

export type IdentityInput = { legalName: string; bornOn: string; countryCode: string; address: string };

/** The state of an identity, as in the contract. */
export const notifiedIdentity = (row: IdentityRow | undefined) => ({
  status: row?.status ?? ('none' as const),
  reason: row?.reason ?? null,
  legalName: row?.legal_name ?? null,
});

const requireOpen = (row: IdentityRow | undefined): void => {
  if (row && row.status !== 'refused')
    throw new AppError('payout/identity-wrong-state', { status: row.status });
};

/**
 * Runs before the transaction: asks the provider to verify the caller. A repeat after a lost answer is the same request.
 * @throws payout/identity-wrong-state (data: status), request/invalid for what is no birthday, payment/provider-unavailable /
 */
export async function askIdentity(scope: Scope, input: IdentityInput, db: Db): Promise<IdentityState> {
  const { accountId } = scope.actor;
  const row = await findIdentity(db, accountId);
  requireOpen(row);
  if (!isBirthday(input.bornOn, scope.clock.now()))
    throw new AppError('request/invalid', { issues: [{ path: 'bornOn', message: 'a day of birth' }] });
  const { legalName, bornOn, countryCode: country, address } = input;
  // Anyone who was rejected may try again with the same details, since the provider may be wrong.
  const attempt = row?.asked_at.toISOString() ?? '';
  const key = requestKey('identity', accountId, attempt, legalName, bornOn, country, address);
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
 * Stores the provider's answer about the caller; it may decide later (`applyIdentity`). Once verified, new pay is available right away; pending pay
 * keeps its date. Only name and country are kept.
 * @throws payout/identity-wrong-state (data: status) /
 */
export async function verifyIdentity(tx: Tx, scope: Scope, input: IdentityInput, state: IdentityState) {
  const { accountId } = scope.actor;
  await lockWorker(tx, accountId);
  requireOpen(await lockIdentity(tx, accountId));
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
  if (state.status !== 'pending') await publish(tx, scope, row, state.status);
  return notifiedIdentity(row);
}

/** Applies a provider event about an identity. A verified identity stays verified. */
export async function applyIdentity(scope: TaskScope, ownerId: string): Promise<void> {
  if (!isId(ownerId)) return;
  const state = await scope.provider.getIdentity(ownerId);
  if (!state || state.status === 'pending') return;
  const { status, reason } = state;
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockIdentity(tx, ownerId);
    if (!row || row.status === 'verified' || row.status === status) return;
    await decideIdentity(tx, ownerId, { status, reason, decided_at: scope.clock.now() });
    await publish(tx, scope, row, status);
  });
}

const publish = (tx: Tx, scope: Pick<Scope, 'clock'>, row: IdentityRow, status: 'verified' | 'refused') =>
  notify(tx, scope, {
    accountId: row.account_id,
    topic: 'identity-checked',
    data: { what: status },
    path: '/withdraw',
    dedupeKey: `identity-checked/${row.account_id}/${row.asked_at.toISOString()}/${status}`,
  });
