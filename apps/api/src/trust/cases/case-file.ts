import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { DecisionRule } from '@nearhand/contract/operation';
import { type CaseFacts, type ChargebackCase, caseFacts } from '@nearhand/contract/trust/case-facts';
import type { CaseFile, CaseQuestion, ClosedCaseFile, DecisionTerms } from '@nearhand/contract/trust/cases';
import { askableKinds, caseLimits } from '@nearhand/contract/trust/cases.rules';
import { sql } from 'kysely';
import { z } from 'zod';
import { findUnmatched } from '../../money/bank-transfers/bank-transfers.ts';
import { goodwillPaid } from '../../money/corrections/goodwill.ts';
import { reviewBusiness } from '../../people/business-verification/business-decisions.ts';
import { certificateCase } from '../../people/certificates/certificates.ts';
import { identityCase } from '../../people/identity-checks/identity-checks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { openChatReport } from '../../talk/chat-reports/chat-reports.ts';
import { frozenConversation } from '../../talk/chat-reports/frozen.ts';
import { referralCase } from '../../work/referrals/rewards.ts';
import { getAppeal } from '../appeals/appeals.ts';
import { jobInReview } from '../job-reviews/job-reviews.ts';
import { heldPayout, unclaimedMoney } from '../payout-reviews/payout-reviews.ts';
import { getReportCase } from '../reports/report-cases.ts';
import { flaggedReview } from '../reviews/review-removal.ts';
import { entryForStaff } from '../second-approvals/corrections.ts';
import { approvalWithDecision, latestApproval } from '../second-approvals/second-approvals.ts';
import { staffTicket, threadForStaff } from '../tickets/staff-tickets.ts';
import { findTicket, findTicketsOfCase } from '../tickets/tickets.sql.ts';
import { findAuthorityReport, findAuthorityReports } from './authority-reports.ts';
import { type CaseRow, findCase, findEntries, findPeople } from './cases.sql.ts';
import { caseKindsFor, requireOpen, toCaseEntry, toCaseItem } from './cases.ts';
import {
  type Closing,
  decisionIn,
  findLastClosed,
  reasonIn,
  recordClosed,
  statementIn,
  toClosedCase,
} from './closed-cases.ts';
import { findEnded } from './ended-cases.ts';
import { type ChargebackRow, effectOf, findChargeback, payCaseOf } from './pay-case.ts';

type Subject = { kind: CaseKind; subjectId: string };

/** Kinds whose decisions only operators read. */
const isInternal = (kind: CaseKind): boolean =>
  kind === 'second_approval' || kind === 'authority_report' || kind === 'correction';

/** Returns an open case of the caller's roles. */
export async function getCase(
  db: Db,
  scope: Scope,
  input: { kind: CaseKind; subjectId: string },
): Promise<CaseFile> {
  const row = await requireOpen(db, scope, input);
  const facts = await readers[input.kind](db, scope, input.subjectId);
  // The case was decided between the two reads.
  if (!facts) throw new AppError('case/not-found');
  const entries = await findEntries(db, input, caseLimits.notesShown);
  const { kind, subjectId } = input;
  const approval =
    kind === 'dispute' || kind === 'no_show' || kind === 'referral' || kind === 'payout_held'
      ? await latestApproval(db, { kind, subjectId }, scope.clock.now())
      : null;
  const isAskable = askableKinds.some((askable) => askable === kind);
  // Sources of other kinds name operators and reporters after the first person.
  const accountIds = isAskable ? row.accountIds : row.accountIds.slice(0, 1);
  const people = isInternal(kind) ? [] : await findPeople(db, { ...row, accountIds }, caseLimits.peopleMax);
  const questions = isAskable ? await questionsOf(db, input, people) : [];
  return {
    item: toCaseItem(row),
    people,
    questions,
    entries: entries.map(toCaseEntry),
    facts,
    approval,
    authorityReports: await findAuthorityReports(db, input),
  };
}

