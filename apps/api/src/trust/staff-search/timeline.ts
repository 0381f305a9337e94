import { type CaseKind, caseKinds } from '@nearhand/contract/case-kinds';
import { type Currency, currencies } from '@nearhand/contract/currencies';
import type { Page } from '@nearhand/contract/operation';
import type { TimelineEvent } from '@nearhand/contract/trust/staff-search';
import {
  type CustomerKind,
  type FoundKind,
  type TimelineGroup,
  type TimelineKind,
  timelineKinds,
  timelineTable,
} from '@nearhand/contract/trust/staff-search.rules';
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { openCasesOf } from '../cases/cases.sql.ts';

export type Customer = { kind: CustomerKind; id: string };

/**
 * Lists the events that concern a person or business, newest first. An operator can't read their own.
 * @throws operator/own-record, search/not-found, request/bad-cursor
 */
export async function customerTimeline(
  db: Db,
  scope: Scope,
  input: Customer & { group?: TimelineGroup; cursor?: string; limit: number },
): Promise<Page<TimelineEvent>> {
  const { kind, id, group, limit } = input;
  const before = decodeCursor(input.cursor, newestCursor);
  if (id === scope.actor.accountId) throw new AppError('operator/own-record');
  const table = kind === 'person' ? 'accounts' : 'businesses';
  const record = await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
  if (!record) throw new AppError('search/not-found');
  const kinds = timelineKinds.filter(
    (eventKind) => group === undefined || timelineTable[eventKind] === group,
  );
  const { rows } = await timelineStatement({ kind, id }, kinds, { before, limit: limit + 1 }).execute(db);
  const page = cutPage(rows, limit, ({ at, id }) => [at.toISOString(), id]);
  return { items: page.items.map(toTimelineEvent), nextCursor: page.nextCursor };
}

const toTimelineEvent = (row: EventRow): TimelineEvent => {
  const { businessId, businessName, caseKind, caseSubject, recordKind, recordId, at, ...event } = row;
  return {
    ...event,
    at: at.toISOString(),
    business: businessId === null ? null : { id: businessId, name: businessName ?? '' },
    case: caseKind === null || caseSubject === null ? null : { kind: caseKind, subjectId: caseSubject },
    record: recordKind === null || recordId === null ? null : { kind: recordKind, id: recordId },
  };
};

type EventRow = {
  kind: TimelineKind;
  id: string;
  at: Date;
  title: string | null;
  code: string | null;
  status: string | null;
  note: string | null;
  by: string | null;
  businessId: string | null;
  businessName: string | null;
  caseKind: CaseKind | null;
  caseSubject: string | null;
  recordKind: FoundKind | null;
  recordId: string | null;
  amountMinor: number | null;
  currency: Currency | null;
};

const reportCode = (
  reported: 'reported' | 'report',
) => sql`case when ${sql.ref(`${reported}.contested_id`)} is null
  then report.reason else 'contested-dismissal' end`;

type Keyset = { before: readonly [string, string] | null; limit: number };

/** The columns of an event that its kind has, and the rest of its select after them. */
type Source = {
  id: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  title?: RawBuilder<unknown>;
  code?: RawBuilder<unknown>;
  status?: RawBuilder<unknown>;
  note?: RawBuilder<unknown>;
  by?: RawBuilder<unknown>;
  business?: RawBuilder<unknown>;
  case?: readonly [kind: RawBuilder<unknown>, subject: RawBuilder<unknown>];
  record?: readonly [kind: FoundKind, id: RawBuilder<unknown>];
  amount?: readonly [minor: RawBuilder<unknown>, currency: RawBuilder<unknown>];
};

const nothing = sql`null`;
const accountName = (id: string) => sql`(select name from accounts where accounts.id = ${sql.ref(id)})`;

/**
 * Each source gives at most a page by its own index, so a long history costs as much as a short one. Kinds that the
 * customer cannot have give nothing.
 */
