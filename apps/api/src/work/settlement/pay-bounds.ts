import { addMs, hourMs } from '@nearhand/contract/durations';
import {
  type AgreedPay,
  type PayBounds,
  payBounds,
  type SilentOutcome,
} from '@nearhand/contract/work/pay.rules';
import {
  type Attended,
  type Plan,
  recordedMinor,
  silentOutcomeOf,
} from '@nearhand/contract/work/timesheets.rules';
import { agreedPayOf } from '../../money/holds/releases.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { attendanceFacts, claimsOf, listDeliveries } from '../engagements/engagement-record.ts';
import type { EngagementRow } from '../engagements/engagement-transitions.ts';

/** The bounds of any agreement, in minor units: the paid part, and the planned or highest claimed pay. */
export const payBoundsOf = async (db: Db, row: Pick<EngagementRow, 'id' | 'terms'>): Promise<PayBounds> =>
  payBounds({
    agreedMinor: await agreedPayOf(db, row.id),
    plannedMinor: row.terms.payTotalMinor,
    claims: await claimsOf(db, row.id),
  });

/** Planned pay, and the amount agreed so far. Minor units. */
export const plannedAndAgreedPay = async (
  db: Db,
  row: Pick<EngagementRow, 'id' | 'terms'>,
): Promise<Pick<AgreedPay, 'plannedMinor' | 'agreedMinor'>> => ({
  plannedMinor: row.terms.payTotalMinor,
  agreedMinor: await agreedPayOf(db, row.id),
});

/** The worker's claim or delivery, and the business's counter-proposal; null if there is none. */
export async function lastAmounts(tx: Tx, row: EngagementRow) {
  if (row.kind === 'task')
    return { workerAmountMinor: row.terms.payTotalMinor, businessAmountMinor: null as number | null };
  const claims = await claimsOf(tx, row.id);
  const last = (side: string) => claims.findLast(({ by }) => by === side)?.amountMinor ?? null;
  return { workerAmountMinor: last('worker'), businessAmountMinor: last('business') };
}

/** The planned hours; null for a task, which has none. */
export const planOf = (row: Pick<EngagementRow, 'startsAt' | 'endsAt' | 'terms'>): Plan | null =>
  row.startsAt && row.endsAt
    ? {
        startsAt: row.startsAt,
        endsAt: row.endsAt,
        breakMinutes: row.terms.breakMinutes,
        breakPaid: row.terms.breakPaid,
      }
    : null;

/** The recorded attendance. `contested` is true if the worker objects to a recorded time. */
export async function attendedOf(db: Db, row: EngagementRow): Promise<Attended & { contested: boolean }> {
  const events = await attendanceFacts(db, row.id);
  return {
    checkedInAt: row.checkedInAt,
    checkedOutAt: row.checkedOutAt,
    events,
    contested: events.some(({ contested }) => contested),
  };
}

/** Pay for the recorded hours within the plan, in minor units (ADR 44). Null for a task. */
export const recordedPay = async (tx: Tx, row: EngagementRow): Promise<number | null> =>
  recordedMinor(await attendedOf(tx, row), planOf(row), row.terms);

/** The outcome if nobody replies (ADR 43); the row must be locked. */
export const silentOutcomeNow = async (tx: Tx, row: EngagementRow): Promise<SilentOutcome> =>
  silentOutcomeOf({
    attended: await attendedOf(tx, row),
    plan: planOf(row),
    terms: row.terms,
    agreedMinor: await agreedPayOf(tx, row.id),
    claims: await claimsOf(tx, row.id),
  });

/** The step and its time if nobody replies to the last claim (ADR 43); the row must be locked. */
export async function silentStep(tx: Tx, { config }: Pick<ClockConfigScope, 'config'>, row: EngagementRow) {
  const claim = (await claimsOf(tx, row.id)).at(-1);
  if (!claim) throw new Error(`engagement ${row.id} has no hours`);
  const { kind, amountMinor } = await silentOutcomeNow(tx, row);
  return { kind, amountMinor, at: addMs(new Date(claim.at), config.AUTO_APPROVE_SHIFT_HOURS * hourMs) };
}

/**
 * The planned or later actual end of a shift, or the last delivery of a task; null while changes are pending
 * (ADR 44).
 */
export async function workOverAt(tx: Tx, row: EngagementRow): Promise<Date | null> {
  if (row.endsAt) return row.checkedOutAt && row.checkedOutAt > row.endsAt ? row.checkedOutAt : row.endsAt;
  const latest = (await listDeliveries(tx, row.id)).at(-1);
  return latest && latest.changesAsked === null ? new Date(latest.at) : null;
}
