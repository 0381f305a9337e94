import type { OperatorCase } from '@nearhand/contract/operators';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { attendanceOf } from '../attendance/attendance-views.service.ts';
import { decideChatReport, openChatReports } from '../chat/chat-reports.service.ts';
import { frozenConversations, unfreezeConversation } from '../chat/frozen.service.ts';
import { proposalOf } from '../disputes/dispute-views.service.ts';
import { quoteRelease } from '../holds/release-quotes.service.ts';
import { payBounds } from '../timesheets/pay-bounds.service.ts';
import { claimsOf } from '../timesheets/timesheet-views.service.ts';
import {
  type CaseRow,
  endOperator,
  findAppointee,
  findCases,
  findOperators,
  insertOperator,
} from './operators.sql.ts';

/**
 * What waits for a decision, longest waiting first: disputes that were not settled in time, and contested no-shows; operators. Never what the caller has a part
 * in: that is for somebody else.
 * @throws request/bad-cursor
 */
export async function openCases(
  db: Db,
  scope: Scope,
  input: { cursor?: string; limit: number },
): Promise<{ items: OperatorCase[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findCases(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, (row) => [row.since.toISOString(), row.id]);
  const items: OperatorCase[] = [];
  for (const row of page.items) items.push(await caseOf(db, row));
  return { items, nextCursor: page.nextCursor };
}

async function caseOf(db: Db, row: CaseRow): Promise<OperatorCase> {
  const { terms } = row;
  const bounds =
    row.what === 'dispute' ? await payBounds(db, row) : { leastMinor: 1, mostMinor: terms.payTotalMinor };
  return {
    what: row.what,
    engagementId: row.id,
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
    heldMinor: (await quoteRelease(db, row.id, null)).heldMinor,
    funding: row.funding,
    reason: row.reason,
    steps: row.steps,
    attendance: await attendanceOf(db, row.id),
    claims: await claimsOf(db, row.id),
  };
}

/** Open reports of conversations with what was said, longest waiting first; operators, but for those they have a part in. @throws request/bad-cursor */
export const openReports = openChatReports;

/** Closes a report with a reason; operators. @throws chat/report-not-found, operator/own-record */
export const decideReport = decideChatReport;

/** Conversations that are frozen, longest first; operators, but for those they have a part in. @throws request/bad-cursor */
export const frozen = frozenConversations;

/** Ends a freeze with a reason; operators, but for who made it. @throws chat/not-found, operator/own-record, operator/own-decision */
export const unfreeze = unfreezeConversation;

/** Why an address cannot be appointed or removed. */
export type AppointProblem = 'no-account' | 'not-verified' | 'disabled' | 'is-one' | 'is-none';

/**
 * For the command line alone (`npm run operator`): makes an account an operator, a verified one that is not disabled. It holds within seconds, in sessions that
 * are open already too.
 * @param by who does it, as the machine knows them
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

/** For the command line alone: ends it. What they decided stands. */
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

/** For the command line alone: everybody who is one now. */
export const listOperators = (db: Db) => findOperators(db);