export function timelineStatement(
  customer: Customer,
  kinds: readonly TimelineKind[],
  page: Keyset,
): RawBuilder<EventRow> {
  const sources =
    customer.kind === 'person' ? personSources(customer.id, page) : businessSources(customer.id, page);
  const parts = kinds.flatMap((kind) => {
    const source = sources[kind];
    if (!source) return [];
    return sql`(select ${kind}::text as kind, ${source.id} as id, ${source.at} as at, (${source.title ?? nothing})::text as title,
        (${source.code ?? nothing})::text as code, (${source.status ?? nothing})::text as status, (${source.note ?? nothing})::text as note,
        (${source.by ?? nothing})::text as by, (${source.business ?? nothing})::uuid as business_id,
        (${source.case?.[0] ?? nothing})::text as case_kind, (${source.case?.[1] ?? nothing})::uuid as case_subject,
        ${source.record?.[0] ?? null}::text as record_kind, (${source.record?.[1] ?? nothing})::uuid as record_id,
        (${source.amount?.[0] ?? nothing})::bigint as amount_minor, (${source.amount?.[1] ?? nothing})::text as currency
      ${source.from} ${isOlder(source.at, source.id, page)} order by ${source.at} desc, ${source.id} desc limit ${page.limit})`;
  });
  return sql<EventRow>`
    select event.kind, event.id, event.at, event.title, event.code, event.status, event.note, event.by, event.business_id,
      business.name as business_name, event.case_kind, event.case_subject, event.record_kind, event.record_id,
      event.amount_minor, event.currency
    from (select * from (${parts.length > 0 ? sql.join(parts, sql` union all `) : noEvents}) every_event order by at desc, id desc limit ${page.limit}) event
    left join businesses business on business.id = event.business_id
    order by event.at desc, event.id desc`;
}

/** The first bound is for indexes that have the time but not the id. */
const isOlder = (at: RawBuilder<unknown>, id: RawBuilder<unknown>, { before }: Keyset) =>
  before
    ? sql`and ${at} <= ${before[0]}::timestamptz and (${at}, ${id}) < (${before[0]}::timestamptz, ${before[1]}::uuid)`
    : sql``;

const noEvents = sql`select null::text as kind, null::uuid as id, null::timestamptz as at, null::text as title, null::text as code,
  null::text as status, null::text as note, null::text as by, null::uuid as business_id, null::text as case_kind,
  null::uuid as case_subject, null::text as record_kind, null::uuid as record_id, null::bigint as amount_minor,
  null::text as currency where false`;

/** Checks have an event of their own when they are decided, and the verification of a business has its moves. */
const isListedOnce = (kind: CaseKind): boolean =>
  kind !== 'identity' && kind !== 'certificate' && kind !== 'business_verification';
const listedKinds = sql`(${literals(caseKinds.filter(isListedOnce))})`;

type Sources = Partial<Record<TimelineKind, Source>>;

// Columns that a person's and a business's timeline share.
const workColumns = {
  id: sql`work.id`,
  at: sql`work.sort_at`,
  title: sql`work.terms ->> 'title'`,
  code: sql`work.kind`,
  status: sql`work.status`,
};

const appealColumns = {
  id: sql`appeal.id`,
  at: sql`appeal.at`,
  code: sql`sanction.measure`,
  status: sql`appeal.outcome`,
  note: sql`appeal.words`,
  by: accountName('appeal.decided_by'),
};

const sanctionColumns = {
  id: sql`sanction.id`,
  at: sql`sanction.decided_at`,
  title: sql`sanction.job_title`,
  code: sql`sanction.measure`,
  status: sql`case when sanction.ended_at is null then 'in-force' else coalesce(sanction.ending, 'ended') end`,
  note: sql`sanction.facts`,
  by: accountName('sanction.decided_by'),
  business: sql`sanction.business_id`,
};

const sanctionEndColumns = {
  id: sql`sanction.id`,
  at: sql`sanction.ended_at`,
  title: sql`sanction.job_title`,
  code: sql`sanction.measure`,
  status: sql`sanction.ending`,
  note: sql`sanction.end_reason`,
};

/** Each ends with a condition, to which the page adds its own. */
const personSources = (accountId: string, page: Keyset): Sources => ({
  ...staffSources(accountId),
  ...workSources(accountId, page),
  ...accountSources(accountId),
});

