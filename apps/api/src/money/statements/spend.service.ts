import type { Currency } from '@nearhand/contract/currencies';
import type { Db } from '../../platform/db.ts';
import { findPaidMinutes } from './paid-minutes.sql.ts';
import { sumSpend } from './spend.sql.ts';
import { businessAccount, spanOf } from './statement-span.service.ts';

/** What a business spent on people in a month `YYYY-MM`, in minor units. */
export type MonthSpend = {
  month: string;
  payMinor: number;
  feesMinor: number;
  tipsMinor: number;
  /** Paid minutes of shifts, and their cost with fees. */
  paidMinutes: number;
  shiftCostMinor: number;
};

/**
 * For the analytics slice: the currency and zone of a business, as on its statement; owners, managers and finance.
 * @throws business/not-found, business/not-allowed
 */
export async function businessBooks(
  db: Db,
  businessId: string,
  accountId: string,
  asked?: Currency,
): Promise<{ currency: Currency; currencies: Currency[]; timeZone: string }> {
  const { currency, currencies, timeZone } = await businessAccount(db, businessId, accountId, asked);
  return { currency, currencies, timeZone };
}

/** For the analytics slice: a business's spending on people by month, from its statement's entries; only months with any. Days are inclusive. */
export async function spendByMonth(
  db: Db,
  businessId: string,
  { currency, timeZone, from, to }: { currency: Currency; timeZone: string; from: string; to: string },
): Promise<MonthSpend[]> {
  const rows = await sumSpend(db, businessId, {
    currency,
    timeZone,
    span: spanOf(timeZone, { from, to }),
  });
  return rows.map((row) => ({
    month: row.month,
    payMinor: row.pay,
    feesMinor: row.fees,
    tipsMinor: row.tips,
    paidMinutes: row.minutes,
    shiftCostMinor: row.shift_cost,
  }));
}

/** For invoices: the paid minutes of a release; 0 for a task. */
export const paidMinutesOf = (db: Db, releaseId: string): Promise<number> => findPaidMinutes(db, releaseId);
