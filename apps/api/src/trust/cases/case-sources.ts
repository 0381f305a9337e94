import { type CaseKind, caseKindTable } from '@nearhand/contract/case-kinds';
import { type RawBuilder, sql } from 'kysely';
import { dismissersOf, isReportOf } from '../sanctions/sanctions.sql.ts';

type SourceColumns = {
  subjectId: string;
  openedAt: Date;
  /** An end before the deadline of its kind, if any. */
  endsAt: Date | null;
  title: string;
  tag: string | null;
  /** From 1 (urgent) to 4 (low); null for the priority of the case's kind. */
  priority: number | null;
  businessId: string | null;
  /** Everyone it is about: they never see or decide it. Members of the business are excluded too. */
  accountIds: string[];
};

/** Selects `SourceColumns`, in this order, and needs an index of open cases only (docs/architecture.md, Cases). */
type CaseSource = { kind: CaseKind; open: RawBuilder<SourceColumns> };

/** A report and a screening finding of the same kind are equally urgent. */
const urgentReasons = sql`('scam', 'harassment', 'unsafe', 'illegal')`;
const urgentFindings = sql`('asks-fee', 'asks-details')`;
const urgentHours = sql.lit(caseKindTable.job_review.hours);

/** Excludes the operator whose dismissal it contests. Index: `report_cases_queue`. */
const reportSource: CaseSource = {
  kind: 'report',
  open: sql`
    select reported.id, reported.opened_at, case when danger.found then reported.opened_at + make_interval(hours => ${urgentHours}) end,
      case reported.kind when 'review' then 'Review' else coalesce(job.title, business.name, 'Worker') end,
      case when reported.contested_id is null then first.reason else 'contested-dismissal' end,
      case when danger.found then 1 end,
      business.id,
      array_remove(array(select by.account_id from reports by
        where by.case_id in (reported.id, reported.contested_id) union
        select coalesce(reported.worker_id, review.worker_id)
        where coalesce(reported.worker_id, review.worker_id) is not null) || reported.contested_by, null)
    from report_cases reported
    left join jobs job on job.id = reported.job_id
    left join reviews review on review.id = reported.review_id
    left join businesses business on business.id = coalesce(reported.business_id, job.business_id, review.business_id)
    left join lateral (select reason from reports where case_id = reported.id order by at, id limit 1) first on true
    cross join lateral (select exists (select from reports where case_id = reported.id and reason in ${urgentReasons}) as found) danger
    where reported.status = 'open'`,
};

/** The query needs the index `jobs_in_review`. */
const jobReviewSource: CaseSource = {
  kind: 'job_review',
  open: sql`
    select job.id, screening.at, null::timestamptz, job.title, screening.found #>> '{0,rule}',
      case when screening.found #>> '{0,rule}' in ${urgentFindings} then 1 end, job.business_id, array[]::uuid[]
    from jobs job join job_screenings screening on screening.job_id = job.id and screening.outcome is null
    where job.status = 'in_review'`,
};

/** Excludes operators who made or reported the decision, or whose dismissal it replaced. Index: `appeals_queue`. */
const appealSource: CaseSource = {
  kind: 'appeal',
  open: sql`
    select appeal.id, appeal.at, appeal.due_at, case when sanction.withdrawal_id is not null then 'Withdrawal'
      when sanction.measure = 'certificate_refused' then 'Certificate'
      when sanction.measure = 'identity_refused' then 'Identity document'
      else coalesce(sanction.job_title, business.name, 'Account') end, sanction.measure,
      case when appeal.escalated_at is not null then 1 end, business.id,
      array_remove(array[appeal.account_id, appeal.sanction_by,
        coalesce(sanction.account_id, review.worker_id, conversation.worker_id)], null)
        || array(select by.account_id from reports by where by.case_id in (sanction.case_id, decided.contested_id))
        || array(select report.account_id from chat_reports report where ${isReportOf(sql`sanction`)})
        || ${dismissersOf(sql`sanction`)}
    from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id
    left join report_cases decided on decided.id = sanction.case_id
    left join reviews review on review.id = sanction.review_id
    left join conversations conversation on conversation.id = sanction.conversation_id
    left join businesses business on business.id = coalesce(sanction.business_id, review.business_id, conversation.business_id)
    where appeal.outcome is null`,
};

/** Excludes the operator whose dismissal it contests. Index: `chat_reports_open`. */
const chatReportSource: CaseSource = {
  kind: 'chat_report',
  open: sql`
    select report.id, report.at,
      case when report.reason in ${urgentReasons} then report.at + make_interval(hours => ${urgentHours}) end, job.title,
      case when report.contested_id is null then report.reason else 'contested-dismissal' end,
      case when report.reason in ${urgentReasons} then 1 end, conversation.business_id,
      array_remove(array[report.account_id, conversation.worker_id, report.contested_by], null)
    from chat_reports report join conversations conversation on conversation.id = report.conversation_id
    join jobs job on job.id = conversation.job_id
    where report.decided_at is null`,
};

