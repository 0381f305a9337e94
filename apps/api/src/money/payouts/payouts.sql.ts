import type { Currency } from '@nearhand/contract/currencies';
import type { PaymentFailure } from '@nearhand/contract/money/charges';
import { reservedWithdrawalStatuses, type WithdrawalStatus } from '@nearhand/contract/money/payouts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type {
  PayoutIdentities,
  PayoutMethods,
  WithdrawalMoves,
  Withdrawals,
} from '../../platform/tables.gen.ts';
import { uncounted } from './withdrawals.rules.ts';

export type MethodRow = Selectable<PayoutMethods>;
export type IdentityRow = Selectable<PayoutIdentities>;

/** Serializes changes to a worker's methods and withdrawals, including the daily count (ADR 77). */
export async function lockWorker(tx: Tx, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
}

export async function isRemovedAccount(db: Db, accountId: string): Promise<boolean> {
  const { rows } =
    await sql`select from account_deletions where account_id = ${accountId} and status = 'removed'`.execute(
      db,
    );
  return rows.length > 0;
}

export async function listMethods(db: Db, accountId: string): Promise<MethodRow[]> {
  const { rows } = await sql<MethodRow>`
    select * from payout_methods where account_id = ${accountId} and removed_at is null
    order by is_default desc, added_at, id`.execute(db);
  return rows;
}

export async function findMethod(
  db: Db,
  accountId: string,
  methodId: string,
): Promise<MethodRow | undefined> {
  const { rows } = await sql<MethodRow>`
    select * from payout_methods where id = ${methodId} and account_id = ${accountId}`.execute(db);
  return rows[0];
}

export async function findMethodByRef(db: Db, providerRef: string): Promise<MethodRow | undefined> {
  const { rows } =
    await sql<MethodRow>`select * from payout_methods where provider_ref = ${providerRef}`.execute(db);
  return rows[0];
}

export async function insertMethod(tx: Tx, row: Insertable<PayoutMethods>): Promise<void> {
  await tx.insertInto('payout_methods').values(row).execute();
  emitRecord(tx, 'balance', { id: row.accountId, workerId: row.accountId });
}

/** Adds a bank account, or its details to one that was erased. */
export async function upsertMethod(tx: Tx, row: Insertable<PayoutMethods>): Promise<void> {
  await tx
    .insertInto('payout_methods')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  emitRecord(tx, 'balance', { id: row.accountId, workerId: row.accountId });
}

/** Makes one method the default, or none. */
export async function setDefault(tx: Tx, accountId: string, methodId: string | null): Promise<void> {
  // Two statements, because the unique index rejects two defaults even within one statement.
  await sql`update payout_methods set is_default = false
    where account_id = ${accountId} and is_default and removed_at is null`.execute(tx);
  if (methodId !== null)
    await sql`update payout_methods set is_default = true where id = ${methodId}`.execute(tx);
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

/** Removes a method from the lists. Its row stays for past withdrawals. */
export async function markMethodRemoved(tx: Tx, methodId: string, at: Date): Promise<void> {
  const { accountId: workerId } = await tx
    .updateTable('payout_methods')
    .set({ removedAt: at, isDefault: false })
    .where('id', '=', methodId)
    .returning('accountId')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: workerId, workerId });
}

/** Erases the bank details of a removed account. */
export async function eraseMethods(tx: Tx, accountId: string, name: string, at: Date): Promise<void> {
  await sql`update payout_methods set bank_name = '', last4 = '', holder_name = ${name}, is_default = false, accepted_for = null,
      removed_at = coalesce(removed_at, ${at})
    where account_id = ${accountId}`.execute(tx);
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

/** Records the legal name for which an operator accepted a different account holder. */
export async function acceptHolder(tx: Tx, methodId: string, name: string): Promise<void> {
  const { accountId: workerId } = await tx
    .updateTable('payout_methods')
    .set({ acceptedFor: name })
    .where('id', '=', methodId)
    .returning('accountId')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: workerId, workerId });
}

export type WithdrawalRow = Omit<Selectable<Withdrawals>, 'failure'> & { failure: PaymentFailure | null };

export type WithdrawalView = WithdrawalRow & {
  bankName: string;
  last4: string;
  holderName: string;
  /** Unsent while the provider does not pay this worker yet. */
  waiting: boolean;
  steps: { status: WithdrawalStatus; at: string; failure: PaymentFailure | null }[];
};

const view = sql`
  select withdrawal.*, method.bank_name, method.last4, method.holder_name,
    (withdrawal.status in ('requested', 'processing') and withdrawal.provider_ref is null
      and exists (select from payout_identities identity
        where identity.account_id = withdrawal.account_id and identity.account_status in ('in_progress', 'restricted'))) as waiting,
    (select jsonb_agg(jsonb_build_object('status', move.to_status, 'at', move.at, 'failure', move.failure) order by move.at, move.id)
      from withdrawal_moves move where move.withdrawal_id = withdrawal.id) as steps
  from withdrawals withdrawal join payout_methods method on method.id = withdrawal.method_id`;