/** Tickets, reports, sanctions and the decisions on them, of a person. */
function staffSources(accountId: string) {
  const ownBusinesses = sql`(select business_id from business_members where account_id = ${accountId} and role in ${recruiters})`;
  const sanctionsOf = sql`(select * from sanctions where account_id = ${accountId}
    union all select * from sanctions where business_id in ${ownBusinesses}) sanction`;
  return {
    ticket: {
      id: sql`ticket.id`,
      at: sql`ticket.created_at`,
      title: sql`ticket.subject`,
      code: sql`case when ticket.case_kind is null then ticket.category else 'asked' end`,
      status: sql`case ticket.helpful when true then 'helpful' when false then 'not-helpful' else ticket.status end`,
      case: [sql`'ticket'`, sql`ticket.id`],
      from: sql`from tickets ticket where ticket.account_id = ${accountId}`,
    },
    'case-decided': {
      id: sql`closed.id`,
      at: sql`closed.decided_at`,
      title: sql`closed.title`,
      code: sql`closed.decision`,
      note: sql`closed.reason`,
      by: accountName('closed.decided_by'),
      business: sql`closed.business_id`,
      case: [sql`closed.kind`, sql`closed.subject_id`],
      // A measure against the person is its own event, which leads to the case.
      from: sql`from closed_cases closed where closed.account_ids @> array[${accountId}::uuid]
        and not exists (select from sanctions sanction where sanction.account_id = ${accountId} and sanction.decided_by = closed.decided_by
          and closed.subject_id in (sanction.withdrawal_id, sanction.case_id, sanction.review_id))
        and closed.kind in ${listedKinds}`,
    },
    'report-made': {
      id: sql`report.id`,
      at: sql`report.at`,
      title: sql`case reported.kind when 'review' then null else coalesce(job.title, business.name, worker.name) end`,
      code: reportCode('reported'),
      status: sql`reported.status`,
      note: sql`report.note`,
      by: accountName('reported.decided_by'),
      business: sql`business.id`,
      case: [sql`'report'`, sql`reported.id`],
      from: sql`from reports report join report_cases reported on reported.id = report.case_id
        left join jobs job on job.id = reported.job_id
        left join businesses business on business.id = coalesce(reported.business_id, job.business_id)
        left join accounts worker on worker.id = reported.worker_id
        where report.account_id = ${accountId}`,
    },
    'report-about': {
      id: sql`report.id`,
      at: sql`report.at`,
      title: sql`job.title`,
      code: reportCode('reported'),
      status: sql`reported.status`,
      by: accountName('reported.decided_by'),
      business: sql`coalesce(reported.business_id, job.business_id)`,
      case: [sql`'report'`, sql`reported.id`],
      from: sql`from (select id from report_cases where worker_id = ${accountId}
          union select id from report_cases where business_id in ${ownBusinesses}
          union select id from report_cases where job_id in (select id from jobs where business_id in ${ownBusinesses})) about
        join report_cases reported on reported.id = about.id join reports report on report.case_id = reported.id
        left join jobs job on job.id = reported.job_id where true`,
    },
    'chat-report-made': {
      id: sql`report.id`,
      at: sql`report.at`,
      title: sql`(select name from accounts worker where worker.id = conversation.worker_id)`,
      code: reportCode('report'),
      status: sql`report.decision`,
      note: sql`report.note`,
      by: accountName('report.decided_by'),
      business: sql`case when report.side = 'worker' then conversation.business_id end`,
      case: [sql`'chat_report'`, sql`report.id`],
      from: sql`from chat_reports report join conversations conversation on conversation.id = report.conversation_id
        where report.account_id = ${accountId}`,
    },
    'chat-report-about': {
      id: sql`report.id`,
      at: sql`report.at`,
      title: sql`job.title`,
      code: reportCode('report'),
      status: sql`report.decision`,
      by: accountName('report.decided_by'),
      business: sql`conversation.business_id`,
      case: [sql`'chat_report'`, sql`report.id`],
      from: sql`from conversations conversation join chat_reports report on report.conversation_id = conversation.id
        join jobs job on job.id = conversation.job_id
        where conversation.worker_id = ${accountId} and report.side = 'business'`,
    },
    appeal: {
      ...appealColumns,
      business: sql`sanction.business_id`,
      case: [sql`'appeal'`, sql`appeal.id`],
      from: sql`from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id where appeal.account_id = ${accountId}`,
    },
    sanction: {
      ...sanctionColumns,
      case: [
        sql`case when sanction.withdrawal_id is not null then 'payout_held' when sanction.case_id is not null then 'report'
          when sanction.review_id is not null then 'flagged_review' end`,
        sql`coalesce(sanction.withdrawal_id, sanction.case_id, sanction.review_id)`,
      ],
      from: sql`from ${sanctionsOf} where true`,
    },
    'sanction-ended': {
      ...sanctionEndColumns,
      business: sql`sanction.business_id`,
      from: sql`from ${sanctionsOf} where sanction.ended_at is not null`,
    },
  } satisfies Partial<Record<TimelineKind, Source>>;
}

