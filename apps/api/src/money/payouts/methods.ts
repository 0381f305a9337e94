import { addMs, dayMs } from '@nearhand/contract/durations';
import type { PaymentFailure } from '@nearhand/contract/money/charges';
import { moneyLimits } from '@nearhand/contract/money/limits';
import type { PayoutMethod } from '@nearhand/contract/money/payouts';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { type IdentityState, ProviderRefusedError, type SavedBank } from '../../platform/payment-provider.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import {
  applyIdentityIn,
  askProvider,
  findPayoutIdentity,
  requestKey,
  toPayoutIdentity,
} from './identities.ts';
import { toPayoutAccount } from './payout-accounts.ts';
import {
  findMethod,
  findMethodByRef,
  insertMethod,
  isMethodInUse,
  listMethods,
  lockWorker,
  type MethodRow,
  markMethodRemoved,
  setDefault,
} from './payouts.sql.ts';

export const toPayoutMethod = (row: MethodRow): PayoutMethod => ({
  ...row,
  usableFrom: row.usableFrom.toISOString(),
  addedAt: row.addedAt.toISOString(),
});

const methodRefusedError = (failure: PaymentFailure, cause?: unknown) =>
  new AppError('payout/method-refused', { failure }, { cause });

/**
 * Turns the browser's token into a bank account, before any transaction.
 * @throws payout/method-limit (data: limit), payout/method-refused (data: failure), payment/provider-unavailable
 */
export async function saveBank(scope: Scope, input: { token: string }, db: Db): Promise<SavedBank> {
  const { accountId } = scope.actor;
  // An early check, to avoid an orphaned account at the provider. The transaction decides.
  const max = moneyLimits.payoutMethodsMax;
  const methods = await listMethods(db, accountId);
  if (methods.length >= max) throw new AppError('payout/method-limit', { limit: max });
  const key = requestKey('bank', accountId, input.token);
  try {
    const bank = await askProvider(() =>
      scope.provider.saveBank({ key, token: input.token, ownerId: accountId }),
    );
    if ('failure' in bank) throw methodRefusedError(bank.failure);
    return bank;
  } catch (error) {
    throw error instanceof ProviderRefusedError ? methodRefusedError('processing_error', error) : error;
  }
}

/**
 * Adds the caller's bank account, usable after PAYOUT_METHOD_HOLD_DAYS so an intruder can't empty the
 * balance.
 * @throws payout/method-known if the same account was added before, payout/method-limit (data: limit),
 * payout/method-refused (data: failure)
 */
export async function addMethod(
  tx: Tx,
  scope: Scope,
  _input: { token: string },
  bank: SavedBank,
): Promise<PayoutMethod> {
  const { accountId } = scope.actor;
  await lockWorker(tx, accountId);
  const method = await findMethodByRef(tx, bank.ref);
  if (method?.accountId === accountId && method.removedAt === null) return toPayoutMethod(method);
  if (method) throw methodRefusedError('processing_error');
  const methods = await listMethods(tx, accountId);
  if (hasBank(methods, bank)) throw new AppError('payout/method-known');
  const max = moneyLimits.payoutMethodsMax;
  if (methods.length >= max) throw new AppError('payout/method-limit', { limit: max });
  return toPayoutMethod(await upsertMethod(tx, scope, bank, methods.length === 0));
}

/** True if the account was added with another token. Some providers send no fingerprint. */
const hasBank = (methods: readonly MethodRow[], { fingerprint }: SavedBank): boolean =>
  methods.some((method) => fingerprint !== '' && method.fingerprint === fingerprint);

async function upsertMethod(tx: Tx, scope: Scope, bank: SavedBank, isDefault: boolean): Promise<MethodRow> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const row: MethodRow = {
    id: newId(now),
    accountId,
    providerRef: bank.ref,
    bankName: bank.bankName,
    last4: bank.last4,
    fingerprint: bank.fingerprint,
    holderName: bank.holderName,
    country: bank.country,
    currency: bank.currency,
    instant: bank.instant,
    isDefault,
    usableFrom: addMs(now, scope.config.PAYOUT_METHOD_HOLD_DAYS * dayMs),
    addedAt: now,
    removedAt: null,
    acceptedFor: null,
  };
  await insertMethod(tx, row);
  await notify(tx, scope, {
    accountId,
    topic: 'payout-method-added',
    data: { by: row.usableFrom.toISOString() },
    path: '/withdraw',
    dedupeKey: `payout-method-added/${row.id}`,
  });
  return row;
}

