import type { OperatorCase } from '@nearhand/contract/trust/operators';
import { workedBounds } from '@nearhand/contract/work/pay.rules';
import { quoteRelease } from '../../money/holds/release-quotes.service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { decideChatReport, openChatReports } from '../../talk/chat-reports/chat-reports.service.ts';
import { frozenConversations, liftFreeze } from '../../talk/chat-reports/frozen.service.ts';
import { proposalOf } from '../../work/engagements/dispute-view.service.ts';
import { attendanceOf, claimsOf } from '../../work/engagements/engagement-record.service.ts';
import { payBoundsOf } from '../../work/settlement/pay-bounds.service.ts';
import {
  endServiceMessage,
  listServiceMessages,
  postMessage,
} from '../service-status/service-status.service.ts';
import { answerTicket, closeTicket, openTickets, staffTicket } from '../tickets/staff-tickets.service.ts';
import {
  type CaseRow,
  endOperator,
  findAppointee,
  findCases,
  findIsOperator,
  findOperators,
  insertOperator,
} from './operators.sql.ts';

/**
 * Cases that need a decision, oldest first: disputes out of time and contested no-shows. Never cases the caller is part of.
 * @throws request/bad-cursor
 */
export async function openCases(
  db: Db,
  scope: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: OperatorCase[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findCases(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.since.toISOString(), row.engagement_id]);
  const items: OperatorCase[] = [];
  for (const row of page.items) items.push(await caseOf(db, row));
  return { items, nextCursor: page.nextCursor };
}

async function caseOf(db: Db, row: CaseRow): Promise<OperatorCase> {
  const { terms } = row;
  const bounds =
    row.what === 'dispute'
      ? await payBoundsOf(db, { id: row.engagement_id, terms })
      : workedBounds(terms.payTotalMinor);
  return {
    what: row.what,
    engagementId: row.engagement_id,
    engagementStatus: row.status,
    disputeId: row.dispute_id,
    version: row.version,
    since: row.since.toISOString(),
    stopAt: row.stop_at?.toISOString() ?? null,
    kind: terms.kind,
    title: terms.title,
    timeZone: terms.timeZone,
    startsAt: row.starts_at?.toISOString() ?? null,
    endsAt: row.ends_at?.toISOString() ?? null,
    worker: { id: row.worker_id, name: row.worker_name },
    business: { id: row.business_id, name: row.business_name },
    currency: terms.currency,
    plannedMinor: terms.payTotalMinor,
    workerAmountMinor: row.worker_amount_minor,
    businessAmountMinor: row.business_amount_minor,
    proposal: proposalOf(row),
    ...bounds,
    heldMinor: (await quoteRelease(db, row.engagement_id, null)).heldMinor,
    funding: row.funding,
    reason: row.reason,
    steps: row.steps,
    attendance: await attendanceOf(db, row.engagement_id),
    claims: await claimsOf(db, row.engagement_id),
  };
}

/** Open conversation reports with their messages, oldest first, except those the caller is part of. @throws request/bad-cursor */
export const openReports = openChatReports;

/** Closes a report with a reason. @throws chat/report-not-found, operator/own-record */
export const decideReport = decideChatReport;

/** Frozen conversations, oldest first, except those the caller is part of. @throws request/bad-cursor */
export const frozen = frozenConversations;

/** Ends a freeze with a reason; not by the operator who froze it. @throws chat/not-found, operator/own-record, operator/own-decision */
export const unfreeze = liftFreeze;

/** Requests that wait for staff, longest waiting first, except the operator's own. @throws request/bad-cursor */
export const requests = openTickets;

/** A request with its messages. @throws ticket/not-found, operator/own-record */
export const thread = staffTicket;

/** Answers a request. @throws ticket/not-found, operator/own-record */
export const answer = answerTicket;

/** Closes a request as solved. @throws ticket/not-found, operator/own-record */
export const close = closeTicket;

/** Messages about the service, last starting first. @throws request/bad-cursor */
export const messages = listServiceMessages;

/** Shows a message about the service to everyone. @throws request/invalid */
export const post = postMessage;

/** Ends a message about the service now. @throws service-message/not-found */
export const endMessage = endServiceMessage;

/** Why an account can't be appointed or removed. */
export type AppointProblem = 'no-account' | 'not-verified' | 'disabled' | 'is-one' | 'is-none';

/**
 * Makes a verified, enabled account an operator, within seconds in open sessions too. Only for `npm run operator`.
 * @param by the system user who runs the command
 */
export function appointOperator(
  db: Db,
  scope: { clock: Clock },
  who: { email: string; by: string },
): Promise<AppointProblem | null> {
  return db.transaction().execute(async (tx) => {
    const account = await findAppointee(tx, who.email);
    if (!account) return 'no-account';
    if (account.disabled_at) return 'disabled';
    if (!account.email_verified) return 'not-verified';
    const now = scope.clock.now();
    const row = { id: newId(now), account_id: account.id, added_by: who.by, added_at: now };
    return (await insertOperator(tx, row)) ? null : 'is-one';
  });
}

/** Removes an operator; their decisions stay. Only for the command line. */
export function removeOperator(
  db: Db,
  scope: { clock: Clock },
  who: { email: string; by: string },
): Promise<AppointProblem | null> {
  return db.transaction().execute(async (tx) => {
    const account = await findAppointee(tx, who.email);
    if (!account) return 'no-account';
    return (await endOperator(tx, account.id, who.by, scope.clock.now())) ? null : 'is-none';
  });
}

/** All current operators. Only for the command line. */
export const listOperators = (db: Db) => findOperators(db);

/** Whether an account is an operator now. */
export const isOperator = (db: Db, accountId: string): Promise<boolean> => findIsOperator(db, accountId);