/** Returns the last decision of a closed case of the caller's roles, or what ended it if no operator decided it. */
export async function closedFile(
  db: Db,
  scope: Scope,
  input: { kind: CaseKind; subjectId: string },
): Promise<ClosedCaseFile> {
  const { accountId } = scope.actor;
  const kinds = await caseKindsFor(db, accountId);
  if (!kinds.includes(input.kind)) throw new AppError('case/not-found');
  const row = await findLastClosed(db, accountId, input);
  const closedCase = row ? { item: toClosedCase(row), ended: null } : await findEnded(db, accountId, input);
  if (!closedCase) throw new AppError('case/not-found');
  const entries = await findEntries(db, input, caseLimits.notesShown);
  const facts = await closedFacts(db, scope, input, row?.facts);
  return {
    ...closedCase,
    entries: entries.map(toCaseEntry),
    questions: await questionsOf(db, input, []),
    authorityReports: await findAuthorityReports(db, input),
    facts,
    factsGone: facts ? null : (row?.factsGone ?? (input.kind === 'ticket' ? 'removed' : 'not-kept')),
  };
}

/** The evidence as it was stored with the decision; a request's thread as it is now, since it continues. */
async function closedFacts(
  db: Db,
  scope: Scope,
  { kind, subjectId }: Subject,
  stored: unknown,
): Promise<CaseFacts | null> {
  if (kind !== 'ticket') return caseFacts.safeParse(stored).data ?? null;
  // The requests of a removed account are deleted; their cases stay.
  return (await findTicket(db, subjectId)) ? ((await readers.ticket(db, scope, subjectId)) ?? null) : null;
}

/**
 * Reads a case before an operator's write, outside its transaction, because some facts are found by rehearsing (ADR
 * 394). Returns what records it after the write, with the evidence if the write is a decision. A decision that a second operator approves closes the case it is about too.
 */
export async function watchCase(
  db: Db,
  scope: Scope,
  call: { row: CaseRow; subject: Subject; rule: DecisionRule; input: unknown; hasClaim: boolean },
): Promise<(tx: Tx) => Promise<void>> {
  const { row, subject, rule, input, hasClaim } = call;
  const by = scope.actor.accountId;
  const facts = hasClaim ? await factsBefore(db, scope, subject) : null;
  const approvedCase = facts?.kind === 'second_approval' ? await closingByApproval(db, scope, facts) : null;
  const outcome = { decision: decisionIn(rule, input), reason: reasonIn(rule, input) };
  const terms = hasClaim ? await agreedTerms(db, scope, { rule, facts, input }) : null;
  return async (tx) => {
    await recordClosed(tx, scope, { row, subject, by, outcome, terms, facts });
    if (approvedCase) await recordClosed(tx, scope, approvedCase);
  };
}

/**
 * The facts on which a case is decided, for its record. Null for a ticket, whose messages stay readable, and for a case
 * that the operator may not read, because its decision then fails by itself.
 */
async function factsBefore(db: Db, scope: Scope, { kind, subjectId }: Subject): Promise<CaseFacts | null> {
  if (kind === 'ticket') return null;
  try {
    const facts = await readers[kind](db, scope, subjectId);
    // Drops columns that the console does not get.
    return facts ? caseFacts.parse(facts) : null;
  } catch (failure) {
    if (failure instanceof AppError) return null;
    throw failure;
  }
}

/** The results of a decision: the effect of the pay it names, and its statement of reasons. */
async function agreedTerms(
  db: Db,
  scope: Scope,
  { rule, facts, input }: { rule: DecisionRule; facts: CaseFacts | null; input: unknown },
): Promise<DecisionTerms> {
  const statement = statementIn(rule, input);
  if (facts?.kind !== 'dispute' && facts?.kind !== 'no_show') return { ...statement, pay: null };
  const { amountMinor } = input as { amountMinor?: number };
  const total = z
    .int()
    .min(0)
    .max(facts.maxMinor)
    .safeParse(amountMinor ?? 0).data;
  // An impossible amount is refused by the decision itself.
  const pay = total === undefined ? null : await effectOf(db, scope, facts.engagementId, total);
  return { ...statement, pay };
}

