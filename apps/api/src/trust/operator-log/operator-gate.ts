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

/**
 * Checks roles, claim or reason of an operator's call and logs it (ADR 176), with its refusal too. Other operations
 * need a case or a reason.
 * @throws operator/role-required, operator/reason-required, case/claim-required, case/not-found for an operation
 * about open cases only, request/invalid for a malformed header or case
 */
export async function passOperatorGate(
  db: Db,
  scope: { clock: Clock; sign: Sign },
  call: OperatorCall,
): Promise<OperatorPass> {
  const { accountId, rule, input, operation } = call;
  const context = readOperatorHeaders(call.headers);
  if (!context)
    throw new AppError('request/invalid', { issues: [{ path: 'headers', message: 'case or reason' }] });
  const log = (subject: Subject | null, parties: CaseParties | null): Promise<number> =>
    logCall(db, scope, {
      accountId,
      operation,
      subjectIds: [
        ...new Set([...idsIn(input), ...(subject ? [subject.subjectId] : []), ...(parties?.ids ?? [])]),
      ],
      caseKind: subject?.kind ?? null,
      caseSubject: subject?.subjectId ?? null,
      reason: context.reason ?? null,
    });
  const roles = await rolesOf(db, accountId);
  if (rule && !operatorMay(roles, rule.may)) {
    await logOutcome(db, scope, {
      no: await log(null, null),
      result: 'operator/role-required',
      decision: null,
    });
    throw new AppError('operator/role-required');
  }
  const ruleSubject = rule && loggedSubject(rule, input);
  const subject = ruleSubject ?? context.case ?? null;
  const parties = subject && (await casePartiesOf(db, accountId, subject));
  // Before a reason is required: a closed case can't be claimed, and is read by `cases.decided`.
  if (rule?.needs === 'reason' && rule.case === 'input' && !rule.closed && !parties?.row)
    throw new AppError('case/not-found');
  const lacking = lackingGround({
    needs: rule?.needs ?? 'reason',
    subject,
    parties,
    accountId,
    roles,
    reason: context.reason,
    mayBeClosed: rule?.closed === true,
  });
  const isRead = operation.startsWith('GET ');
  if (lacking) {
    // The reader of a page is asked for a reason, which is no refusal.
    if (!(isRead && lacking === 'operator/reason-required'))
      await logOutcome(db, scope, { no: await log(subject, parties), result: lacking, decision: null });
    throw new AppError(lacking);
  }
  const open = parties?.row;
  const decides = rule?.decides;
  const watchDecision: WatchDecision | null =
    open && subject && decides
      ? (before, scope) =>
          watchCase(before, scope, {
            row: open,
            subject,
            rule: decides,
            input,
            hasClaim: rule.needs === 'claim',
          })
      : null;
  // The queue refetches data without names all the time, which would bury the other entries.
  if (rule?.needs === 'nothing' && isRead && !(call.byHand && rule.may === 'log'))
    return { watchDecision, finish: null };
  const no = await log(subject, parties);
  // The operation says it where it always makes the same decision, or only adds to an answer.
  const decision =
    decides && typeof decides.decision === 'object' && 'field' in decides.decision
      ? decisionIn(decides, input)
      : null;
  return { watchDecision, finish: (result) => logOutcome(db, scope, { no, result, decision }) };
}

/**
 * Refuses input that names no valid case, so that no other reading of it can follow.
 * @throws request/invalid
 */
function loggedSubject(rule: OperatorRule, input: unknown): Subject | null {
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

/** The refusal of a call without the claim or reason that it needs; null for any other. */
function lackingGround({ needs, subject, parties, accountId, roles, reason, mayBeClosed }: Grounds) {
  if (needs === 'nothing') return null;
  const isClaimed = parties?.claimedBy === accountId;
  if (needs === 'claim') return isClaimed ? null : 'case/claim-required';
  const isInRole = subject !== null && operatorMay(roles, caseKindTable[subject.kind].may);
  if (isClaimed && (parties?.isOpen || mayBeClosed) && isInRole) return null;
  return reason === undefined ? 'operator/reason-required' : null;
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
