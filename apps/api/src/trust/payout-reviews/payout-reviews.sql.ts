import type { Currency } from '@nearhand/contract/currencies';
import type { PayoutSpeed, WithdrawalStatus } from '@nearhand/contract/money/payouts';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

export type HeldRow = {
  id: string;
  status: WithdrawalStatus;
  account_id: string;
  account_name: string;
  email: string;
  created_at: Date;
  method_id: string;
  bank_name: string;
  last4: string;
  holder_name: string;
  country: string;
  added_at: Date;
  amount_minor: number;
  fee_minor: number;
  currency: Currency;
  speed: PayoutSpeed;
  requested_at: Date;
};

/** A withdrawal in review with its worker and bank account. */
export async function findHeld(db: Db, withdrawalId: string): Promise<HeldRow | undefined> {
  const { rows } = await sql<HeldRow>`
    select withdrawal.id, withdrawal.status, withdrawal.account_id, account.name as account_name, account.email, account.created_at,
      method.id as method_id, method.bank_name, method.last4, method.holder_name, method.country, method.added_at,
      withdrawal.amount_minor, withdrawal.fee_minor, withdrawal.currency, withdrawal.speed, withdrawal.requested_at
    from withdrawals withdrawal join accounts account on account.id = withdrawal.account_id
    join payout_methods method on method.id = withdrawal.method_id
    where withdrawal.id = ${withdrawalId} and withdrawal.status = 'in_review'`.execute(db);
  return rows[0];
}

export type EarlierRow = {
  id: string;
  status: WithdrawalStatus;
  amount_minor: number;
  currency: Currency;
  requested_at: Date;
  last4: string;
  method_id: string;
};

/** The other withdrawals of an account, newest first. */
export async function findEarlierWithdrawals(
  db: Db,
  of: { accountId: string; except: string },
  limit: number,
): Promise<EarlierRow[]> {
  const { rows } = await sql<EarlierRow>`
    select withdrawal.id, withdrawal.status, withdrawal.amount_minor, withdrawal.currency, withdrawal.requested_at, method.last4,
      withdrawal.method_id
    from withdrawals withdrawal join payout_methods method on method.id = withdrawal.method_id
    where withdrawal.account_id = ${of.accountId} and withdrawal.id <> ${of.except}
    order by withdrawal.requested_at desc, withdrawal.id desc limit ${limit}`.execute(db);
  return rows;
}