/**
 * Opens the provider's page for identity and bank accounts, before any transaction. Needs a check that has
 * started, because the page belongs to it.
 * @throws payment/no-page, payout/identity-wrong-state (data: status), payment/provider-unavailable
 */
export async function askForPayeePage(
  scope: Scope,
  { returnTo = '/withdraw' }: { returnTo?: string },
  db: Db,
): Promise<{ url: string }> {
  const { accountId } = scope.actor;
  const { pages } = scope.provider;
  if (!pages) throw new AppError('payment/no-page');
  if (!(await findPayoutIdentity(db, accountId)))
    throw new AppError('payout/identity-wrong-state', { status: 'none' });
  const language = await languageOfAccount(db, accountId);
  const returnUrl = `${scope.config.PUBLIC_URL}${returnTo}`;
  try {
    return { url: await pages.openPayeePage({ ownerId: accountId, returnUrl, language }) };
  } catch (error) {
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  }
}

/** Returns the worker's page, which `askForPayeePage` opened before the transaction. */
export const openPayeePage = async (
  _tx: Tx,
  _scope: Scope,
  _input: unknown,
  page: { url: string },
): Promise<{ url: string }> => page;

type Payee = { state: IdentityState | null; banks: SavedBank[] };

/**
 * Reads what the caller entered on the provider's page, before any transaction.
 * @throws payment/provider-unavailable
 */
export async function readPayee(scope: Scope): Promise<Payee> {
  const { accountId } = scope.actor;
  const { provider } = scope;
  const [state, banks] = await Promise.all([
    askProvider(() => provider.getIdentity(accountId)),
    askProvider(async () => (await provider.pages?.listBanks(accountId)) ?? []),
  ]);
  return { state, banks };
}

/**
 * Stores the caller's bank accounts at the provider that we don't know, as `addMethod` does. Opening the page needed
 * a recent sign-in, so this needs none. Accounts beyond the limit wait until another is removed. An account that was
 * entered again has a new id there, and the old id may be dead, so it is stored even if its fingerprint is known.
 */
export async function refreshPayee(tx: Tx, scope: Scope, _input: unknown, { state, banks }: Payee) {
  const { accountId } = scope.actor;
  await lockWorker(tx, accountId);
  const identity = await applyIdentityIn(tx, scope, accountId, state);
  let methods = await listMethods(tx, accountId);
  let added = 0;
  for (const bank of banks) {
    if (methods.length >= moneyLimits.payoutMethodsMax) continue;
    if (await findMethodByRef(tx, bank.ref)) continue;
    methods = [...methods, await upsertMethod(tx, scope, bank, methods.length === 0)];
    added += 1;
  }
  return { identity: toPayoutIdentity(identity), account: toPayoutAccount(scope, identity), added };
}

/** Makes one of the caller's bank accounts the default. */
export async function makeMethodDefault(
  tx: Tx,
  scope: Scope,
  input: { methodId: string },
): Promise<PayoutMethod> {
  const row = await lockedMethod(tx, scope, input.methodId);
  if (row.removedAt !== null) throw new AppError('payout/method-not-found');
  if (!row.isDefault) await setDefault(tx, row.accountId, row.id);
  return toPayoutMethod({ ...row, isDefault: true });
}

/** Removes one of the caller's bank accounts. */
export async function removeMethod(
  tx: Tx,
  scope: Scope,
  input: { methodId: string },
): Promise<{ removed: true }> {
  const row = await lockedMethod(tx, scope, input.methodId);
  if (row.removedAt !== null) return { removed: true };
  if (await isMethodInUse(tx, row.accountId, row.id)) throw new AppError('payout/method-in-use');
  await markMethodRemoved(tx, row.id, scope.clock.now());
  const [heir] = await listMethods(tx, row.accountId);
  if (row.isDefault && heir) await setDefault(tx, row.accountId, heir.id);
  return { removed: true };
}

async function lockedMethod(tx: Tx, scope: Scope, methodId: string): Promise<MethodRow> {
  await lockWorker(tx, scope.actor.accountId);
  const row = await findMethod(tx, scope.actor.accountId, methodId);
  if (!row) throw new AppError('payout/method-not-found');
  return row;
}