/** Booked work of a person, and their money on both sides. */
function workSources(accountId: string, page: Keyset) {
  return {
    work: {
      ...workColumns,
      business: sql`work.business_id`,
      record: ['engagement', sql`work.id`],
      from: sql`from engagements work where work.worker_id = ${accountId}`,
    },
    payment: {
      id: sql`paid.id`,
      at: sql`paid.at`,
      title: sql`work.terms ->> 'title'`,
      code: sql`paid.kind`,
      business: sql`work.business_id`,
      record: ['engagement', sql`work.id`],
      amount: [sql`paid.amount`, sql`paid.currency`],
      from: sql`from (${paidTo(accountId, page)}) paid
        left join releases release on release.id = paid.about and paid.kind in ('release', 'compensation')
        left join tips tip on tip.id = paid.about and paid.kind in ('tip', 'bonus')
        left join engagements work on work.id = coalesce(release.engagement_id, tip.engagement_id) where true`,
    },
    withdrawal: {
      id: sql`withdrawal.id`,
      at: sql`withdrawal.requested_at`,
      title: sql`method.bank_name || ' •••• ' || method.last4`,
      code: sql`withdrawal.speed`,
      status: sql`withdrawal.status`,
      note: sql`withdrawal.failure`,
      amount: [sql`withdrawal.amount_minor`, sql`withdrawal.currency`],
      from: sql`from withdrawals withdrawal join payout_methods method on method.id = withdrawal.method_id
        where withdrawal.account_id = ${accountId}`,
    },
    charge: {
      id: sql`charge.id`,
      at: sql`charge.created_at`,
      title: sql`charge.description`,
      code: sql`charge.purpose`,
      status: sql`coalesce('chargeback-' || charge.chargeback, charge.status)`,
      business: sql`charge.business_id`,
      amount: [sql`charge.amount_minor`, sql`charge.currency`],
      from: sql`from business_members member cross join lateral (
          select * from charges where charges.business_id = member.business_id
            ${isOlder(sql`charges.created_at`, sql`charges.id`, page)}
          order by charges.created_at desc limit ${page.limit}) charge
        where member.account_id = ${accountId} and member.role in ('owner', 'manager', 'finance')`,
    },
  } satisfies Partial<Record<TimelineKind, Source>>;
}

