import { sanctionPath } from '@nearhand/contract/app-paths';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { isId } from '@nearhand/contract/ids';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { Page, PageInput } from '@nearhand/contract/operation';
import type { CertificateDecision } from '@nearhand/contract/people/certificates';
import type { IdentityDecision } from '@nearhand/contract/people/identity-checks';
import type { VariantOf } from '@nearhand/contract/talk/topics/notice-facts';
import type { Appeal, Sanction, SanctionReversal, Statement } from '@nearhand/contract/trust/sanctions';
import {
  measureProblem,
  type SanctionEnding,
  type SanctionSource,
  type SanctionTarget,
  sanctionLimits,
} from '@nearhand/contract/trust/sanctions.rules';
import type { Insertable } from 'kysely';
import { z } from 'zod';
import {
  openReviewedJob,
  refuseReviewedJob,
  restoreSuspendedJob,
  suspendJob,
} from '../../hiring/jobs/job-lifecycle.ts';
import { lockJob } from '../../hiring/jobs/job-transitions.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { acceptPayee } from '../../money/payouts/held-withdrawals.ts';
import { moveBusiness, restoreMove } from '../../people/businesses/business-transitions.ts';
import { lockBusiness } from '../../people/businesses/businesses.sql.ts';
import { reverseCertificate } from '../../people/certificates/certificate-decisions.ts';
import type { DecidedBusiness, DecidedCertificate, NoticeScope } from '../../people/hooks.ts';
import { reverseIdentity } from '../../people/identity-checks/identity-checks.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Db, runAndRollBack, type Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Sanctions } from '../../platform/tables.gen.ts';
import { defineTask, enqueue } from '../../platform/tasks/tasks.ts';
import { restoreRedacted } from '../../talk/chat-reports/chat-reports.ts';
import { thawConversation } from '../../talk/chat-reports/frozen.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { removeReview, restoreReview } from '../reviews/review-removal.ts';
import {
  findAboutChat,
  findConcerning,
  findEarlierRefusals,
  findEveryone,
  findJobIds,
  findMine,
  findRecipients,
  findRefusals,
  findRefusedIdentities,
  findSanction,
  findSuspended,
  findTarget,
  findTargetState,
  insertSanction,
  isBarred,
  isHidden,
  isSuspended,
  lockSanction,
  type SanctionRow,
  statusBeforeSuspension,
  type Target,
  updateEnded,
} from './sanctions.sql.ts';

/**
 * Requires that no business of the caller in the input is suspended; people who aren't members learn nothing.
 * @throws business/wrong-state
 */
export async function requireHiring(db: Db, actor: { accountId: string }, input: unknown): Promise<void> {
  const fields = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  const namedIds = fields.flatMap(([field, value]) =>
    typeof value === 'string' && isId(value.toLowerCase()) ? [{ field, id: value }] : [],
  );
  if (namedIds.length > 0 && (await findSuspended(db, actor.accountId, namedIds)))
    throw new AppError('business/wrong-state', { status: 'suspended' });
}

/** Lists decisions about the caller and the businesses they hire for, newest first. */
export async function mySanctions(db: Db, scope: Scope, input: PageInput): Promise<Page<Sanction>> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findMine(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.decidedAt.toISOString(), row.id]);
  const now = scope.clock.now();
  return { items: page.items.map((row) => toSanction(row, now)), nextCursor: page.nextCursor };
}

/** Returns a decision about the caller, or a business they hire for. */
export async function getSanction(db: Db, scope: Scope, input: { sanctionId: string }): Promise<Sanction> {
  const row = await findConcerning(db, scope.actor.accountId, input.sanctionId);
  if (!row) throw new AppError('sanction/not-found');
  return toSanction(row, scope.clock.now());
}

type Imposed = Omit<Statement, 'measure'> & { measure: Statement['measure'] | 'refused'; target: Target };
type Origin = { source: SanctionSource; caseId: string | null };

