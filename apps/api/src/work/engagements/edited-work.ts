import { payForMinutes, share, sumOf } from '@nearhand/contract/arithmetic';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { type CoverPlan, raisePlans } from '../../money/holds/cover.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type EngagementRow, updateEngagement } from './engagements.sql.ts';
import { notifyOfEngagement } from './engagements.ts';

/** An edit of a job, as shown to the people booked on it. `payMinor` is its pay if that rose. */
export type BookedEdit = { jobId: string; payMinor: number | null; hasNewDetails: boolean };

/**
 * Locks the booked work of jobs that has not started, and its holds, before any money moves (ADR 38). The
 * jobs must be locked.
 */
export async function lockBookedWork(
  tx: Tx,
  { clock }: Pick<Scope, 'clock'>,
  jobIds: readonly string[],
): Promise<EngagementRow[]> {
  const { rows } =
    await sql<EngagementRow>`select * from engagements where job_id = any(${[...jobIds]}::uuid[])
    and status in ('booked', 'confirmed') and coalesce(starts_at > ${clock.now()}::timestamptz, true)
    order by id for update`.execute(tx);
  await sql`select from holds where engagement_id = any(${rows.map(({ id }) => id)}::uuid[]) order by id for update`.execute(
    tx,
  );
  return rows;
}

function paidMore(terms: Terms, payMinor: number): Terms {
  const payTotalMinor = terms.paidMinutes === null ? payMinor : payForMinutes(payMinor, terms.paidMinutes);
  return {
    ...terms,
    payMinor,
    payTotalMinor,
    workerGetsMinor: payTotalMinor - share(payTotalMinor, terms.workerFeeBasisPoints),
    holdMinor: payTotalMinor + share(payTotalMinor, terms.merchantFeeBasisPoints),
  };
}

/**
 * Passes edits of jobs on to the work booked on them: higher pay applies at once and is funded from the
 * balance first, and each worker gets one notice of all their shifts. Work that can't be funded keeps its
 * pay.
 * @param rows from `lockBookedWork`
 * @param event names the edit in notices
 * @throws payment/balance-short (data: missingMinor, currency), payment/over-budget
 */
export async function editBookedWork(
  tx: Tx,
  scope: Scope,
  rows: readonly EngagementRow[],
  { edits, event }: { edits: readonly BookedEdit[]; event: string },
): Promise<void> {
  const editsByJob = new Map(edits.map((edit) => [edit.jobId, edit]));
  const raises = new Map<string, Terms>();
  for (const { id, jobId, terms, funding } of rows) {
    const payMinor = editsByJob.get(jobId)?.payMinor ?? 0;
    if (payMinor > terms.payMinor && funding === 'funded') raises.set(id, paidMore(terms, payMinor));
  }
  const plans: CoverPlan[] = [...raises].map(([engagementId, terms]) => ({ engagementId, terms }));
  await raisePlans(tx, scope, plans);
  for (const row of rows) {
    const terms = raises.get(row.id);
    if (terms)
      await updateEngagement(tx, row, {
        terms: JSON.stringify(terms),
        amountMinor: terms.payTotalMinor,
        updatedAt: scope.clock.now(),
      });
  }
  const changed = rows.filter((row) => raises.has(row.id) || editsByJob.get(row.jobId)?.hasNewDetails);
  const workByWorker = Map.groupBy(changed, ({ workerId }) => workerId);
  for (const work of workByWorker.values()) {
    const raised = work.filter(({ id }) => raises.has(id));
    const [first] = raised.length > 0 ? raised : work;
    if (!first) continue;
    const moreMinor = sumOf(
      raised,
      ({ id, terms }) => (raises.get(id)?.workerGetsMinor ?? 0) - terms.workerGetsMinor,
    );
    await notifyOfEngagement(tx, scope, first.id, {
      worker: 'engagement-changed',
      event,
      data:
        raised.length > 0
          ? { what: 'pay', count: raised.length, amountMinor: moreMinor, currency: first.terms.currency }
          : { what: 'details', count: work.length },
    });
  }
}