export async function listWithdrawals(
  db: Db,
  accountId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<WithdrawalView[]> {
  const { rows } = await sql<WithdrawalView>`${view} where withdrawal.account_id = ${accountId}
    and (${after?.[0] ?? null}::timestamptz is null
      or (withdrawal.requested_at, withdrawal.id) < (${after?.[0] ?? null}::timestamptz, ${after?.[1] ?? null}::uuid))
    order by withdrawal.requested_at desc, withdrawal.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findWithdrawal(
  db: Db,
  accountId: string,
  withdrawalId: string,
): Promise<WithdrawalView | undefined> {
  const { rows } = await sql<WithdrawalView>`${view}
    where withdrawal.id = ${withdrawalId} and withdrawal.account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** Locks a withdrawal after its worker (ADR 77). */
export async function lockWithdrawal(tx: Tx, withdrawalId: string): Promise<WithdrawalRow | undefined> {
  const { rows } = await sql<WithdrawalRow>`
    select * from withdrawals where id = ${withdrawalId} for update`.execute(tx);
  return rows[0];
}

/** True while the provider keeps an account for this worker and pays nothing to it yet. */
export async function isPayeeWaiting(db: Db, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select from payout_identities
    where account_id = ${accountId} and account_status in ('in_progress', 'restricted')`.execute(db);
  return rows.length > 0;
}

export async function findIdByRef(db: Db, providerRef: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('providerRef', '=', providerRef)
    .executeTakeFirst();
  return row?.id;
}

export async function sumPaidSince(
  db: Db,
  accountId: string,
  since: Date,
): Promise<{ currency: Currency; amountMinor: number }[]> {
  const { rows } = await sql<{ currency: Currency; amountMinor: number }>`
    select currency, sum(amount_minor - fee_minor)::bigint as "amountMinor" from withdrawals
    where account_id = ${accountId} and status = 'paid' and updated_at > ${since} group by currency order by currency`.execute(
    db,
  );
  return rows;
}

export async function findBankRef(db: Db, methodId: string): Promise<string> {
  const row = await db
    .selectFrom('payout_methods')
    .select('providerRef')
    .where('id', '=', methodId)
    .executeTakeFirstOrThrow();
  return row.providerRef;
}

export async function insertWithdrawal(tx: Tx, row: Insertable<Withdrawals>): Promise<void> {
  await tx.insertInto('withdrawals').values(row).execute();
  emitRecord(tx, 'balance', { id: row.accountId, workerId: row.accountId });
}

export async function updateWithdrawal(
  tx: Tx,
  withdrawalId: string,
  changes: Updateable<Withdrawals>,
): Promise<void> {
  const { accountId: workerId } = await tx
    .updateTable('withdrawals')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
    .where('id', '=', withdrawalId)
    .returning('accountId')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: workerId, workerId });
}

export async function insertWithdrawalMove(tx: Tx, row: Insertable<WithdrawalMoves>): Promise<void> {
  await tx.insertInto('withdrawal_moves').values(row).execute();
}

export async function recentRequests(db: Db, accountId: string, since: Date): Promise<Date[]> {
  const { rows } = await sql<{ requestedAt: Date }>`
    select requested_at from withdrawals
    where account_id = ${accountId} and requested_at > ${since} and status <> all(${[...uncounted]})
    order by requested_at, id`.execute(db);
  return rows.map((row) => row.requestedAt);
}

/** Returns whether a withdrawal to this method is under way, so it can't be removed. */
export async function isMethodInUse(db: Db, accountId: string, methodId: string): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select from withdrawals
      where account_id = ${accountId} and method_id = ${methodId} and status = any(${[...reservedWithdrawalStatuses]})) as used`.execute(
    db,
  );
  return rows[0]?.used ?? false;
}

/** Lists withdrawals under way since before a time, to ask the provider about them. */
export async function listOpenWithdrawals(
  db: Db,
  before: Date,
  after: string | null,
  limit: number,
): Promise<{ id: string; status: WithdrawalStatus; providerRef: string | null }[]> {
  const { rows } = await sql<{
    id: string;
    status: WithdrawalStatus;
    providerRef: string | null;
  }>`
    select id, status, provider_ref from withdrawals
    where status in ('requested', 'processing', 'in_transit') and updated_at < ${before}
      and (status <> 'requested' or cancel_by is null or cancel_by < ${before})
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** Withdrawals paid after `since`, with their refs at the provider. */
export async function listPaid(
  db: Db,
  since: Date,
  after: string | null,
  limit: number,
): Promise<{ id: string; providerRef: string }[]> {
  const { rows } = await sql<{ id: string; providerRef: string }>`
    select id, provider_ref from withdrawals
    where status = 'paid' and updated_at > ${since} and provider_ref is not null
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db);
  return rows;
}

export async function countUnderWay(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('withdrawals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('status', 'in', [...reservedWithdrawalStatuses])
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns whether an operator released this held withdrawal, so that it is not held again. */
export async function wasReleased(db: Db, withdrawalId: string): Promise<boolean> {
  const row = await db
    .selectFrom('withdrawal_moves')
    .select('id')
    .where('withdrawalId', '=', withdrawalId)
    .where('action', '=', 'release')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the refusal reasons of a removed account, which name people. */
export async function eraseRefusals(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('withdrawals')
    .set({ refusedBecause: '' })
    .where('accountId', '=', accountId)
    .where('refusedBecause', 'is not', null)
    .execute();
}