/** Imposes a measure, for operators. */
export const imposeSanction = (tx: Tx, scope: Scope, input: Imposed): Promise<Sanction> =>
  issueSanction(tx, scope, { ...input, source: 'staff', caseId: null });

/**
 * Applies a measure at once and sends the statement.
 * @throws sanction/no-target, sanction/not-possible, operator/own-record
 */
export async function issueSanction(tx: Tx, scope: Scope, input: Imposed & Origin): Promise<Sanction> {
  const now = scope.clock.now();
  const { target, measure, scope: suspended } = input;
  const endsAt = input.endsAt === null ? null : new Date(input.endsAt);
  const problem = measureProblem({ target: target.kind, measure, scope: suspended, endsAt }, now);
  if (problem) throw new AppError('request/invalid', { issues: [problem] });
  const targetRow = await findTarget(tx, target);
  if (!targetRow) throw new AppError('sanction/no-target');
  await requireOutside(tx, scope, targetRow);
  await takeEffect(tx, scope, { ...input, target });
  return recordSanction(tx, scope, {
    ...targetRow,
    reviewId: target.kind === 'review' ? target.id : null,
    measure,
    scope: suspended,
    endsAt,
    rule: input.rule,
    facts: input.facts,
    source: input.source,
    caseId: input.caseId,
  });
}

/** Writes a decision whose measure has taken effect, and sends the statement. */
export async function recordSanction(
  tx: Tx,
  scope: NoticeScope & { actor: Pick<Actor, 'accountId'> },
  decision: Omit<Insertable<Sanctions>, 'id' | 'decidedBy' | 'decidedAt' | 'endsAt'> & {
    endsAt: Date | null;
  },
): Promise<Sanction> {
  const now = scope.clock.now();
  const id = newId(now);
  await insertSanction(tx, { ...decision, id, decidedBy: scope.actor.accountId, decidedAt: now });
  const { endsAt, measure, facts } = decision;
  if (endsAt !== null)
    await enqueue(
      tx,
      sanctionExpiryTask,
      { sanctionId: id },
      { runAt: endsAt, key: `sanction-expiry:${id}` },
    );
  const row = (await findSanction(tx, id)) as SanctionRow;
  await notifyOfSanction(tx, scope, row, {
    topic: 'sanction-imposed',
    variant: measure,
    reason: facts,
  });
  return toSanction(row, now);
}

/** @throws sanction/not-possible for a job, business or review in a state that has no such move */
async function takeEffect(tx: Tx, scope: Scope, { target, measure, facts: reason }: Imposed): Promise<void> {
  if (measure === 'hidden' && !(await suspendJob(tx, scope, target.id)))
    throw new AppError('sanction/not-possible');
  if (measure === 'refused' && !(await refuseReviewedJob(tx, scope, target.id)))
    throw new AppError('sanction/not-possible');
  if (measure === 'removed' && !(await removeReview(tx, scope, { reviewId: target.id, reason })))
    throw new AppError('sanction/not-possible');
  if (measure !== 'suspension' || target.kind !== 'business') return;
  await suspendBusiness(tx, scope, target.id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'business/wrong-state')
      throw new AppError('sanction/not-possible');
    throw error;
  });
  await enqueue(tx, jobsOfSuspendedTask, { businessId: target.id, after: null });
}

/**
 * Operators who are not a party may call it. The operator who froze a balance can't unfreeze it: another one must.
 * @throws sanction/not-found, operator/own-record, operator/own-decision
 */
export async function liftSanction(
  tx: Tx,
  scope: Scope,
  input: { sanctionId: string; reason: string },
): Promise<Sanction> {
  const row = await lockSanction(tx, input.sanctionId);
  if (!row) throw new AppError('sanction/not-found');
  await requireOutside(tx, scope, sanctionedParties(row));
  if (row.measure === 'frozen' && row.decidedBy === scope.actor.accountId)
    throw new AppError('operator/own-decision');
  if (await endSanction(tx, scope, row, { ending: 'lifted', reason: input.reason }))
    await notifyOfSanction(tx, scope, row, {
      topic: 'sanction-ended',
      variant: (await isCopyNeeded(tx, row)) ? 'copy-needed' : 'lifted',
      reason: input.reason,
    });
  return toSanction((await findSanction(tx, row.id)) as SanctionRow, scope.clock.now());
}

