import type { businessGroups, workerGroups } from '@nearhand/contract/money/statement-groups.rules';
import type { StatementLine } from '@nearhand/contract/money/statements';
import type { Db } from '../../platform/db.ts';
import { findLines } from './statement-lines.sql.ts';
import { type Account, type Days, spanOf } from './statement-span.service.ts';
import { countLines, sumTotals } from './statement-totals.sql.ts';
import { kindsOf, lineOf } from './statements.rules.ts';

/** All lines of a period, oldest first, with its totals in minor units. */
export type WholeStatement = { lines: StatementLine[]; sums: Awaited<ReturnType<typeof sumTotals>> };

/** For downloads: all lines of a period, at most `limit`, with its totals. The caller has checked access. */
export async function readStatement(
  db: Db,
  account: Account,
  filter: Days & { group: (typeof workerGroups)[number] | (typeof businessGroups)[number] },
  limit: number,
): Promise<WholeStatement> {
  const { holder, currency } = account;
  const span = spanOf(account.timeZone, filter);
  const rows = await findLines(db, holder, {
    currency,
    span,
    kinds: kindsOf(filter.group),
    withFee: filter.group === 'fees',
    order: 'oldest',
    limit,
  });
  return {
    lines: rows.map((row) => lineOf(row, holder.side, currency)),
    sums: await sumTotals(db, holder, currency, span),
  };
}

/** For downloads: the number of lines in a period over all groups; stops counting at `limit`. */
export const countStatement = (db: Db, account: Account, days: Days, limit: number): Promise<number> =>
  countLines(db, account.holder, account.currency, spanOf(account.timeZone, days), limit);
