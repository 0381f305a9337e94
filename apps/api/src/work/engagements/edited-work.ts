import { sumOf } from '@nearhand/contract/arithmetic';
import { upcomingEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { raisePlans } from '../../money/holds/cover.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { type EngagementRow, updateEngagement } from './engagements.sql.ts';
import { notifyOfEngagement } from './engagements.ts';
import {
  coverPlanOf,
  lockHoldsOfWork,
  lockProposals,
  type ProposedParts,
  pricedTerms,
  proposeChanges,
  replaceChanges,
} from './shift-changes.ts';

/** An edit of a job, as shown to the people booked on it. `payMinor` is its pay if that changed. */
export type BookedEdit = ProposedParts & { jobId: string; hasNewDetails: boolean };

/**
 * Locks the booked work of jobs that has not started, and its holds, before any money moves (ADR 38). The
 * jobs must be locked.
 */
export async function lockBookedWork(
  tx: Tx,
  { clock }: ClockScope,
  jobIds: readonly string[],
): Promise<EngagementRow[]> {
  const { rows } =
    await sql<EngagementRow>`select * from engagements where job_id = any(${[...jobIds]}::uuid[])
    and status in (${literals(upcomingEngagementStatuses)}) and coalesce(starts_at > ${clock.now()}::timestamptz, true)
    order by id for update`.execute(tx);
  await lockHoldsOfWork(
    tx,
    rows.map(({ id }) => id),
  );
  return rows;
}

/** A hold that an edit can change: all of its money is set aside, or will be (ADR 399). */
const isWhole = (funding: Funding): boolean => funding === 'funded' || funding === 'planned';

/**
 * Passes edits of jobs on to the work booked on them. Higher pay applies at once; another time or place and
 * lower pay are proposed to its worker (ADR 389). What costs more is funded from the balance first, and each
 * worker gets one notice of all their shifts. Work that can't be funded keeps its terms.
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
  const raisedTerms = new Map<string, Terms>();
  for (const { id, jobId, terms, funding } of rows) {
    const payMinor = editsByJob.get(jobId)?.payMinor ?? 0;
    if (payMinor > terms.payMinor && isWhole(funding))
      raisedTerms.set(id, pricedTerms(terms, { payMinor, paidMinutes: terms.paidMinutes }));
  }
  const shifts = rows.flatMap((row) => {
    const parts = editsByJob.get(row.jobId);
    const terms = raisedTerms.get(row.id) ?? row.terms;
    return parts && row.kind === 'shift' && isWhole(row.funding) ? [{ row, terms, parts }] : [];
  });
  const proposals = await lockProposals(tx, scope, shifts);
  await replaceChanges(tx, scope, proposals);
  const proposedIds = new Set(proposals.map(({ row }) => row.id));
  const raised = [...raisedTerms].filter(([engagementId]) => !proposedIds.has(engagementId));
  await raisePlans(tx, scope, [
    ...raised.map(([engagementId, terms]) => ({ engagementId, terms })),
    ...proposals.map(coverPlanOf),
  ]);
  for (const row of rows) {
    const terms = raisedTerms.get(row.id);
    if (terms)
      await updateEngagement(tx, row, {
        terms: JSON.stringify(terms),
        amountMinor: terms.payTotalMinor,
        updatedAt: scope.clock.now(),
      });
  }
  await proposeChanges(tx, scope, proposals, event);
  const askedIds = new Set(proposals.map(({ row }) => row.workerId));
  const hasNews = ({ jobId, workerId }: EngagementRow) =>
    !askedIds.has(workerId) && editsByJob.get(jobId)?.hasNewDetails;
  const editedWork = rows.filter((row) => raisedTerms.has(row.id) || hasNews(row));
  const workByWorker = Map.groupBy(editedWork, ({ workerId }) => workerId);
  for (const work of workByWorker.values()) {
    const paidMoreWork = work.filter(({ id }) => raisedTerms.has(id));
    const [first] = paidMoreWork.length > 0 ? paidMoreWork : work;
    if (!first) continue;
    const moreMinor = sumOf(
      paidMoreWork,
      ({ id, terms }) => (raisedTerms.get(id)?.workerGetsMinor ?? 0) - terms.workerGetsMinor,
    );
    await notifyOfEngagement(tx, scope, first.id, {
      worker: 'engagement-changed',
      event,
      data:
        paidMoreWork.length > 0
          ? {
              variant: 'pay',
              count: paidMoreWork.length,
              amountMinor: moreMinor,
              currency: first.terms.currency,
            }
          : { variant: 'details', count: work.length },
    });
  }
}