/** Returns whether the document of an ended refusal is deleted, so that only a new copy can be confirmed. */
export async function isCopyNeeded(tx: Tx, row: SanctionRow): Promise<boolean> {
  const { state } = await findTargetState(tx, row);
  return (
    (row.measure === 'certificate_refused' && state === 'needs_copy') ||
    (row.measure === 'identity_refused' && state === 'needs_info')
  );
}

type End = { ending: SanctionEnding; reason: string | null };

/** Ends a locked decision and undoes its measure; returns false if it had ended. The caller notifies. */
export async function endSanction(tx: Tx, scope: Scope, row: SanctionRow, end: End): Promise<boolean> {
  if (!(await endMeasure(tx, scope, row, end))) return false;
  if (row.measure === 'refused' && row.jobId !== null)
    await openReviewedJob(tx, scope, row.jobId, { hidden: await isHidden(tx, row.jobId) });
  if (row.methodId !== null && row.accountId !== null)
    await acceptPayee(tx, { accountId: row.accountId, methodId: row.methodId });
  if (row.reviewId !== null) await restoreReview(tx, scope, row.reviewId);
  if (row.conversationId !== null)
    await restoreChat(tx, scope, { ...row, conversationId: row.conversationId }, end.reason ?? '');
  if (row.certificateId !== null && (await reverseCertificate(tx, scope, row.certificateId)))
    await liftRefusals(tx, scope, await findEarlierRefusals(tx, row.certificateId));
  const { identityCheckId: checkId } = row;
  if (checkId !== null && (await reverseIdentity(tx, scope, { checkId, reason: end.reason })))
    await liftRefusals(tx, scope, await findRefusedIdentities(tx, checkId));
  return true;
}

/**
 * Returns what ending a decision now would do, by ending it in a transaction that is rolled back. The caller checks
 * access.
 * @throws sanction/not-found
 */
export const rehearseEnd = (db: Db, scope: Scope, sanctionId: string): Promise<SanctionReversal> =>
  runAndRollBack(db, async (tx) => {
    const row = await lockSanction(tx, sanctionId);
    if (!row) throw new AppError('sanction/not-found');
    const hasEnded = await endSanction(tx, scope, row, { ending: 'lifted', reason: '' });
    return { ends: hasEnded, ...(await findTargetState(tx, row)) };
  });

/**
 * Returns what ending a decision now would do, for operators with the role.
 * @throws sanction/not-found, operator/own-record
 */
export async function sanctionReversal(
  db: Db,
  scope: Scope,
  { sanctionId }: { sanctionId: string },
): Promise<SanctionReversal> {
  const row = await findSanction(db, sanctionId);
  if (!row) throw new AppError('sanction/not-found');
  await requireOutside(db, scope, sanctionedParties(row));
  return rehearseEnd(db, scope, sanctionId);
}

async function endMeasure(tx: Tx, scope: MoneyScope, row: SanctionRow, end: End): Promise<boolean> {
  if (!(await updateEnded(tx, row, { ...end, at: scope.clock.now() }))) return false;
  if (row.measure === 'hidden' && row.jobId !== null) await restoreJob(tx, scope, row.jobId);
  if (row.measure === 'suspension' && row.businessId !== null) {
    if (await restoreBusiness(tx, scope, row.businessId))
      await enqueue(tx, jobsOfSuspendedTask, { businessId: row.businessId, after: null });
  }
  if (row.measure === 'verification_refused' && row.businessId !== null)
    await reopenVerification(tx, scope, row.businessId);
  return true;
}

