import type { Currency } from '@nearhand/contract/currencies';
import { businessBooks, spendByMonth } from '../../money/statements/spend.service.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dayIn } from '../../platform/zoned-day.ts';
import { costPerHour, hoursOf, medianOf, monthsUpTo } from './dashboard.rules.ts';
import { countHires, findFilled } from './dashboard.sql.ts';

/** How many filled jobs are listed; medians cover all of them. */
const maxFilled = 200;

/**
 * What hiring cost a business and how fast it went, by month in its zone including the current one; empty months are zeros.
 * Money comes from the statement's entries. For owners, managers and finance.
 * @throws business/not-found, business/not-allowed
 */
export async function businessFigures(
  db: Db,
  { actor, clock }: Scope,
  input: { businessId: string; months: number; currency?: Currency | undefined },
) {
  const { businessId, months: count } = input;
  const books = await businessBooks(db, businessId, actor.accountId, input.currency);
  const { timeZone, currency } = books;
  const now = clock.now();
  const today = dayIn(timeZone, now);
  const names = monthsUpTo(today.slice(0, 7), count);
  const spent = await spendByMonth(db, businessId, {
    currency,
    timeZone,
    from: `${names[0]}-01`,
    to: today,
  });
  const span = { timeZone, now, count };
  const hires = await countHires(db, businessId, span);
  const all = await findFilled(db, businessId, span);
  const filled = all.filter(({ earlier }) => !earlier);
  const before = all.filter(({ earlier }) => earlier);
  return {
    ...books,
    months: names.map((month) => {
      const of = spent.find((row) => row.month === month);
      const { payMinor = 0, feesMinor = 0, tipsMinor = 0, paidMinutes = 0, shiftCostMinor = 0 } = of ?? {};
      return {
        month,
        spendMinor: payMinor + feesMinor + tipsMinor,
        payMinor,
        feesMinor,
        tipsMinor,
        paidMinutes,
        costPerHourMinor: costPerHour(shiftCostMinor, paidMinutes),
        hires: hires.find((row) => row.month === month)?.hires ?? 0,
      };
    }),
    filled: filled.slice(0, maxFilled).map((row) => ({
      jobId: row.job_id,
      title: row.title,
      day: row.day,
      hours: hoursOf(row.seconds),
    })),
    medianHours: medianHours(filled),
    medianHoursBefore: medianHours(before),
  };
}

function medianHours(filled: readonly { seconds: number }[]): number | null {
  const seconds = medianOf(filled.map((row) => row.seconds));
  return seconds === null ? null : hoursOf(seconds);
}
