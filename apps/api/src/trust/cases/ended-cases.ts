import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { Currency } from '@nearhand/contract/currencies';
import type { ClosedCaseFile } from '@nearhand/contract/trust/cases';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { approvalTitle } from './case-sources.ts';

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
type EndedSource = (subjectId: string) => RawBuilder<EndedRow>;

const none = sql`null::int, null::text`;
const noRecord = sql`null::text, null::uuid`;

/** The dispute's hard stop (ADR 44), or its sides that agreed while it was with an operator. */
const disputeEnded: EndedSource = (id) => sql`
  select work.terms ->> 'title', work.business_id, array[work.worker_id], escalation.at, step.at, step.action, null::text,
    step.amount_minor, work.terms ->> 'currency', 'engagement', work.id
  from disputes dispute join engagements work on work.id = dispute.engagement_id
  join lateral (select min(at) as at from dispute_steps where dispute_id = dispute.id and action = 'escalate') escalation
    on escalation.at is not null
  join lateral (select at, action, amount_minor, side from dispute_steps where dispute_id = dispute.id and to_status = 'settled'
    order by at desc, id desc limit 1) step on step.side <> 'operator'
  where dispute.id = ${id} and dispute.status = 'settled'`;

/** An approval that nobody gave in time or that its operator withdrew; each kind of case has a permission of its own. */
const approvalEnded =
  (kinds: RawBuilder<unknown>): EndedSource =>
  (id) =>
    sql`
  select ${approvalTitle}, business_id, account_ids, requested_at, decided_at, state, null::text,
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
  select description, business_id, array[]::uuid[], created_at, updated_at, chargeback, null::text, amount_minor, currency,
    'business', business_id
  from charges where id = ${id} and chargeback in ('won', 'lost')`;

/** The freeze was a decision of its own, which was lifted or reversed in an appeal. */
const frozenChatEnded: EndedSource = (id) => sql`
  select job.title, conversation.business_id, array[conversation.worker_id], decided.decided_at, decided.ended_at, decided.ending,
    decided.end_reason, ${none}, 'job', job.id
  from conversations conversation join jobs job on job.id = conversation.job_id
  join lateral (select * from sanctions where conversation_id = conversation.id and measure = 'frozen' and ended_at is not null
    order by ended_at desc, id desc limit 1) decided on true
  where conversation.id = ${id} and conversation.frozen_at is null`;

/** A request whose author closed it, or a question whose case ended without an operator. */
const ticketEnded: EndedSource = (id) => sql`
  select ticket.subject, null::uuid, array_remove(array[ticket.account_id], null), ticket.created_at, move.at,
    case when move.account_id is null and ticket.account_id is not null then 'case-ended' else 'author' end, null::text,
    ${none}, ${noRecord}
  from tickets ticket
  join lateral (select at, account_id from ticket_moves where ticket_id = ticket.id order by at desc, id desc limit 1) move
    on move.account_id is null or move.account_id = ticket.account_id
  where ticket.id = ${id} and ticket.status = 'solved'`;

const endedSources: Partial<Record<CaseKind, EndedSource>> = {
  dispute: disputeEnded,
  second_approval: approvalEnded(sql`kind <> 'correction'`),
  correction: approvalEnded(sql`kind = 'correction'`),
  job_review: jobReviewEnded,
  payout_held: payoutEnded,
  business_verification: businessEnded,
  chargeback: chargebackEnded,
  frozen_chat: frozenChatEnded,
  ticket: ticketEnded,
};

/**
 * Finds what ended a case that no operator decided: a timer, its sides or a bank. Undefined for an open or decided case,
 * one that was never in the queue, and one about the operator.
 */
export async function findEnded(
  db: Db,
  accountId: string,
  { kind, subjectId }: { kind: CaseKind; subjectId: string },
): Promise<Pick<ClosedCaseFile, 'item' | 'ended'> | undefined> {
  const source = endedSources[kind];
  if (!source) return undefined;
  const { rows } = await sql<EndedRow & { businessName: string | null }>`
    select ended.*, business.name as business_name
    from (${source(subjectId)}) ended (title, business_id, account_ids, opened_at, ended_at, ending, reason, amount_minor, currency,
      record_kind, record_id)
    left join businesses business on business.id = ended.business_id
    where not (${accountId} = any (ended.account_ids)) and not exists (
      select from business_members member where member.business_id = ended.business_id and member.account_id = ${accountId})`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { amountMinor, currency, recordKind, recordId } = row;
  return {
    item: {
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
      reason: row.reason ?? '',
      terms: null,
    },
    ended: {
      amount: amountMinor === null || currency === null ? null : { minor: amountMinor, currency },
      record: recordKind === null || recordId === null ? null : { kind: recordKind, id: recordId },
    },
  };
}
