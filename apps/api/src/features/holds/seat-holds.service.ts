import type { Db, Tx } from '../../platform/db.ts';
import { postEntry } from '../ledger/ledger.service.ts';
import { businessBalance } from '../payments/wallet.service.ts';
import {
  attempt,
  balanceAccount,
  createHolds,
  type HoldRow,
  type HoldTerms,
  holdAccount,
  holdFromBalance,
  type MoneyScope,
  moveHold,
} from './holds.service.ts';
import { lockFreeSeat, lockFreeSeats, type SeatMoney, sumFreeSeats, updateHold } from './holds.sql.ts';

const moneyOf = (terms: HoldTerms): SeatMoney => ({
  currency: terms.currency,
  pay_minor: terms.payTotalMinor,
  fee_minor: terms.holdMinor - terms.payTotalMinor,
  merchant_fee_basis_points: terms.merchantFeeBasisPoints,
  worker_fee_basis_points: terms.workerFeeBasisPoints,
});

/** Whether the money of a seat is what these terms ask for. */
const fits = (row: HoldRow, terms: HoldTerms): boolean =>
  Object.entries(moneyOf(terms)).every(([name, value]) => row[name as keyof SeatMoney] === value);

/** For the offers slice: whether a job has a funded seat on these terms that nobody has. */
export const hasFundedSeat = async (tx: Tx, jobId: string, terms: HoldTerms): Promise<boolean> =>
  (await lockFreeSeat(tx, jobId, moneyOf(terms))) !== undefined;

/** For the offers slice: gives an offer the money of a funded seat; false where there is none on these terms. The job must be locked, the offer written. */
export async function takeSeat(
  tx: Tx,
  wish: { jobId: string; offerId: string; terms: HoldTerms },
): Promise<boolean> {
  const row = await lockFreeSeat(tx, wish.jobId, moneyOf(wish.terms));
  if (!row) return false;
  await updateHold(tx, row, { offer_id: wish.offerId });
  return true;
}

/** Gives the money of seats that nobody has back to the balance, in one entry. */
async function returnSeats(tx: Tx, scope: MoneyScope, rows: readonly HoldRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const whole = (row: HoldRow) => row.pay_minor + row.fee_minor;
  const full = rows.filter((row) => whole(row) > 0);
  if (full.length > 0)
    await postEntry(tx, scope, {
      key: `return/${first.id}/${first.version}`,
      kind: 'hold_returned',
      currency: first.currency,
      about: rows.length === 1 ? first.id : first.job_id,
      lines: [
        ...full.map((row) => ({ account: holdAccount(row.id), amountMinor: -whole(row) })),
        {
          account: balanceAccount(first.business_id),
          amountMinor: rows.reduce((sum, row) => sum + whole(row), 0),
        },
      ],
    });
  for (const row of rows) await moveHold(tx, scope, row, 'refund');
}

/**
 * Makes the funded seats of an instant hire as many as wanted, on the terms of now: what is too many or on other terms goes back to the balance, what is missing
 * comes from it (ADR 0075). The job must be locked.
 * @param wish.terms null where the job can hire nobody at once; `all`: every seat or none, else as many as the balance lets
 * @throws payment/balance-short (data: missingMinor, currency) where `all` are wanted
 */
export async function setSeats(
  tx: Tx,
  scope: MoneyScope,
  wish: { jobId: string; businessId: string; wanted: number; terms: HoldTerms | null; all: boolean },
): Promise<{ missing: number }> {
  const { terms } = wish;
  const rows = await lockFreeSeats(tx, wish.jobId);
  const fitting = terms === null ? [] : rows.filter((row) => fits(row, terms));
  const kept = new Set(fitting.slice(0, Math.max(0, wish.wanted)));
  await returnSeats(
    tx,
    scope,
    rows.filter((row) => !kept.has(row)),
  );
  const missing = wish.wanted - kept.size;
  if (terms === null || missing <= 0) return { missing: 0 };
  const fund = async (count: number) => {
    const holds = await createHolds(tx, scope, { ...wish, offerId: null, terms, count });
    return (await holdFromBalance(tx, scope, holds)).length;
  };
  if (wish.all) return { missing: missing - (await fund(missing)) };
  const has = await businessBalance(tx, wish.businessId, terms.currency);
  const count = Math.min(missing, Math.floor(has / Math.max(1, terms.holdMinor)));
  const funded = count === 0 ? 0 : ((await attempt(tx, () => fund(count))) ?? 0);
  return { missing: missing - funded };
}

/** What lies in the funded seats of a job that nobody has, in minor units. */
export const seatMoneyOf = (db: Db, jobId: string): Promise<number> => sumFreeSeats(db, jobId);
