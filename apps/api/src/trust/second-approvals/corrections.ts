import type { CorrectionEffect, LedgerEntry } from '@nearhand/contract/money/corrections';
import type { SecondApproval } from '@nearhand/contract/trust/second-approvals';
import { problemOfEntry, quoteCorrection, viewEntry } from '../../money/corrections/corrections.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findInvolved, latestApproval, openApproval } from './second-approvals.ts';

type EntryView = {
  entry: LedgerEntry;
  correction: CorrectionEffect | null;
  approval: SecondApproval | null;
};

/** Returns a ledger entry and the effect of reversing it, for operators. */
export async function entryForStaff(
  db: Db,
  scope: Scope,
  { entryId }: { entryId: string },
): Promise<EntryView> {
  const entry = await viewEntry(db, entryId);
  if (!entry) throw new AppError('entry/not-found');
  const approval = await latestApproval(db, { kind: 'correction', subjectId: entryId }, scope.clock.now());
  return { entry, correction: await quoteCorrection(db, entryId), approval };
}

/** Proposes to reverse a payment, for operators on neither side; another operator approves it (ADR 192). */
export async function proposeCorrection(
  tx: Tx,
  scope: Scope,
  { entryId, reason }: { entryId: string; reason: string },
): Promise<SecondApproval> {
  const effect = await quoteCorrection(tx, entryId);
  if (!effect) {
    if (!(await viewEntry(tx, entryId))) throw new AppError('entry/not-found');
    throw new AppError('correction/not-possible', { problem: await problemOfEntry(tx, entryId) });
  }
  const sides = { accountIds: [effect.worker.id], businessId: effect.business?.id ?? null };
  if (await findInvolved(tx, scope.actor.accountId, sides)) throw new AppError('operator/own-record');
  if (effect.problem) throw new AppError('correction/not-possible', { problem: effect.problem });
  const { businessGetsMinor, businessLosesMinor, workerLosesMinor, currency } = effect;
  const stake = { amountMinor: businessGetsMinor || businessLosesMinor + workerLosesMinor, currency };
  return openApproval(tx, scope, {
    kind: 'correction',
    subjectId: entryId,
    reason,
    decision: {},
    prepared: { moved: stake, ...sides },
  });
}