/** A frozen conversation, from the first decision that froze it. Index: `chat_reports_frozen`. */
const frozenChatSource: CaseSource = {
  kind: 'frozen_chat',
  open: sql`
    select report.conversation_id, report.decided_at, null::timestamptz, job.title, report.reason, null::int,
      conversation.business_id, array[report.account_id, conversation.worker_id]
        || array(select led.account_id from chat_reports led where led.conversation_id = report.conversation_id
          and led.decision = 'freeze' and led.lifted_at is null and led.account_id <> report.account_id order by led.at, led.id)
    from chat_reports report join conversations conversation on conversation.id = report.conversation_id
    join jobs job on job.id = conversation.job_id
    where report.decision = 'freeze' and report.decided_at is not null and report.lifted_at is null
      and not exists (select from chat_reports earlier where earlier.conversation_id = report.conversation_id
        and earlier.decision = 'freeze' and earlier.lifted_at is null
        and (earlier.decided_at, earlier.id) < (report.decided_at, report.id))`,
};

/** The query needs the index `identity_checks_queue`. */
const identitySource: CaseSource = {
  kind: 'identity',
  open: sql`
    select id, submitted_at, null::timestamptz, 'Identity document', document, null::int, null::uuid, array[account_id]
    from identity_checks where status = 'submitted' and checker = 'staff'`,
};

/** The query needs the index `certificates_queue`. */
const certificateSource: CaseSource = {
  kind: 'certificate',
  open: sql`
    select id, submitted_at, null::timestamptz, 'Certificate', kind, null::int, null::uuid, array[account_id]
    from certificates where status = 'submitted'`,
};

/**
 * Excludes operators whose refusal or suspension was reversed in an appeal since the business last asked: another one
 * decides. Index: `businesses_pending`.
 */
const businessVerificationSource: CaseSource = {
  kind: 'business_verification',
  open: sql`
    select business.id, coalesce(business.submitted_at, business.updated_at), null::timestamptz, business.name,
      business.country_code, null::int, business.id,
      array(select sanction.decided_by from sanctions sanction where sanction.business_id = business.id
        and sanction.ending = 'overturned' and sanction.measure in ('verification_refused', 'suspension')
        and sanction.ended_at >= coalesce((select max(move.at) from business_moves move
          where move.business_id = business.id and move.action in ('submit', 'rename', 'change-owner')), '-infinity'))
    from businesses business where business.status in ('submitted', 'resubmitted')`,
};

/** The query needs the index `referrals_to_check`. */
const referralSource: CaseSource = {
  kind: 'referral',
  open: sql`
    select id, coalesce(qualified_at, joined_at), null::timestamptz, 'Referral reward', flags[1], null::int, null::uuid,
      array[inviter_id, invited_id]
    from referrals where status = 'checking'`,
};

/** The query needs the index `charges_called_back`. */
const chargebackSource: CaseSource = {
  kind: 'chargeback',
  open: sql`
    select id, updated_at, null::timestamptz, description, purpose, null::int, business_id, '{}'::uuid[]
    from charges where chargeback = 'open'`,
};

const balance = (name: RawBuilder<string>) => sql`(select coalesce(sum(amount), 0) from (
    select balance as amount from ledger_accounts where id > (${name}) || ':' and id < (${name}) || ';'
    union all select amount from ledger_deferred where account_id > (${name}) || ':' and account_id < (${name}) || ';') part)`;
const lastEntry = (name: RawBuilder<string>) => sql`(select max(entry.at) from ledger_postings posting
    join ledger_entries entry on entry.id = posting.entry_id
    where posting.account_id > (${name}) || ':' and posting.account_id < (${name}) || ';')`;
const formerWorker = sql<string>`'worker_available:' || account_deletions.account_id::text`;
const closedBusiness = sql<string>`'business_balance:' || businesses.id::text`;

/**
 * The balance decides, so no source of money is missed. Indexes: `account_deletions_removed`,
 * `businesses_closed`.
 */
const unclaimedSource: CaseSource = {
  kind: 'unclaimed',
  open: sql`
    select account_id, ${lastEntry(formerWorker)}, null::timestamptz, 'Money of a removed account', 'person',
      null::int, null::uuid, array[account_id]
    from account_deletions where status = 'removed' and ${balance(formerWorker)} > 0
    union all
    select id, ${lastEntry(closedBusiness)}, null::timestamptz, name, 'business', null::int, id, '{}'::uuid[]
    from businesses where status = 'closed' and ${balance(closedBusiness)} > 0`,
};

/** The query needs the index `bank_payments_unmatched`. */
const bankPaymentSource: CaseSource = {
  kind: 'bank_payment',
  open: sql`
    select id, received_at, null::timestamptz, 'Bank transfer without a business', reason, null::int, null::uuid, '{}'::uuid[]
    from bank_payments where state = 'unmatched'`,
};