async function expireSanction(
  tx: Tx,
  scope: MoneyScope,
  { sanctionId }: { sanctionId: string },
): Promise<void> {
  const row = await lockSanction(tx, sanctionId);
  if (!row?.endsAt || row.endsAt > scope.clock.now()) return;
  if (await endMeasure(tx, scope, row, { ending: 'expired', reason: null }))
    await notifyOfSanction(tx, scope, row, { topic: 'sanction-ended', variant: 'expired', reason: '' });
}

const jobsAtOnce = 20;
const live = ['in_review', 'open', 'paused', 'filled', 'expired'];

/**
 * Shows or hides some jobs of a business after a decision.
 * @returns the last id checked, or null when all are done
 */
async function syncJobVisibility(
  tx: Tx,
  scope: MoneyScope,
  { businessId, after }: { businessId: string; after: string | null },
): Promise<string | null> {
  const barred = await isBarred(tx, businessId);
  const statuses = barred ? live : ['suspended'];
  const jobIds = await findJobIds(tx, { businessId, statuses, after, limit: jobsAtOnce });
  for (const jobId of jobIds) await (barred ? suspendJob(tx, scope, jobId) : restoreJob(tx, scope, jobId));
  return jobIds.length < jobsAtOnce ? null : (jobIds.at(-1) ?? null);
}

/** The accounts to notify: the worker, or the business's members. */
export const sanctionedParties = (row: SanctionRow) => ({
  accountId: row.partyWorkerId,
  businessId: row.partyBusinessId,
});

/** @throws operator/own-record for an operator whom the decision concerns */
export async function requireOutside(
  db: Db,
  scope: Scope,
  subject: { accountId: string | null; businessId: string | null },
): Promise<void> {
  const accountIds = await findEveryone(db, subject);
  if (!mayDecideAbout(scope.actor.accountId, { accountIds })) throw new AppError('operator/own-record');
}

type Concerned = { accountIds: readonly string[] };

/** Operators never decide about themselves, a business they are a member of, or what they reported. */
const mayDecideAbout = (operatorId: string, { accountIds }: Concerned): boolean =>
  !accountIds.includes(operatorId);

const sanctionExpiryTask = defineTask({
  name: 'sanctions.expire',
  payload: z.object({ sanctionId: z.uuid() }),
  run: (scope, payload) => scope.db.transaction().execute((tx) => expireSanction(tx, scope, payload)),
});

const jobsOfSuspendedTask = defineTask({
  name: 'sanctions.follow-jobs',
  payload: z.object({ businessId: z.uuid(), after: z.uuid().nullable() }),
  run: (scope, payload) =>
    scope.db.transaction().execute(async (tx) => {
      const after = await syncJobVisibility(tx, scope, payload);
      if (after !== null) await enqueue(tx, jobsOfSuspendedTask, { ...payload, after });
    }),
});

/** Restores a message, or lets both sides write unless another decision keeps the conversation frozen. */
async function restoreChat(
  tx: Tx,
  scope: Scope,
  row: Pick<SanctionRow, 'seq' | 'accountId'> & { conversationId: string },
  reason: string,
): Promise<void> {
  const { conversationId, seq } = row;
  if (seq !== null) return restoreRedacted(tx, { conversationId, seq });
  if ((await findAboutChat(tx, { conversationId, seq: null })).length > 0) return;
  const side = row.accountId === null ? 'business' : 'worker';
  await thawConversation(tx, scope, { conversationId, reason, side });
}

/** Notifies the sanctioned side with reason and way to appeal (DSA, art. 17). */
export async function notifyOfSanction<
  Topic extends 'sanction-imposed' | 'sanction-ended' | 'appeal-decided',
>(
  tx: Tx,
  scope: NoticeScope,
  row: SanctionRow,
  news: { topic: Topic; variant: VariantOf<Topic>; reason: string },
): Promise<void> {
  const to = await findRecipients(tx, row);
  await notifyAll(
    tx,
    scope,
    to.map((accountId) => ({
      accountId,
      topic: news.topic,
      data: {
        variant: news.variant,
        reason: news.reason,
        mode: row.accountId === null ? 'business' : 'account',
        businessName: row.businessName ?? undefined,
        jobTitle: row.jobTitle ?? undefined,
      },
      path: sanctionPath(row.id),
      dedupeKey: `${news.topic}/${row.id}`,
    })),
  );
}