/** The account itself: sign-ins, checks, and its businesses. */
function accountSources(accountId: string) {
  return {
    'sign-in': {
      id: sql`event.id`,
      at: sql`event.happened_at`,
      title: sql`event.device`,
      code: sql`event.kind`,
      status: sql`case when event.new_device then 'new-device' when event.tries > 1 then event.tries || '-times' end`,
      from: sql`from sign_in_events event where event.account_id = ${accountId}`,
    },
    'account-created': {
      id: sql`account.id`,
      at: sql`account.created_at`,
      title: sql`account.email`,
      status: sql`case when account.email_verified then 'verified' else 'unverified' end`,
      from: sql`from accounts account where account.id = ${accountId}`,
    },
    'phone-checked': {
      id: sql`phone.account_id`,
      at: sql`phone.checked_at`,
      title: sql`phone.phone`,
      from: sql`from phone_checks phone where phone.account_id = ${accountId}`,
    },
    'identity-sent': {
      id: sql`sent.id`,
      at: sql`sent.submitted_at`,
      title: sql`sent.name`,
      code: sql`sent.document`,
      status: sql`sent.status`,
      case: [sql`'identity'`, sql`sent.id`],
      from: sql`from identity_checks sent where sent.account_id = ${accountId}`,
    },
    'identity-decided': {
      id: sql`sent.id`,
      at: sql`sent.decided_at`,
      title: sql`sent.name`,
      code: sql`sent.document`,
      status: sql`sent.status`,
      note: sql`sent.reason`,
      by: accountName('sent.decided_by'),
      case: [sql`'identity'`, sql`sent.id`],
      from: sql`from identity_checks sent where sent.account_id = ${accountId} and sent.decided_at is not null`,
    },
    'certificate-sent': {
      id: sql`sent.id`,
      at: sql`sent.submitted_at`,
      title: sql`sent.name`,
      code: sql`sent.kind`,
      status: sql`sent.status`,
      case: [sql`'certificate'`, sql`sent.id`],
      from: sql`from certificates sent where sent.account_id = ${accountId}`,
    },
    'certificate-decided': {
      id: sql`sent.id`,
      at: sql`sent.decided_at`,
      title: sql`sent.name`,
      code: sql`sent.kind`,
      status: sql`sent.status`,
      note: sql`sent.reason`,
      by: accountName('sent.decided_by'),
      case: [sql`'certificate'`, sql`sent.id`],
      from: sql`from certificates sent where sent.account_id = ${accountId} and sent.decided_at is not null`,
    },
    'payee-sent': {
      id: sql`payee.account_id`,
      at: sql`payee.asked_at`,
      title: sql`payee.legal_name`,
      status: sql`payee.status`,
      from: sql`from payout_identities payee where payee.account_id = ${accountId}`,
    },
    'payee-decided': {
      id: sql`payee.account_id`,
      at: sql`payee.decided_at`,
      title: sql`payee.legal_name`,
      status: sql`payee.status`,
      note: sql`payee.reason`,
      from: sql`from payout_identities payee where payee.account_id = ${accountId} and payee.decided_at is not null`,
    },
    'business-move': {
      id: sql`move.id`,
      at: sql`move.at`,
      code: sql`move.action`,
      status: sql`move.to_status`,
      note: sql`move.reason`,
      business: sql`move.business_id`,
      record: ['business', sql`move.business_id`],
      from: sql`from business_members member join business_moves move on move.business_id = member.business_id
        where member.account_id = ${accountId}`,
    },
  } satisfies Partial<Record<TimelineKind, Source>>;
}

/** Events around a business. Its members' own matters are in their timelines, but for their requests. */
const businessSources = (businessId: string, page: Keyset): Sources => ({
  ...businessStaffSources(businessId, page),
  ...businessWorkSources(businessId, page),
});

