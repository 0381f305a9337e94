import { createHash } from 'node:crypto';
import { isId } from '@nearhand/contract/ids';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { birthdayProblem } from '@nearhand/contract/money/payouts.rules';
import { type Insertable, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { type IdentityState, ProviderRefusedError } from '../../platform/payment-provider.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { PayoutIdentities } from '../../platform/tables.gen.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { applyAccount } from './payout-accounts.ts';
import { type IdentityRow, lockWorker } from './payouts.sql.ts';

export type IdentityInput = { legalName: string; bornOn: string; countryCode: string; address: string };

export const toPayoutIdentity = (row: IdentityRow | undefined) => ({
  status: row?.status ?? ('none' as const),
  reason: row?.reason ?? null,
  legalName: row?.legalName ?? null,
});

const requireOpen = (row: IdentityRow | undefined): void => {
  if (row && row.status !== 'refused')
    throw new AppError('payout/identity-wrong-state', { status: row.status });
};

/**
 * Asks the provider to verify the caller, before any transaction.
 * @throws payout/identity-wrong-state (data: status), request/invalid, payment/provider-unavailable
 */
export async function askIdentity(scope: Scope, input: IdentityInput, db: Db): Promise<IdentityState> {
  const { accountId } = scope.actor;
  const row = await findPayoutIdentity(db, accountId);
  requireOpen(row);
  const problem = birthdayProblem(input.bornOn, scope.clock.now());
  if (problem) {
    const message =
      problem === 'too-young' ? `at least ${moneyLimits.identityAgeMin} years ago` : 'a day of birth';
    throw new AppError('request/invalid', { issues: [{ path: 'bornOn', message }] });
  }
  const { legalName, bornOn, countryCode: country, address } = input;
  const attempt = row?.askedAt.toISOString() ?? '';
  const key = requestKey('identity', accountId, attempt, legalName, bornOn, country, address);
  try {
    return await askProvider(() =>
      scope.provider.checkIdentity({ key, ownerId: accountId, legalName, bornOn, country, address }),
    );
  } catch (error) {
    if (!(error instanceof ProviderRefusedError)) throw error;
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  }
}

/** Stores the provider's answer about the caller; only name and country. */
export async function verifyIdentity(tx: Tx, scope: Scope, input: IdentityInput, state: IdentityState) {
  const { accountId } = scope.actor;
  await lockWorker(tx, accountId);
  requireOpen(await lockIdentity(tx, accountId));
  const now = scope.clock.now();
  const newIdentity = {
    accountId,
    status: state.status,
    reason: state.reason,
    legalName: input.legalName,
    countryCode: input.countryCode,
    askedAt: now,
    decidedAt: state.status === 'pending' ? null : now,
  };
  const row = await applyAccount(tx, scope, await upsertIdentity(tx, newIdentity), state.account);
  if (state.status !== 'pending') await notifyWorker(tx, scope, row, state.status);
  return toPayoutIdentity(row);
}

/** Applies a provider event about an identity. A verified identity stays verified. */
export async function applyIdentity(scope: TaskScope, ownerId: string): Promise<void> {
  if (!isId(ownerId)) return;
  const state = await scope.provider.getIdentity(ownerId);
  await scope.db.transaction().execute((tx) => applyIdentityIn(tx, scope, ownerId, state));
}

/** Stores the provider's state of an identity and of its payout account, and returns the stored identity. */
export async function applyIdentityIn(
  tx: Tx,
  scope: ClockScope,
  ownerId: string,
  state: IdentityState | null,
): Promise<IdentityRow | undefined> {
  const row = await lockIdentity(tx, ownerId);
  if (!row || !state) return row;
  return applyAccount(tx, scope, await applyDecision(tx, scope, row, state), state.account);
}

async function applyDecision(
  tx: Tx,
  scope: ClockScope,
  row: IdentityRow,
  { status, reason }: IdentityState,
): Promise<IdentityRow> {
  if (status === 'pending' || row.status === 'verified' || row.status === status) return row;
  const decision = { status, reason, decidedAt: scope.clock.now() };
  await decideIdentity(tx, row.accountId, decision);
  await notifyWorker(tx, scope, row, status);
  return { ...row, ...decision };
}

const notifyWorker = (tx: Tx, scope: ClockScope, row: IdentityRow, status: 'verified' | 'refused') =>
  notify(tx, scope, {
    accountId: row.accountId,
    topic: 'identity-checked',
    data: { variant: status },
    path: '/withdraw',
    dedupeKey: `identity-checked/${row.accountId}/${row.askedAt.toISOString()}/${status}`,
  });

/** Derives an idempotency key that does not reveal the request, for a provider call before anything is stored. */
export const requestKey = (purpose: string, ...request: readonly string[]): string =>
  `${purpose}/${createHash('sha256').update(JSON.stringify(request)).digest('hex')}`;

/**
 * Rethrows `ProviderRefusedError`.
 * @throws payment/provider-unavailable
 */
export async function askProvider<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProviderRefusedError) throw error;
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  }
}

export async function findPayoutIdentity(db: Db, accountId: string): Promise<IdentityRow | undefined> {
  const { rows } = await sql<IdentityRow>`
    select * from payout_identities where account_id = ${accountId}`.execute(db);
  return rows[0];
}

type Home = { lat: number; lng: number; country: string | null };

export async function findHome(db: Db, accountId: string): Promise<Home | undefined> {
  const { rows } = await sql<Home>`
    select home_lat as lat, home_lng as lng, home_country as country from profiles
    where account_id = ${accountId} and home_lat is not null and home_lng is not null`.execute(db);
  return rows[0];
}

async function upsertIdentity(tx: Tx, row: Insertable<PayoutIdentities>): Promise<IdentityRow> {
  const identity = await tx
    .insertInto('payout_identities')
    .values(row)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: row.accountId, workerId: row.accountId });
  return identity;
}

async function lockIdentity(tx: Tx, accountId: string): Promise<IdentityRow | undefined> {
  const { rows } = await sql<IdentityRow>`
    select * from payout_identities where account_id = ${accountId} for update`.execute(tx);
  return rows[0];
}

async function decideIdentity(
  tx: Tx,
  accountId: string,
  decision: { status: 'verified' | 'refused'; reason: string | null; decidedAt: Date },
): Promise<void> {
  await tx.updateTable('payout_identities').set(decision).where('accountId', '=', accountId).execute();
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

/** Identity checks without an answer since a time, as a keyset page. */
export async function listPending(db: Db, askedBefore: Date, after: string | null, limit: number) {
  const { rows } = await sql<{ accountId: string }>`
    select account_id from payout_identities
    where status = 'pending' and asked_at < ${askedBefore} and (${after}::uuid is null or account_id > ${after}::uuid)
    order by account_id limit ${limit}`.execute(db);
  return rows.map((row) => row.accountId);
}

/** Part of account removal: replaces the legal name; withdrawals must keep their record. */
export async function eraseIdentity(tx: Tx, accountId: string, name: string): Promise<void> {
  await tx
    .updateTable('payout_identities')
    .set({ legalName: name })
    .where('accountId', '=', accountId)
    .execute();
}
