import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { ClosedCase, ClosedCaseFile } from '@nearhand/contract/trust/cases';
import { caseLimits } from '@nearhand/contract/trust/cases.rules';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { andBefore } from '../../platform/http/paging.ts';
import { approvalTitle } from './case-sources.ts';
import { isForeign } from './cases.sql.ts';
import { matchesText } from './typed-words.sql.ts';

type EndedRow = {
  title: string;
  businessId: string | null;
  /** The people that the case was about, who may not read it. */
  accountIds: string[];
  openedAt: Date;
  endedAt: Date;
  ending: string;
  reason: string | null;
  amountMinor: number | null;
  currency: Currency | null;
  recordKind: 'engagement' | 'job' | 'business' | null;
  recordId: string | null;
};

/** Selects the columns of `EndedRow`, in this order, or no row if nothing but an operator's decision ended the case. */
type EndedSource = (subjectId: RawBuilder<unknown>) => RawBuilder<EndedRow>;

const none = sql`null::int, null::text`;
const noRecord = sql`null::text, null::uuid`;

/** The dispute's hard stop (ADR 44), or its sides that agreed while it was with an operator. */
const disputeEnded: EndedSource = (id) => sql`
  select work.terms ->> 'title', work.business_id, array[work.worker_id], escalation.at, step.at, step.action, null::text,
    step.amount_minor, work.terms ->> 'currency', 'engagement', work.id
  from disputes dispute join engagements work on work.id = dispute.engagement_id
  join lateral (select min(at) as at from dispute_steps where dispute_id = dispute.id and action = 'escalate') escalation on true
  join lateral (select at, action, amount_minor, side, from_status from dispute_steps
    where dispute_id = dispute.id and to_status = 'settled' order by at desc, id desc limit 1) step
    on step.side <> 'operator' and step.from_status = 'with_operator'
  where dispute.id = ${id} and dispute.status = 'settled'`;

/**
 * An approval that nobody gave in time, or that the operator who asked for it withdrew. Corrections are a case kind of
 * their own, for which operators need another permission. `decided_at` is set here: a check of the table requires it
 * for every state except `waiting`, but its type is nullable.
 */
const approvalEnded =
  (kinds: RawBuilder<unknown>): EndedSource =>
  (id) =>
    sql`
  select ${approvalTitle}, business_id, account_ids, requested_at, coalesce(decided_at, requested_at), state, null::text,
    amount_minor, currency, ${noRecord}
  from second_approvals where id = ${id} and state in ('expired', 'withdrawn') and ${kinds}`;

const jobReviewEnded: EndedSource = (id) => sql`
  select job.title, job.business_id, array[]::uuid[], screening.at, move.at, move.action, null::text, ${none}, 'job', job.id
  from jobs job
  join lateral (select at from job_screenings where job_id = job.id order by at desc limit 1) screening on true
  join lateral (select at, action from job_moves where job_id = job.id and from_status = 'in_review'
    order by at desc, id desc limit 1) move on move.action in ('close', 'suspend')
  where job.id = ${id} and job.status <> 'in_review'`;

const payoutEnded: EndedSource = (id) => sql`
  select 'Withdrawal to another name', null::uuid, array[withdrawal.account_id], withdrawal.requested_at, move.at, move.action,
    null::text, withdrawal.amount_minor, withdrawal.currency, ${noRecord}
  from withdrawals withdrawal
  join withdrawal_moves move on move.withdrawal_id = withdrawal.id and move.from_status = 'in_review' and move.action = 'cancel'
  where withdrawal.id = ${id}`;

const businessEnded: EndedSource = (id) => sql`
  select business.name, business.id, array[]::uuid[], coalesce(business.submitted_at, business.created_at), move.at, move.action,
    null::text, ${none}, 'business', business.id
  from businesses business
  join lateral (select at, action, from_status from business_moves where business_id = business.id
    and from_status in ('submitted', 'resubmitted') order by at desc, id desc limit 1) move on move.action in ('close', 'suspend')
  where business.id = ${id} and business.status not in ('submitted', 'resubmitted')`;

const chargebackEnded: EndedSource = (id) => sql`
  select charge.description, charge.business_id, array[]::uuid[], answer.opened_at, answer.updated_at, answer.status, null::text,
    answer.amount_minor, charge.currency, 'business', charge.business_id
  from charges charge
  join lateral (select opened_at, updated_at, status, amount_minor from chargebacks where charge_id = charge.id
    order by updated_at desc, ref desc limit 1) answer on true
  where charge.id = ${id} and charge.chargeback in ('won', 'lost')`;

/**
 * The freeze was a decision of its own, which was lifted or reversed in an appeal. A check of the table requires the time
 * and the ending, which their types do not say.
 */
const frozenChatEnded: EndedSource = (id) => sql`
  select job.title, conversation.business_id, array[conversation.worker_id], decided.decided_at, coalesce(decided.ended_at, decided.decided_at),
    coalesce(decided.ending, 'lifted'), decided.end_reason, ${none}, 'job', job.id
  from conversations conversation join jobs job on job.id = conversation.job_id
  join lateral (select * from sanctions where conversation_id = conversation.id and measure = 'frozen' and ended_at is not null
    order by ended_at desc, id desc limit 1) decided on true
  where conversation.id = ${id} and conversation.frozen_at is null`;

/**
 * A request whose author closed it before an operator answered. A question about another case is part of that case, and
 * was never in the queue.
 */
