import { type CaseKind, caseKindTable } from '@nearhand/contract/case-kinds';
import { isId } from '@nearhand/contract/ids';
import type { OperatorRule } from '@nearhand/contract/operation';
import { isCaseKind, readOperatorHeaders } from '@nearhand/contract/operator-context';
import { type OperatorRole, operatorMay } from '@nearhand/contract/operator-roles';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import type { OperatorCall, OperatorPass } from '../../platform/http/access.ts';
import type { WatchDecision } from '../../platform/http/scope.ts';
import type { Sign } from '../../platform/sign.ts';
import { watchCase } from '../cases/case-file.ts';
import { type CaseRow, findCase, findClaimer } from '../cases/cases.sql.ts';
import { decisionIn } from '../cases/closed-cases.ts';
import { rolesOf } from '../operators/operators.ts';
import { logCall, logOutcome } from './operator-log.ts';

type Subject = { kind: CaseKind; subjectId: string };

const idsMax = 100;
const claiming = 'POST /operators/cases/{kind}/{subjectId}/claim';

/**
 * Checks roles, claim or reason of an operator's call and logs it (ADR 176). Other operations need a case or
 * a reason.
 * @throws operator/role-required, operator/reason-required, case/claim-required, case/not-found for an operation
 * about open cases only, request/invalid for a malformed header or case
 */
export async function passOperatorGate(
  db: Db,
  scope: { clock: Clock; sign: Sign },
  call: OperatorCall,
): Promise<OperatorPass> {
  const { accountId, rule } = call;
  const context = readOperatorHeaders(call.headers);
  if (!context)
    throw new AppError('request/invalid', { issues: [{ path: 'headers', message: 'case or reason' }] });
  const roles = await rolesOf(db, accountId);
  if (rule && !operatorMay(roles, rule.may)) throw new AppError('operator/role-required');
  const ruleSubject = rule && subjectOf(rule, call.input);
  const subject = ruleSubject ?? context.case ?? null;
  const parties = subject && (await casePartiesOf(db, accountId, subject));
  // Before a reason is required: a closed case can't be claimed, and is read by `cases.decided`.
  if (rule?.needs === 'reason' && rule.case === 'input' && !rule.closed && !parties?.row)
    throw new AppError('case/not-found');
  requireGrounds({
    needs: rule?.needs ?? 'reason',
    subject,
    parties,
    accountId,
    roles,
    reason: context.reason,
    mayBeClosed: rule?.closed === true,
  });
  const { input, operation } = call;
  const open = parties?.row;
  const watchDecision: WatchDecision | null =
    open && subject
      ? (before, scope) =>
          watchCase(before, scope, { row: open, subject, operation, input, decides: rule?.needs === 'claim' })
      : null;
  // During work the queue refetches data without names, which would bury the other entries.
  const isRead = call.operation.startsWith('GET ');
  const unlogged = { watchDecision, finish: null };
  if (rule?.needs === 'nothing' && isRead && !(call.byHand && rule.may === 'log')) return unlogged;
  // The operation refuses it, and shows nothing of the case.
  const isRefusedClaim = operation === claiming && parties?.claimedBy && parties.claimedBy !== accountId;
  if (isRefusedClaim) return unlogged;
  const no = await logCall(db, scope, {
    accountId,
    operation: call.operation,
    subjectIds: [
      ...new Set([...idsIn(call.input), ...(subject ? [subject.subjectId] : []), ...(parties?.ids ?? [])]),
    ],
    caseKind: subject?.kind ?? null,
    caseSubject: subject?.subjectId ?? null,
    reason: context.reason ?? null,
  });
  const decision = isRead ? null : decisionIn(input);
  return { watchDecision, finish: (result) => logOutcome(db, scope, { no, result, decision }) };
}

/**
 * Refuses input that names no valid case, so that no other reading of it can follow.
 * @throws request/invalid
 */
function subjectOf(rule: OperatorRule, input: unknown): Subject | null {
  if (!rule.case) return null;
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  const [kind, subjectId] =
    rule.case === 'input' ? [fields.kind, fields.subjectId] : [rule.case.kind, fields[rule.case.id]];
  if (!isCaseKind(kind) || !isId(subjectId))
    throw new AppError('request/invalid', { issues: [{ path: 'subjectId', message: 'no case' }] });
  return { kind, subjectId };
}

type Grounds = {
  needs: OperatorRule['needs'];
  subject: Subject | null;
  parties: CaseParties | null;
  accountId: string;
  roles: readonly OperatorRole[];
  reason: string | undefined;
  mayBeClosed: boolean;
};

function requireGrounds({ needs, subject, parties, accountId, roles, reason, mayBeClosed }: Grounds): void {
  if (needs === 'nothing') return;
  const isClaimed = parties?.claimedBy === accountId;
  if (needs === 'claim') {
    if (!isClaimed) throw new AppError('case/claim-required');
    return;
  }
  const isInRole = subject !== null && operatorMay(roles, caseKindTable[subject.kind].may);
  if (isClaimed && (parties?.isOpen || mayBeClosed) && isInRole) return;
  if (reason === undefined) throw new AppError('operator/reason-required');
}

function idsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.values(input).flat().filter(isId).slice(0, idsMax);
}

/** `ids`: accounts and business the case concerns; empty once it is closed. */
type CaseParties = { isOpen: boolean; claimedBy: string | null; ids: string[]; row?: CaseRow };

/** A claim outlives its case, so that a repeated decision gets its response. */
async function casePartiesOf(
  db: Db,
  accountId: string,
  subject: { kind: CaseKind; subjectId: string },
): Promise<CaseParties> {
  const row = await findCase(db, accountId, subject);
  if (!row) return { isOpen: false, claimedBy: await findClaimer(db, subject), ids: [] };
  return {
    isOpen: !row.isOwn,
    claimedBy: row.claimedBy,
    ids: [...row.accountIds, ...(row.businessId === null ? [] : [row.businessId])],
    row,
  };
}