/** The query needs the index `withdrawals_in_review`. */
const payoutHeldSource: CaseSource = {
  kind: 'payout_held',
  open: sql`
    select id, requested_at, null::timestamptz, 'Withdrawal to another name', speed, null::int, null::uuid, array[account_id]
    from withdrawals where status = 'in_review'`,
};

/** The query needs the index `disputes_with_operator`. */
const disputeSource: CaseSource = {
  kind: 'dispute',
  open: sql`
    select dispute.id, coalesce((select max(at) from dispute_steps where dispute_id = dispute.id and action = 'escalate'),
        dispute.created_at),
      dispute.stop_at, work.terms ->> 'title', dispute.why, null::int, work.business_id, array[work.worker_id]
    from disputes dispute join engagements work on work.id = dispute.engagement_id
    where dispute.status = 'with_operator'`,
};

/** The query needs the index `engagements_contested`. */
const noShowSource: CaseSource = {
  kind: 'no_show',
  open: sql`
    select work.id, coalesce((select max(at) from engagement_moves where engagement_id = work.id and action = 'contest'),
        work.updated_at),
      null::timestamptz, work.terms ->> 'title', null::text, null::int, work.business_id, array[work.worker_id]
    from engagements work where work.status = 'contested'`,
};

/** The title of an approval by its kind. */
export const approvalTitle = sql`case kind when 'dispute' then 'Pay dispute' when 'no_show' then 'Contested no-show'
      when 'payout_held' then 'Held withdrawal' when 'goodwill' then 'Goodwill' when 'credit_limit' then 'Credit limit'
      when 'correction' then 'Reverse a payment' else 'Referral' end`;

/** Excludes operators who made the decision. Index: `second_approvals_queue`. */
const secondApprovalSource: CaseSource = {
  kind: 'second_approval',
  open: sql`
    select id, requested_at, expires_at, ${approvalTitle}, null::text, null::int, business_id, account_ids || requested_by
    from second_approvals where state = 'waiting' and kind <> 'correction'
      and (kind <> 'payout_held' or exists (select from withdrawals where withdrawals.id = subject_id and status = 'in_review'))`,
};

/** Excludes the operator who made the report. Index: `authority_reports_queue`. */
const authorityReportSource: CaseSource = {
  kind: 'authority_report',
  open: sql`
    select id, recorded_at, null::timestamptz, authority, case_kind, null::int, business_id, account_ids || recorded_by
    from authority_reports where state = 'waiting'`,
};

/** Excludes operators who requested it. Index: `second_approvals_queue`. */
const correctionSource: CaseSource = {
  kind: 'correction',
  open: sql`
    select id, requested_at, expires_at, ${approvalTitle}, null::text, null::int, business_id, account_ids || requested_by
    from second_approvals where state = 'waiting' and kind = 'correction'`,
};

/** The query needs the index `reviews_flagged`. */
const flaggedReviewSource: CaseSource = {
  kind: 'flagged_review',
  open: sql`
    select review.id, review.flagged_at, null::timestamptz, coalesce(engagement.terms->>'title', ''), review.state, null::int,
      review.business_id, array[review.worker_id, review.author_id]
    from reviews review join engagements engagement on engagement.id = review.engagement_id
    where review.flagged_at is not null`,
};

const askableSources = [
  disputeSource,
  noShowSource,
  chatReportSource,
  reportSource,
  appealSource,
  payoutHeldSource,
  businessVerificationSource,
];

/** Safety comes first. An answer about a case is in that case while it is open. Index: `tickets_queue`. */
const ticketSource: CaseSource = {
  kind: 'ticket',
  open: sql`
    select id, open_since, null::timestamptz, subject, category, case when category = 'safety' then 1 end, null::uuid,
      array_remove(array[account_id], null)
    from tickets where status = 'open' and not ${sql.join(
      askableSources.map(
        ({ kind, open }) => sql`(case_kind is not distinct from ${kind} and exists (
          select from (${open}) source (subject_id, opened_at, ends_at, title, tag, priority, business_id, account_ids)
          where source.subject_id = tickets.case_subject))`,
      ),
      sql` and not `,
    )}`,
};

/** A test compares the sources with the kinds of the contract. */
export const caseSources: readonly CaseSource[] = [
  disputeSource,
  noShowSource,
  chatReportSource,
  frozenChatSource,
  reportSource,
  appealSource,
  jobReviewSource,
  flaggedReviewSource,
  ticketSource,
  referralSource,
  chargebackSource,
  payoutHeldSource,
  unclaimedSource,
  bankPaymentSource,
  businessVerificationSource,
  identitySource,
  certificateSource,
  secondApprovalSource,
  authorityReportSource,
  correctionSource,
];
