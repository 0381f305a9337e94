import type { CaseKind } from '@nearhand/contract/case-kinds';
import { minuteMs } from '@nearhand/contract/durations';
import { isId } from '@nearhand/contract/ids';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import type { LoggedCall } from '@nearhand/contract/trust/operator-log';
import { ApiError, type ApiErrorCode } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { csvOf } from '../../lib/forms/csv.ts';
import { allOf, formatDay, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { decisionLabel } from '../case/decisions.ts';
import { caseKindText, codeText } from '../queue/case.labels.ts';

/**
 * The verb phrase of each operation, shown after the operator's name. `{case}` is the case with whom it concerns, `{who}`
 * the records of the call.
 */
const sentences: Record<string, string> = {
  'GET /operators/cases/{kind}/{subjectId}': 'opened {case}',
  'GET /operators/cases/{kind}/{subjectId}/decision': 'read the decision of {case}',
  'GET /operators/cases/{kind}/{subjectId}/chat': 'read the chat of {case}',
  'GET /operators/cases/{kind}/{subjectId}/preview': 'previewed a decision of {case}',
  'POST /operators/cases/{kind}/{subjectId}/claim': 'claimed {case}',
  'POST /operators/cases/{kind}/{subjectId}/release': 'released {case}',
  'POST /operators/cases/{kind}/{subjectId}/hand-over': 'handed over {case}',
  'POST /operators/cases/{kind}/{subjectId}/notes': 'wrote a note in {case}',
  'POST /operators/cases/{kind}/{subjectId}/questions': 'asked a side of {case}',
  'POST /operators/cases/{kind}/{subjectId}/authority-reports': 'reported {case} to an authority',
  'POST /operators/cases/{kind}/{subjectId}/authority-reports/{authorityReportId}/reference':
    'recorded an authority’s reference for {case}',
  'POST /operators/authority-reports/{authorityReportId}/decide':
    'confirmed or refused a colleague’s report to an authority',
  'POST /operators/cases/{kind}/{subjectId}/priority': 'changed the priority of {case}',
  'GET /operators/cases/{kind}/{subjectId}/approval': 'checked whether a decision of {case} was approved',
  'POST /operators/cases/{kind}/{subjectId}/second-approval':
    'asked a second person to approve a decision of {case}',
  'POST /operators/cases/{kind}/{subjectId}/approval':
    'approved or refused a colleague’s decision about {who}',
  'POST /operators/second-approvals/{approvalId}/withdraw': 'withdrew a request for approval',
  'POST /operators/case-views': 'saved a view of the queue',
  'DELETE /operators/case-views/{viewId}': 'removed a view of the queue',
  'POST /operators/case-assignments': 'assigned cases to {who}',
  'DELETE /operators/case-assignments/{assignmentId}': 'removed a rule that assigns cases',
  'GET /operators/search': 'searched for people or records',
  'GET /operators/search/{kind}/{id}': 'opened {who}',
  'GET /operators/search/{kind}/{id}/timeline': 'read the timeline of {who}',
  'GET /operators/entries': 'looked up payments of {who}',
  'GET /operators/entries/{entryId}': 'opened a ledger entry',
  'GET /operators/goodwill/{kind}/{recipientId}': 'checked how much goodwill {who} can get',
  'POST /operators/goodwill/{kind}/{recipientId}': 'gave goodwill to {who}',
  'GET /operators/credit-limits': 'listed credit limits',
  'GET /operators/credit-limits/{businessId}': 'looked up the credit limit of {who}',
  'PUT /operators/credit-limits/{businessId}': 'set the credit limit of {who}',
  'POST /operators/corrections': 'asked to reverse a payment',
  'GET /operators/chargebacks/{chargeId}/evidence': 'read the record for a chargeback of {who}',
  'POST /operators/chargebacks/{chargeId}/answers': 'answered a chargeback of {who}',
  'GET /operators/tickets/{ticketId}': 'read a request',
  'POST /operators/tickets/{ticketId}/merge': 'merged two requests of {who}',
  'POST /operators/tickets/{ticketId}/messages': 'answered a request of {who}',
  'POST /operators/tickets/{ticketId}/solve': 'closed a request of {who}',
  'POST /operators/reports/{reportId}/decide': 'decided a reported conversation',
  'POST /operators/report-cases/{reportCaseId}/decide': 'decided a report about {who}',
  'POST /operators/conversations/{conversationId}/unfreeze': 'unfroze a conversation',
  'POST /operators/appeals/{appealId}/decide': 'decided an appeal of {who}',
  'POST /operators/sanctions': 'warned, hid or suspended {who}',
  'GET /operators/sanctions/{sanctionId}/reversal': 'checked what lifting a decision would do',
  'POST /operators/sanctions/{sanctionId}/lift': 'lifted a decision',
  'POST /operators/reviews/{reviewId}/keep': 'kept a flagged review',
  'POST /operators/reviews/{reviewId}/remove': 'removed a review',
  'POST /operators/job-reviews/{jobId}/open': 'opened a checked job: {who}',
  'POST /operators/job-reviews/{jobId}/refuse': 'refused a checked job: {who}',
  'POST /operators/identity-checks/{checkId}/decide': 'decided an identity document of {who}',
  'POST /operators/certificates/{certificateId}/decide': 'decided a certificate of {who}',
  'GET /operators/businesses/{businessId}/verification': 'read what {who} sent to be verified',
  'POST /operators/businesses/{businessId}/verification/decide': 'decided the verification of {who}',
  'POST /operators/payout-reviews/{withdrawalId}/release': 'sent a held withdrawal of {who}',
  'POST /operators/payout-reviews/{withdrawalId}/refuse': 'refused a held withdrawal of {who}',
  'POST /operators/referrals/{referralId}/decide': 'decided a reward for {who}',
  'POST /operators/unclaimed-money/{ownerId}/refund': 'refunded unclaimed money of {who}',
  'POST /operators/unclaimed-money/{ownerId}/page':
    'made a link for {who} to enter a bank account at the provider',
  'GET /operators/unclaimed-money/{ownerId}/banks': 'read the bank accounts of {who} at the provider',
  'POST /operators/unclaimed-money/{ownerId}/withdrawal': 'paid out unclaimed money of {who}',
  'POST /operators/accounts/{accountId}/end-sessions': 'signed out {who} everywhere',
  'POST /operators/failed-tasks/{taskId}/retry': 'started a failed task again',
  'POST /operators/team/changes': 'asked another owner to change an operator',
  'POST /operators/team/changes/{changeId}/decide': 'decided about a change of {who} as an operator',
  'POST /operators/team/changes/{changeId}/withdraw': 'withdrew a change of {who} as an operator',
  'POST /operators/macros': 'saved a shared answer',
  'DELETE /operators/macros/{macroId}': 'removed a shared answer',
  'POST /operators/service-messages': 'posted a service message',
  'POST /operators/service-messages/{messageId}/end': 'ended a service message',
  // Reads of the queue were logged once.
  'GET /operators/cases': 'read the queue',
  'GET /operators/cases/counts': 'read the queue',
  'GET /operators/closed-cases': 'read the closed cases',
  'GET /operators/colleagues': 'read the list of operators',
  'GET /operators/health': 'read the health page',
  'GET /operators/service-messages': 'read the service messages',
  'GET /operators/failed-tasks': 'read the failed tasks',
  'GET /operators/failed-refunds': 'read the failed refunds',
  'GET /operators/log': 'read this log',
  'GET /operators/log/verification': 'checked this log',
  'GET /operators/transparency/report': 'read the transparency report',
  'GET /operators/transparency/statements': 'exported statements of reasons',
  'POST /operators/bank-statements': 'imported a bank statement',
  'POST /operators/bank-payments/{bankPaymentId}/assignment': 'added a bank transfer to a balance',
  'POST /operators/bank-payments/{bankPaymentId}/return': 'marked a bank transfer as sent back',
  'POST /operators/seller-reports': 'made the report to the tax office',
  'GET /operators/seller-reports/{sellerReportId}/missing':
    'read who is missing in the report to the tax office',
  'GET /operators/seller-reports/{sellerReportId}/file': 'downloaded the report to the tax office',
  'POST /operators/seller-reports/{sellerReportId}/sent': 'marked the report to the tax office as sent',
  'POST /disputes/{disputeId}/decision': 'decided a pay dispute of {who}',
  'POST /engagements/{engagementId}/no-show/decision': 'decided a contested no-show of {who}',
};

/** The same for calls that asked another operator to approve. */
const approvalSentences: Record<string, string> = {
  'POST /operators/goodwill/{kind}/{recipientId}': 'asked a second person to approve goodwill for {who}',
  'PUT /operators/credit-limits/{businessId}': 'asked a second person to approve a credit limit of {who}',
};

/** Calls whose effect another operator decides, apart from those with `asksApproval`. */
const awaitsAnother: Record<string, string> = {
  'POST /operators/team/changes': 'Another owner decides',
  'POST /operators/cases/{kind}/{subjectId}/authority-reports': 'Recorded. Another operator confirms it',
};

/** The sentence of an operation; a call outside the console reads or changes a record by its plain address. */
export const sentenceOf = (operation: string): string =>
  sentences[operation] ??
  (operation.includes('/files/')
    ? 'opened a file of {who}'
    : operation.startsWith('GET ')
      ? 'read {who}'
      : 'changed {who}');

/** The words between a kind of case and whom it concerns, where these are not the people it belongs to. */
const linkTo: Partial<Record<CaseKind, string>> = {
  report: ' about ',
  authority_report: ' about ',
  business_verification: ', ',
  job_review: ', ',
  second_approval: ' about ',
  correction: ' about ',
  payout_held: ' for ',
};

export const hasSentence = (operation: string): boolean => operation in sentences;

/** "opened the pay dispute of Leila Haddad and Café Zilverlinde" */
export function callText(call: CallLine): string {
  // The request itself is the case, so its author is who the call is about.
  const people =
    call.case?.kind === 'ticket' ? call.subjects.filter(({ kind }) => kind !== 'ticket') : call.subjects;
  const names = [...new Set(people.map(({ name }) => name))];
  const nameless = call.case?.kind === 'ticket' ? 'a guest' : 'a record';
  const who = names.length === 0 ? nameless : allOf(names);
  const kind = call.case && caseKindText[call.case.kind].one.toLowerCase();
  const link = (call.case && linkTo[call.case.kind]) ?? ' of ';
  const subject = kind ? `the ${kind}${names.length === 0 ? '' : `${link}${who}`}` : 'a case';
  const approvalSentence = call.asksApproval ? approvalSentences[call.operation] : undefined;
  const sentence = call.opening
    ? 'claimed and opened {case}'
    : (approvalSentence ?? sentenceOf(call.operation));
  // A replacement given as text would read "$&" in a name as a pattern.
  return sentence.replace('{case}', () => subject).replace('{who}', () => who);
}

/** No call runs this long, so one without an outcome by then was cut off. */
const longestCall = 10 * minuteMs;

/**
 * The outcome of a call: "Decision upheld", "Refused: …" with the error's text; null for a read that was
 * answered.
 */
export function outcomeText(call: LoggedCall, now: Date): string | null {
  const { at, operation, result, decision, case: caseRef } = call;
  // The page's own call, which has no outcome before the page is shown.
  if (result === null && operation === 'GET /operators/log') return null;
  if (result === null)
    return now.getTime() - Date.parse(at) < longestCall
      ? 'Still running'
      : 'Not known, because the server stopped before the call ended';
  if (result !== 'done') return `Refused: ${errorText(new ApiError(result as ApiErrorCode))}`;
  if (operation.startsWith('GET ')) return null;
  if (call.asksApproval)
    return `Nothing yet: another operator decides${decision === null || !caseRef ? '' : ` about “${decisionLabel(caseRef.kind, decision)}”`}`;
  if (awaitsAnother[operation]) return awaitsAnother[operation];
  if (decision === null) return 'Done';
  return caseRef ? decisionLabel(caseRef.kind, decision) : codeText(decision);
}

/** The last id in the address of a record, of a case or of the log about a record; otherwise the text itself. */
export const idIn = (typed: string): string => {
  const text = typed.trim().toLowerCase();
  return text.split(/[/?#&=]/).findLast(isId) ?? text;
};

const opening = 'GET /operators/cases/{kind}/{subjectId}';
const claiming = 'POST /operators/cases/{kind}/{subjectId}/claim';

/** A call as the page shows it. `opening`: the number of the claim's first look at its case, shown on the same line. */
export type CallLine = LoggedCall & { opening?: number };

/** Puts a claim and the look at the case that it leads to on one line. Newest first, as the log. */
export function mergeOpenings(calls: readonly LoggedCall[]): CallLine[] {
  const isSameCase = (call: LoggedCall, next: LoggedCall | undefined) =>
    call.operator.id === next?.operator.id && call.case?.subjectId === next.case?.subjectId;
  return calls.flatMap((call, index) => {
    const [newer, older] = [calls[index - 1], calls[index + 1]];
    if (call.operation === opening && older?.operation === claiming && isSameCase(call, older)) return [];
    const isOpened = call.operation === claiming && newer?.operation === opening && isSameCase(call, newer);
    return [isOpened ? { ...call, opening: newer.no } : call];
  });
}

/** The calls as CSV, for a spreadsheet. */
export function callsCsv(calls: readonly LoggedCall[], now: Date): Blob {
  const head = [
    'No.',
    'Time (UTC)',
    'Operator',
    'What',
    'Outcome',
    'About',
    'Case',
    'Reason',
    'Ids',
    'Operation',
  ];
  const rows = calls.map((call) => [
    String(call.no),
    call.at,
    call.operator.name,
    callText(call),
    outcomeText(call, now) ?? 'Shown',
    call.subjects.map(({ name }) => name).join('; '),
    call.case ? `${caseKindText[call.case.kind].one} ${caseNumber(call.case)}` : '',
    call.reason ?? '',
    [call.case?.subjectId, ...call.subjectIds]
      .filter((id, at, ids) => id && ids.indexOf(id) === at)
      .join(' '),
    call.operation,
  ]);
  return csvOf([head, ...rows]);
}

export const callTime = (call: LoggedCall): string => formatTime(call.at, ownTimeZone());

export const callDay = (call: LoggedCall): string => formatDay(call.at, ownTimeZone(), { style: 'long' });
