import type { Db, Tx } from '../../platform/db.ts';
import type { EngagementRow } from '../engagements/engagement-moves.service.ts';
import { releasedOf } from './settlement.service.ts';
import { hoursWithinPlan, payOf } from './timesheets.rules.ts';
import { findAttendance, findClaims, findDeliveries } from './timesheets.sql.ts';

/** What an agreement about pay has to lie between, in minor units: what was paid already, and the whole as planned or, if more, as claimed. */
export async function payBounds(
  tx: Db,
  row: Pick<EngagementRow, 'id' | 'terms'>,
): Promise<{ leastMinor: number; mostMinor: number }> {
  const claims = await findClaims(tx, row.id);
  return {
    leastMinor: await releasedOf(tx, row.id),
    mostMinor: Math.max(row.terms.payTotalMinor, ...claims.map(({ amount_minor }) => amount_minor)),
  };
}

/** What each side has put forward so far: the worker by a claim or a delivery, the business by a counter-proposal; null for who said nothing. */
export async function heldRight(tx: Tx, row: EngagementRow) {
  if (row.kind === 'task')
    return { workerAmountMinor: row.terms.payTotalMinor, businessAmountMinor: null as number | null };
  const claims = await findClaims(tx, row.id);
  const last = (side: string) => claims.findLast(({ by_side }) => by_side === side)?.amount_minor ?? null;
  return { workerAmountMinor: last('worker'), businessAmountMinor: last('business') };
}

/** Pay for what was recorded of a shift inside its plan, in minor units; a missing check-out counts as the planned end (ADR 0044). Null for a task. */
export async function recordedMinor(tx: Tx, row: EngagementRow): Promise<number | null> {
  if (!row.starts_at || !row.ends_at) return null;
  const events = await findAttendance(tx, row.id);
  const hours = hoursWithinPlan(
    {
      checkedInAt: row.checked_in_at,
      checkedOutAt: row.checked_out_at,
      events,
      breakPaid: row.terms.breakPaid,
    },
    { startsAt: row.starts_at, endsAt: row.ends_at },
    true,
  );
  return hours ? Math.min(payOf(hours, row.terms).amountMinor, row.terms.payTotalMinor) : 0;
}

/** When the work was over: the end of a shift as planned or left, the last delivery of a task; null where there is none yet, or where changes to it are awaited (ADR 0044). */
export async function workOverAt(tx: Tx, row: EngagementRow): Promise<Date | null> {
  if (row.ends_at)
    return row.checked_out_at && row.checked_out_at > row.ends_at ? row.checked_out_at : row.ends_at;
  const latest = (await findDeliveries(tx, row.id)).at(-1);
  return latest && latest.changes_at === null ? latest.at : null;
}