/** The case that an approval closes, as decided by the operator who asked for it; null for goodwill and credit limits. */
async function closingByApproval(
  db: Db,
  scope: Scope,
  { approval, pay }: SecondApprovalFacts,
): Promise<Closing | null> {
  const { kind, subjectId, reason, requestedBy } = approval;
  if (kind === 'goodwill' || kind === 'correction' || kind === 'credit_limit') return null;
  const subject = { kind, subjectId };
  const row = await findCase(db, requestedBy.id, subject);
  if (!row) return null;
  const decisions = {
    dispute: 'decide',
    no_show: pay?.outcome ?? '',
    referral: 'pay',
    payout_held: 'release',
  };
  const outcome = { decision: decisions[kind], reason };
  const terms = { pay: pay?.effect ?? null, rule: null, statement: null, scope: null, endsAt: null };
  return { row, subject, by: requestedBy.id, outcome, terms, facts: await factsBefore(db, scope, subject) };
}

async function questionsOf(
  db: Db,
  subject: { kind: CaseKind; subjectId: string },
  people: CaseFile['people'],
): Promise<CaseQuestion[]> {
  const rows = await findTicketsOfCase(db, subject);
  return Promise.all(
    rows.map(async (row) => {
      const { id: ticketId, status, dueAt, messages } = await threadForStaff(db, row);
      const to = people.find(({ accountId }) => accountId === row.accountId);
      return {
        ticketId,
        // Someone who has left the business since.
        to: to ?? { accountId: row.accountId ?? '', name: row.name, side: 'worker', language: null },
        status,
        dueAt: dueAt ?? '',
        messages,
      };
    }),
  );
}

type Reader<Kind extends CaseKind> = (
  db: Db,
  scope: Scope,
  subjectId: string,
) => Promise<Extract<CaseFacts, { kind: Kind }> | undefined>;

const readers: { [Kind in CaseKind]: Reader<Kind> } = {
  dispute: async (db, scope, subjectId) => {
    const payCase = await payCaseOf(db, scope, { kind: 'dispute', subjectId });
    return payCase && { kind: 'dispute', ...payCase };
  },
  no_show: async (db, scope, subjectId) => {
    const payCase = await payCaseOf(db, scope, { kind: 'no_show', subjectId });
    return payCase && { kind: 'no_show', ...payCase };
  },
  chat_report: async (db, scope, subjectId) => {
    const report = await openChatReport(db, scope, subjectId);
    return report && { kind: 'chat_report', report };
  },
  frozen_chat: async (db, scope, subjectId) => {
    const frozen = await frozenConversation(db, scope, subjectId);
    return frozen && { kind: 'frozen_chat', frozen };
  },
  report: async (db, scope, reportCaseId) => ({
    kind: 'report',
    reported: await getReportCase(db, scope, { reportCaseId }),
  }),
  appeal: async (db, scope, appealId) => ({
    kind: 'appeal',
    appeal: await getAppeal(db, scope, { appealId }),
  }),
  flagged_review: async (db, _scope, subjectId) => {
    const review = await flaggedReview(db, subjectId);
    return review && { kind: 'flagged_review', review };
  },
  job_review: async (db, scope, jobId) => {
    const review = await jobInReview(db, scope, jobId);
    return review && { kind: 'job_review', review };
  },
  ticket: async (db, scope, ticketId) => ({
    kind: 'ticket',
    ticket: await staffTicket(db, scope, { ticketId }),
  }),
  referral: async (db, _scope, subjectId) => {
    const referral = await referralCase(db, subjectId);
    return referral && { kind: 'referral', referral };
  },
  business_verification: async (db, scope, businessId) => ({
    kind: 'business_verification',
    review: await reviewBusiness(db, scope, { businessId }),
  }),
  identity: async (db, scope, checkId) => {
    const check = await identityCase(db, scope, checkId);
    return check && { kind: 'identity', check };
  },
  certificate: async (db, scope, certificateId) => {
    const certificate = await certificateCase(db, scope, certificateId);
    return certificate && { kind: 'certificate', certificate };
  },
  chargeback: async (db, _scope, subjectId) => {
    const row = await findChargeback(db, subjectId);
    return row && { kind: 'chargeback', chargeback: toChargebackCase(row) };
  },
  payout_held: async (db, scope, subjectId) => {
    const payout = await heldPayout(db, scope, subjectId);
    return payout && { kind: 'payout_held', held: payout };
  },
  unclaimed: async (db, scope, ownerId) => {
    const unclaimed = await unclaimedMoney(db, scope, ownerId);
    return unclaimed && { kind: 'unclaimed', unclaimed };
  },
  bank_payment: async (db, _scope, bankPaymentId) => {
    const payment = await findUnmatched(db, bankPaymentId);
    return payment && { kind: 'bank_payment', payment };
  },
  second_approval: secondApprovalFacts,
  authority_report: async (db, _scope, subjectId) => {
    const report = await findAuthorityReport(db, subjectId);
    return report && { kind: 'authority_report', report };
  },
  correction: async (db, scope, subjectId) => {
    const approval = await approvalWithDecision(db, subjectId, scope.clock.now());
    if (!approval) return undefined;
    const { entry, correction } = await entryForStaff(db, scope, { entryId: approval.approval.subjectId });
    return correction ? { kind: 'correction', approval: approval.approval, entry, correction } : undefined;
  },
};