/** Requests of its members, reports, sanctions and the decisions on them. */
function businessStaffSources(businessId: string, page: Keyset) {
  return {
    ticket: {
      id: sql`ticket.id`,
      at: sql`ticket.created_at`,
      title: sql`ticket.subject`,
      code: sql`case when ticket.case_kind is null then ticket.category else 'asked' end`,
      status: sql`case ticket.helpful when true then 'helpful' when false then 'not-helpful' else ticket.status end`,
      note: accountName('ticket.account_id'),
      case: [sql`'ticket'`, sql`ticket.id`],
      from: sql`from business_members member cross join lateral (
          select * from tickets where tickets.account_id = member.account_id ${isOlder(sql`tickets.created_at`, sql`tickets.id`, page)}
            and (tickets.case_kind is null
              or exists (select from closed_cases closed where closed.kind = tickets.case_kind
                and closed.subject_id = tickets.case_subject and closed.business_id = ${businessId})
              or (tickets.case_kind, tickets.case_subject) in (${openCasesOf(businessId)}))
          order by tickets.created_at desc, tickets.id desc limit ${page.limit}) ticket
        where member.business_id = ${businessId}`,
    },
    'case-decided': {
      id: sql`closed.id`,
      at: sql`closed.decided_at`,
      title: sql`closed.title`,
      code: sql`closed.decision`,
      note: sql`closed.reason`,
      by: accountName('closed.decided_by'),
      case: [sql`closed.kind`, sql`closed.subject_id`],
      // A measure against the business is its own event, which leads to the case.
      from: sql`from closed_cases closed where closed.business_id = ${businessId}
        and not exists (select from sanctions sanction where sanction.business_id = ${businessId}
          and sanction.decided_by = closed.decided_by and closed.subject_id in (sanction.case_id, sanction.review_id))
        and closed.kind in ${listedKinds}`,
    },
    'report-about': {
      id: sql`report.id`,
      at: sql`report.at`,
      title: sql`job.title`,
      code: reportCode('reported'),
      status: sql`reported.status`,
      by: accountName('reported.decided_by'),
      business: sql`${businessId}`,
      case: [sql`'report'`, sql`reported.id`],
      from: sql`from (select id from report_cases where business_id = ${businessId}
          union select id from report_cases where job_id in (select id from jobs where business_id = ${businessId})) about
        join report_cases reported on reported.id = about.id join reports report on report.case_id = reported.id
        left join jobs job on job.id = reported.job_id where true`,
    },
    'chat-report-made': {
      id: sql`report.id`,
      at: sql`report.at`,
      title: sql`worker.name`,
      code: reportCode('report'),
      status: sql`report.decision`,
      note: sql`report.note`,
      by: accountName('report.decided_by'),
      case: [sql`'chat_report'`, sql`report.id`],
      from: sql`from conversations conversation join chat_reports report on report.conversation_id = conversation.id
        join accounts worker on worker.id = conversation.worker_id
        where conversation.business_id = ${businessId} and report.side = 'business'`,
    },
    'chat-report-about': {
      id: sql`report.id`,
      at: sql`report.at`,
      code: reportCode('report'),
      status: sql`report.decision`,
      by: accountName('report.decided_by'),
      case: [sql`'chat_report'`, sql`report.id`],
      from: sql`from conversations conversation join chat_reports report on report.conversation_id = conversation.id
        where conversation.business_id = ${businessId} and report.side = 'worker'`,
    },
    appeal: {
      ...appealColumns,
      case: [sql`'appeal'`, sql`appeal.id`],
      from: sql`from sanctions sanction join appeals appeal on appeal.sanction_id = sanction.id where sanction.business_id = ${businessId}`,
    },
    sanction: {
      ...sanctionColumns,
      case: [
        sql`case when sanction.case_id is not null then 'report' when sanction.review_id is not null then 'flagged_review'
          when sanction.measure = 'verification_refused' then 'business_verification' end`,
        sql`coalesce(sanction.case_id, sanction.review_id, sanction.business_id)`,
      ],
      from: sql`from sanctions sanction where sanction.business_id = ${businessId}`,
    },
    'sanction-ended': {
      ...sanctionEndColumns,
      from: sql`from sanctions sanction where sanction.business_id = ${businessId} and sanction.ended_at is not null`,
    },
  } satisfies Sources;
}