const operator = { id: 'operator', as: 'operator' } as const;

/** Shows a hidden job again, unless another decision hides it or it was closed. */
async function restoreJob(tx: Tx, scope: MoneyScope, jobId: string): Promise<void> {
  const row = await lockJob(tx, jobId);
  if (row.status === 'suspended' && !(await isHidden(tx, jobId))) await restoreSuspendedJob(tx, scope, row);
}

/**
 * Suspends a business from hiring.
 * @throws business/wrong-state for a closed or rejected one
 */
async function suspendBusiness(tx: Tx, scope: MoneyScope, businessId: string): Promise<void> {
  await moveBusiness(tx, scope, businessId, { action: 'suspend', mover: operator });
}

/** Lets a business hire again, unless another decision suspends it. */
async function restoreBusiness(tx: Tx, scope: MoneyScope, businessId: string): Promise<boolean> {
  if (await isSuspended(tx, businessId)) return false;
  const action = restoreMove(await statusBeforeSuspension(tx, businessId));
  if (action === null) return false;
  await moveBusiness(tx, scope, businessId, { action, mover: operator });
  return true;
}

/** Returns a refused business to the queue of submitted ones, unless another refusal is running. */
async function reopenVerification(tx: Tx, scope: MoneyScope, businessId: string): Promise<void> {
  const business = await lockBusiness(tx, businessId);
  if (!business || !['rejected', 'resubmitted'].includes(business.status)) return;
  if ((await findRefusals(tx, businessId)).length > 0) return;
  await moveBusiness(tx, scope, businessId, { action: 'restore-submitted', mover: operator });
  await enqueue(tx, jobsOfSuspendedTask, { businessId, after: null });
}

/**
 * Publishes what an operator decided about a business's verification: a refusal with its statement of reasons
 * and hidden jobs, a verification that ends earlier refusals.
 */
export async function followVerification(
  tx: Tx,
  scope: NoticeScope,
  { id: businessId }: { id: string },
  { decision, rule, reason, by }: DecidedBusiness,
): Promise<void> {
  if (decision === 'request-info') return;
  if (decision === 'verify') {
    const refusals = await findRefusals(tx, businessId);
    for (const row of refusals)
      await updateEnded(tx, row, { ending: 'lifted', reason: null, at: scope.clock.now() });
    if (refusals.length === 0) return;
  } else {
    if (rule === null) throw new Error('A refusal names its rule');
    const statement = { measure: 'verification_refused', rule, facts: reason, source: 'staff' } as const;
    await recordSanction(
      tx,
      { ...scope, actor: { accountId: by } },
      { ...statement, businessId, endsAt: null },
    );
  }
  await enqueue(tx, jobsOfSuspendedTask, { businessId, after: null });
}

/** Publishes the refusal of a certificate, or ends earlier ones of its kind once one is confirmed. */
export async function followCertificate(
  tx: Tx,
  scope: NoticeScope,
  { id: certificateId, accountId }: DecidedCertificate,
  { decision, reason, by }: { decision: CertificateDecision; reason: string; by: string },
): Promise<void> {
  if (decision === 'confirm') return liftRefusals(tx, scope, await findEarlierRefusals(tx, certificateId));
  const statement = { ...documentRefused, measure: 'certificate_refused', facts: reason } as const;
  await recordSanction(
    tx,
    { ...scope, actor: { accountId: by } },
    { ...statement, accountId, certificateId },
  );
}

