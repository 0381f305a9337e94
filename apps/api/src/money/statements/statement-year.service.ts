import type { Currency } from '@nearhand/contract/currencies';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dayIn } from '../../platform/zoned-day.ts';
import { type Account, spanOf, workerAccount } from './statement-span.service.ts';
import { findYear, lastPaidBefore } from './statement-year.sql.ts';

/** One year of the caller's pay, by month and by business, after the worker's fee. Minor units; all twelve months are included. */
export async function myYear(
  db: Db,
  { actor }: Scope,
  { year, currency: asked }: { year: number; currency?: Currency | undefined },
) {
  const { holder, currency, timeZone } = await workerAccount(db, actor.accountId, asked);
  const digits = String(year).padStart(4, '0');
  const span = spanOf(timeZone, { from: `${digits}-01-01`, to: `${digits}-12-31` });
  const rows = await findYear(db, holder, { currency, timeZone, year, span });
  const months = Array.from({ length: 12 }, (_, at) => {
    const month = `${digits}-${String(at + 1).padStart(2, '0')}`;
    const of = rows.filter((row) => row.month === month);
    return {
      month,
      earnedMinor: sum(of, 'earned'),
      tipsMinor: sum(of, 'tips'),
      feesMinor: sum(of, 'fees'),
      paidMinutes: sum(of, 'minutes'),
    };
  });
  const businesses = [...Map.groupBy(rows, (row) => row.business_id).values()]
    .map((of) => ({
      name: of[0]?.business ?? '',
      earnedMinor: sum(of, 'earned') + sum(of, 'tips'),
      engagements: new Set(of.flatMap((row) => row.engagements)).size,
    }))
    .sort((one, other) => other.earnedMinor - one.earnedMinor);
  return {
    year,
    currency,
    years: await listYears(db, { holder, currency, timeZone }),
    months,
    businesses,
    totalMinor: sum(rows, 'earned') + sum(rows, 'tips'),
  };
}

/** The years in which a worker was paid, latest first: one cheap query per year. */
async function listYears(
  db: Db,
  { holder, currency, timeZone }: Pick<Account, 'holder' | 'currency' | 'timeZone'>,
): Promise<number[]> {
  const years: number[] = [];
  let { before } = spanOf(timeZone, {});
  for (;;) {
    const at = await lastPaidBefore(db, holder, { currency, before });
    if (at === null) return years;
    const year = Number(dayIn(timeZone, at).slice(0, -6));
    years.push(year);
    before = spanOf(timeZone, { from: `${String(year).padStart(4, '0')}-01-01` }).from;
  }
}

const sum = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((total, row) => total + row[key], 0);