/** Booked work, money, documents and the moves of a business. */
function businessWorkSources(businessId: string, page: Keyset) {
  return {
    work: {
      ...workColumns,
      note: accountName('work.worker_id'),
      business: sql`work.business_id`,
      record: ['engagement', sql`work.id`],
      from: sql`from engagements work where work.business_id = ${businessId}`,
    },
    payment: {
      id: sql`paid.id`,
      at: sql`paid.at`,
      title: sql`paid.title`,
      code: sql`paid.code`,
      note: sql`paid.name`,
      record: ['engagement', sql`paid.engagement_id`],
      amount: [sql`paid.amount_minor`, sql`paid.currency`],
      from: sql`from (
          select work.id, work.approved_at as at, work.terms ->> 'title' as title, 'release' as code, worker.name, work.id as engagement_id,
            work.amount_minor, work.terms ->> 'currency' as currency
          from (select * from engagements where engagements.business_id = ${businessId} and engagements.status = 'completed'
            ${isOlder(sql`engagements.approved_at`, sql`engagements.id`, page)}
            order by engagements.approved_at desc, engagements.id desc limit ${page.limit}) work
          join accounts worker on worker.id = work.worker_id
          union all
          select id, at, null, 'goodwill', null, null, amount_minor, currency from goodwill_payments
          where business_id = ${businessId}) paid where true`,
    },
    charge: {
      id: sql`charge.id`,
      at: sql`charge.created_at`,
      title: sql`charge.description`,
      code: sql`charge.purpose`,
      status: sql`coalesce('chargeback-' || charge.chargeback, charge.status)`,
      amount: [sql`charge.amount_minor`, sql`charge.currency`],
      from: sql`from charges charge where charge.business_id = ${businessId}`,
    },
    'bank-transfer': {
      id: sql`transfer.id`,
      at: sql`transfer.received_at`,
      title: sql`transfer.payer_name || ' •••• ' || right(transfer.payer_iban, 4)`,
      amount: [sql`transfer.amount_minor`, sql`transfer.currency`],
      from: sql`from bank_payments transfer where transfer.business_id = ${businessId}`,
    },
    'document-added': {
      id: sql`document.id`,
      at: sql`document.added_at`,
      title: accountName('document.added_by'),
      code: sql`document.kind`,
      case: [sql`'business_verification'`, sql`document.business_id`],
      from: sql`from business_documents document where document.business_id = ${businessId}`,
    },
    'business-move': {
      id: sql`move.id`,
      at: sql`move.at`,
      code: sql`move.action`,
      status: sql`move.to_status`,
      note: sql`move.reason`,
      // The case is closed at the end of the transaction of its decision.
      by: sql`(select operator.name from closed_cases closed join accounts operator on operator.id = closed.decided_by
        where closed.kind = 'business_verification' and closed.subject_id = move.business_id
          and move.action in ('verify', 'request-info', 'reject')
          and closed.decided_at between move.at and move.at + interval '1 minute' order by closed.decided_at limit 1)`,
      business: sql`move.business_id`,
      case: [
        sql`case when move.action in ('submit', 'verify', 'request-info', 'reject') then 'business_verification' end`,
        sql`move.business_id`,
      ],
      from: sql`from business_moves move where move.business_id = ${businessId}`,
    },
  } satisfies Sources;
}

/** Pay, tips, rewards and their reversals, which move pending and available money in one entry. */
function paidTo(accountId: string, page: Keyset): RawBuilder<unknown> {
  const [time] = page.before ?? [];
  const bound = time === undefined ? sql`` : sql`and posting.entry_id <= ${lastIdAt(new Date(time))}::uuid`;
  return sql`
    select entry.id, entry.at, entry.kind, entry.about, entry.currency, sum(part.amount) as amount
    from unnest(array['worker_pending', 'worker_available']) account (kind)
    cross join unnest(${[...currencies]}::text[]) currency (code)
    cross join lateral (
      select posting.entry_id, posting.amount
      from ledger_postings posting join ledger_entries moved on moved.id = posting.entry_id
        and moved.kind in ('release', 'tip', 'bonus', 'compensation', 'referral', 'goodwill', 'reversal')
      where posting.account_id = (account.kind || ':' || ${accountId}::text || ':' || currency.code) collate "C" ${bound}
        ${isOlder(sql`moved.at`, sql`moved.id`, page)}
      order by posting.account_id desc, posting.entry_id desc, posting.line_no desc limit ${page.limit}) part
    join ledger_entries entry on entry.id = part.entry_id
    group by entry.id, entry.at, entry.kind, entry.about, entry.currency`;
}

/** The last id of a time: ids of entries start with it, and have an index where their times have none. */
const lastIdAt = (at: Date): string => {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-ffff-ffff-ffffffffffff`;
};