/** Publishes the refusal of an identity document, or ends earlier ones once one is verified. */
export async function followIdentity(
  tx: Tx,
  scope: NoticeScope,
  { id: identityCheckId, accountId }: { id: string; accountId: string },
  { decision, reason, by }: { decision: IdentityDecision; reason: string; by: string },
): Promise<void> {
  if (decision === 'request-info') return;
  if (decision === 'verify') return liftRefusals(tx, scope, await findRefusedIdentities(tx, identityCheckId));
  const statement = { ...documentRefused, measure: 'identity_refused', facts: reason } as const;
  await recordSanction(
    tx,
    { ...scope, actor: { accountId: by } },
    { ...statement, accountId, identityCheckId },
  );
}

/** `identity` is the only rule about documents. */
const documentRefused = { rule: 'identity', source: 'staff', endsAt: null } as const;

/** Ends the refusals of documents that were sent before one that is confirmed (ADR 179). */
async function liftRefusals(tx: Tx, { clock }: ClockScope, refusals: readonly SanctionRow[]): Promise<void> {
  for (const row of refusals) await updateEnded(tx, row, { ending: 'lifted', reason: null, at: clock.now() });
}

export function toSanction(row: SanctionRow, now: Date): Sanction {
  const kind = targetKind(row);
  const chat = row.conversationId;
  const ids = { account: row.accountId, job: row.jobId, business: row.businessId, review: row.reviewId };
  return {
    ...row,
    measure: row.measure,
    target: {
      kind,
      id: {
        ...ids,
        message: chat,
        conversation: chat,
        withdrawal: row.withdrawalId,
        certificate: row.certificateId,
        identity_check: row.identityCheckId,
      }[kind],
      name: targetName(row, kind) ?? '',
    },
    business: row.businessId === null ? null : { id: row.businessId, name: row.businessName ?? '' },
    scope: row.scope,
    rule: row.rule as Sanction['rule'],
    source: row.source,
    decidedAt: row.decidedAt.toISOString(),
    endsAt: row.endsAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    ending: row.ending,
    appeal: appealOf(row),
    appealUntil: appealUntil(row, now)?.toISOString() ?? null,
  };
}

function targetName(row: SanctionRow, kind: SanctionTarget): string | null {
  if (kind === 'account') return row.accountName;
  if (kind === 'business') return row.businessName;
  if (kind === 'certificate') return row.certificateKind;
  if (kind === 'identity_check') return row.identityDocument;
  if (kind !== 'withdrawal') return row.jobTitle;
  return row.bankLast4 ? bankText({ bankName: row.bankName ?? '', last4: row.bankLast4 }) : null;
}

function targetKind(row: SanctionRow): SanctionTarget {
  if (row.reviewId !== null) return 'review';
  if (row.withdrawalId !== null) return 'withdrawal';
  if (row.measure === 'certificate_refused') return 'certificate';
  if (row.measure === 'identity_refused') return 'identity_check';
  if (row.conversationId !== null) return row.seq === null ? 'conversation' : 'message';
  if (row.accountId !== null) return 'account';
  return row.jobTitle !== null ? 'job' : 'business';
}

function appealOf(row: SanctionRow): Appeal | null {
  if (row.appealId === null || row.appealAt === null || row.appealDueAt === null) return null;
  return {
    id: row.appealId,
    words: row.appealWords ?? '',
    at: row.appealAt.toISOString(),
    dueAt: row.appealDueAt.toISOString(),
    outcome: row.appealOutcome,
    reason: row.appealReason,
    decidedAt: row.appealDecidedAt?.toISOString() ?? null,
  };
}

/**
 * The deadline for an appeal, six months after the decision; null if there was one already or the decision was
 * lifted. A sanction that has expired can still be appealed.
 */
export function appealUntil(row: SanctionRow, now: Date): Date | null {
  if (row.appealId !== null || row.ending === 'lifted' || row.ending === 'overturned') return null;
  const until = addMs(row.decidedAt, sanctionLimits.appealDays * dayMs);
  return until > now ? until : null;
}

export const sanctionsTasks = [sanctionExpiryTask, jobsOfSuspendedTask];