const ticketEnded: EndedSource = (id) => sql`
  select ticket.subject, null::uuid, array_remove(array[ticket.account_id], null), ticket.created_at, move.at,
    'author', null::text, ${none}, ${noRecord}
  from tickets ticket
  join lateral (select at, from_status, side from ticket_moves where ticket_id = ticket.id order by at desc, id desc limit 1) move
    on move.side = 'requester' and move.from_status = 'open'
  where ticket.id = ${id} and ticket.status = 'solved' and ticket.case_kind is null`;

type Ending = {
  source: EndedSource;
  /** The ids and times of what may have ended cases, each with a partial index by time. `source` refuses the others. */
  moves: RawBuilder<unknown>;
};

const approvalMoves = sql`select id, decided_at from second_approvals where state in ('expired', 'withdrawn')`;

const endings: Partial<Record<CaseKind, Ending>> = {
  dispute: {
    source: disputeEnded,
    moves: sql`select dispute_id, at from dispute_steps
      where to_status = 'settled' and from_status = 'with_operator' and side <> 'operator'`,
  },
  second_approval: { source: approvalEnded(sql`kind <> 'correction'`), moves: approvalMoves },
  correction: { source: approvalEnded(sql`kind = 'correction'`), moves: approvalMoves },
  job_review: {
    source: jobReviewEnded,
    moves: sql`select job_id, at from job_moves where from_status = 'in_review' and action in ('close', 'suspend')`,
  },
  payout_held: {
    source: payoutEnded,
    moves: sql`select withdrawal_id, at from withdrawal_moves where from_status = 'in_review' and action = 'cancel'`,
  },
  business_verification: {
    source: businessEnded,
    moves: sql`select business_id, at from business_moves
      where from_status in ('submitted', 'resubmitted') and action in ('close', 'suspend')`,
  },
  chargeback: {
    source: chargebackEnded,
    moves: sql`select charge_id, updated_at from chargebacks where status in ('won', 'lost')`,
  },
  frozen_chat: {
    source: frozenChatEnded,
    moves: sql`select conversation_id, ended_at from sanctions where measure = 'frozen' and ended_at is not null`,
  },
  ticket: {
    source: ticketEnded,
    moves: sql`select ticket_id, at from ticket_moves
      where to_status = 'solved' and from_status = 'open' and side = 'requester'`,
  },
};

const endedColumns = sql`title, business_id, account_ids, opened_at, ended_at, ending, reason, amount_minor, currency, record_kind, record_id`;

/**
 * Finds a page of the cases that ended without a decision in them in the last `caseLimits.endedDays` days, newest first,
 * without those that an operator decided before, and those about the operator.
 */
export async function findEndedCases(
  db: Db,
  operator: { accountId: string; kinds: readonly CaseKind[]; now: Date },
  text: string | null,
  page: { after: readonly [string, string] | null; limit: number },
): Promise<ClosedCase[]> {
  const since = subtractMs(operator.now, caseLimits.endedDays * dayMs);
  const parts = operator.kinds.flatMap((kind) => {
    const ending = endings[kind];
    if (!ending) return [];
    return [
      sql`(select ${kind}::text as kind, closed.* from (${ending.moves}) candidate (id, at)
        cross join lateral (select candidate.id as subject_id, ended.* from (${ending.source(sql`candidate.id`)}) ended (${endedColumns})) closed
        where closed.ended_at = candidate.at and candidate.at > ${since} ${andBefore(sql`candidate.at, candidate.id`, page.after)}
          and ${isForeign(operator.accountId)} ${text ? sql`and ${matchesText('closed', text)}` : sql``}
          and not exists (select from closed_cases decided where decided.kind = ${kind} and decided.subject_id = candidate.id)
        order by candidate.at desc, candidate.id desc limit ${page.limit})`,
    ];
  });
  if (parts.length === 0) return [];
  const { rows } = await sql<EndedRow & { kind: CaseKind; subjectId: string; businessName: string | null }>`
    select closed.*, business.name as business_name from (${sql.join(parts, sql` union all `)}) closed
    left join businesses business on business.id = closed.business_id
    order by closed.ended_at desc, closed.subject_id desc limit ${page.limit}`.execute(db);
  return rows.map((row) => toEndedItem(row, row));
}

/**
 * Finds what ended a case that no operator decided: a timer, its sides, a bank, or a decision elsewhere. Undefined for an open or decided case,
 * one that was never in the queue, and one about the operator.
 */
export async function findEnded(
  db: Db,
  accountId: string,
  { kind, subjectId }: { kind: CaseKind; subjectId: string },
): Promise<Pick<ClosedCaseFile, 'item' | 'ended'> | undefined> {
  const source = endings[kind]?.source;
  if (!source) return undefined;
  const { rows } = await sql<EndedRow & { businessName: string | null }>`
    select closed.*, business.name as business_name
    from (${source(sql`${subjectId}::uuid`)}) closed (${endedColumns})
    left join businesses business on business.id = closed.business_id
    where ${isForeign(accountId)}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { amountMinor, currency, recordKind, recordId } = row;
  return {
    item: { ...toEndedItem(row, { kind, subjectId }), reason: row.reason ?? '', terms: null },
    ended: {
      amount: amountMinor === null || currency === null ? null : { minor: amountMinor, currency },
      record: recordKind === null || recordId === null ? null : { kind: recordKind, id: recordId },
    },
  };
}

const toEndedItem = (
  row: EndedRow & { businessName: string | null },
  { kind, subjectId }: { kind: CaseKind; subjectId: string },
): ClosedCase => ({
  id: subjectId,
  kind,
  subjectId,
  title: row.title,
  tag: null,
  business: row.businessId === null ? null : { id: row.businessId, name: row.businessName ?? '' },
  openedAt: row.openedAt.toISOString(),
  decision: row.ending,
  by: null,
  decidedAt: row.endedAt.toISOString(),
});