type SecondApprovalFacts = Extract<CaseFacts, { kind: 'second_approval' }>;

async function secondApprovalFacts(
  db: Db,
  scope: Scope,
  approvalId: string,
): Promise<SecondApprovalFacts | undefined> {
  const decided = await approvalWithDecision(db, approvalId, scope.clock.now());
  if (!decided) return undefined;
  const { approval, decision } = decided;
  const { kind, subjectId } = approval;
  const referral = kind === 'referral' ? ((await referralCase(db, subjectId)) ?? null) : null;
  const payout = kind === 'payout_held' ? ((await heldPayout(db, scope, subjectId)) ?? null) : null;
  if (kind !== 'dispute' && kind !== 'no_show') {
    const recipient =
      kind === 'goodwill' || kind === 'credit_limit' ? await findRecipient(db, subjectId) : null;
    const earlierGoodwill = kind === 'goodwill' && recipient ? await goodwillPaid(db, recipient) : [];
    return {
      kind: 'second_approval',
      approval,
      pay: null,
      referral,
      held: payout,
      recipient,
      earlierGoodwill,
    };
  }
  const facts = await payCaseOf(db, scope, { kind, subjectId });
  if (!facts) return undefined;
  const effect = await effectOf(db, scope, facts.engagementId, decision.amountMinor ?? 0);
  const outcome = decision.outcome === 'worked' || decision.outcome === 'absent' ? decision.outcome : null;
  return {
    kind: 'second_approval',
    approval,
    pay: { ...facts, outcome, effect },
    referral,
    held: payout,
    recipient: null,
    earlierGoodwill: [],
  };
}

async function findRecipient(db: Db, id: string): Promise<SecondApprovalFacts['recipient']> {
  const { rows } = await sql<NonNullable<SecondApprovalFacts['recipient']>>`
    select 'person' as kind, id, name from accounts where id = ${id}
    union all select 'business', id, name from businesses where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

const toChargebackCase = (row: ChargebackRow): ChargebackCase => ({
  chargeId: row.id,
  business: { id: row.businessId, name: row.businessName },
  purpose: row.purpose,
  description: row.description,
  currency: row.currency,
  amountMinor: row.amountMinor,
  chargebackMinor: row.chargebackMinor,
  borneMinor: row.borneMinor,
  providerRef: row.providerRef,
  engagementId: row.engagementId,
  chargedAt: row.createdAt.toISOString(),
});
