import { type CaseKind, caseKindTable, casePriorities } from '@nearhand/contract/case-kinds';
import type { Language } from '@nearhand/contract/languages';
import { operatorRoleTable } from '@nearhand/contract/operator-roles';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import type { CaseEntry, CaseFigures, CaseFile } from '@nearhand/contract/trust/cases';
import { askableKinds } from '@nearhand/contract/trust/cases.rules';
import { type Insertable, sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import type { CaseNotes } from '../../platform/tables.gen.ts';
import { dismissersOf, isReportOf } from '../sanctions/sanctions.sql.ts';
import { caseSources } from './case-sources.ts';
import { matchesText } from './typed-words.sql.ts';

export type CaseRow = {
  kind: CaseKind;
  subjectId: string;
  openedAt: Date;
  deadline: Date;
  title: string;
  tag: string | null;
  priority: number;
  businessId: string | null;
  businessName: string | null;
  accountIds: string[];
  claimedBy: string | null;
  claimerName: string | null;
  claimedAt: Date | null;
  assignedTo: string | null;
  assigneeName: string | null;
  handedBy: string | null;
  language: Language | null;
  notes: number;
  waitsUntil: Date | null;
  waitsFor: ('business' | 'person')[];
  answeredAt: Date | null;
  awaitsApproval: boolean;
  isOwn: boolean;
};

const levelOf = (kind: CaseKind): number => casePriorities.indexOf(caseKindTable[kind].priority) + 1;

/** True if a case is about this account or a business it belongs to. */
const isAbout = (accountId: unknown) => sql<boolean>`(${accountId} = any (source.account_ids) or exists (
  select from business_members member where member.business_id = source.business_id and member.account_id = ${accountId}))`;

/** The language of the person a case is about, or of the guest who wrote a request. A business to verify has none. */
const caseLanguage = sql`coalesce(
  (select settings.language from account_settings settings where settings.account_id = source.account_ids[1]
    and source.kind <> 'business_verification'),
  (select ticket.language from tickets ticket where source.kind = 'ticket' and ticket.id = source.subject_id))`;

const namedSource = sql`source (subject_id, opened_at, ends_at, title, tag, priority, business_id, account_ids)`;

/** Selects kind and subject of a business's open cases in which its members can be asked. */
export const openCasesOf = (businessId: string) =>
  sql.join(
    caseSources
      .filter(({ kind }) => askableKinds.some((askable) => askable === kind))
      .map(
        ({ kind, open }) =>
          sql`select ${kind}::text, source.subject_id from (${open}) ${namedSource} where source.business_id = ${businessId}`,
      ),
    sql` union all `,
  );

/**
 * The open cases of some kinds. A claim of a removed operator does not count, nor does a rule for an operator
 * who may not decide the case or was appointed again since.
 */
function openCases(kinds: readonly CaseKind[], accountId: string, subjectId: string | null = null) {
  const sources = caseSources
    .filter(({ kind }) => kinds.includes(kind))
    .map(
      ({ kind, open }) => sql`
    select ${kind}::text as kind, ${levelOf(kind)}::int as level, ${caseKindTable[kind].hours}::int as hours,
      ${[...operatorRoleTable[caseKindTable[kind].may]]}::text[] as deciders, source.*
    from (${open}) ${namedSource}
    ${subjectId === null ? sql`` : sql`where source.subject_id = ${subjectId}`}`,
    );
  return sql`
    select source.kind, source.subject_id, coalesce(source.opened_at, source.ends_at) as opened_at, source.title,
      source.tag, source.business_id, source.account_ids,
      least(greatest(source.opened_at + make_interval(hours => source.hours), asked.back_at + interval '1 day'),
        source.ends_at) as deadline,
      asked.waits_until, asked.asked_ids, case when asked.waits_until is null then asked.answered_at end as answered_at, ${caseLanguage} as language,
      coalesce(work.priority, source.priority, source.level)::int as priority,
      case when operator.account_id is null then (select rule.account_id from case_assignments rule
        join operators assignee on assignee.account_id = rule.account_id and assignee.removed_at is null
          and assignee.added_at <= rule.created_at
          and assignee.roles && source.deciders and not ${isAbout(sql`assignee.account_id`)}
        where coalesce(rule.kind, source.kind) = source.kind and (rule.language is null or rule.language = ${caseLanguage})
        order by rule.kind nulls last, rule.language nulls last limit 1) end as assigned_to,
      operator.account_id as claimed_by, case when operator.account_id is not null then work.claimed_at end as claimed_at,
      ${isAbout(accountId)} as is_own
    from (${sql.join(sources, sql` union all `)}) source
    left join case_work work on work.kind = source.kind and work.subject_id = source.subject_id
    left join operators operator on operator.account_id = work.claimed_by and operator.removed_at is null
    left join (
      select ticket.case_kind, ticket.case_subject, max(ticket.due_at) filter (where ticket.status = 'waiting') as waits_until,
        array_agg(ticket.account_id) filter (where ticket.status = 'waiting') as asked_ids,
        max(ticket.open_since) filter (where ticket.status = 'open') as answered_at,
        max(case ticket.status when 'waiting' then ticket.due_at else ticket.open_since end) as back_at
      from tickets ticket where ticket.case_subject is not null ${subjectId === null ? sql`` : sql`and ticket.case_subject = ${subjectId}`}
      group by ticket.case_kind, ticket.case_subject
    ) asked on asked.case_kind = source.kind and asked.case_subject = source.subject_id`;
}

const isWaiting = (now: Date) => sql`coalesce(waits_until > ${now}, false)`;

const namedColumns = sql`open.*, business.name as business_name, claimer.name as claimer_name,
  assignee.name as assignee_name,
  (select author.name from case_notes step join accounts author on author.id = step.author_id
    where step.kind = open.kind and step.subject_id = open.subject_id and step.what = 'hand-over' and step.to_id = open.claimed_by
      and step.at >= open.claimed_at order by step.at desc limit 1) as handed_by,
  (select count(*)::int from case_notes note where note.kind = open.kind and note.subject_id = open.subject_id and note.what = 'note')
    as notes,
  array(select distinct case when member.account_id is null then 'person' else 'business' end
    from unnest(open.asked_ids) asked (id) left join business_members member
      on member.business_id = open.business_id and member.account_id = asked.id order by 1) as waits_for,
  exists (select from second_approvals approval where approval.state = 'waiting' and approval.kind = open.kind
    and approval.subject_id = open.subject_id) as awaits_approval`;
const withNames = sql`left join businesses business on business.id = open.business_id
  left join accounts claimer on claimer.id = open.claimed_by left join accounts assignee on assignee.id = open.assigned_to`;

export type CaseFilter = {
  mine: boolean;
  unclaimed: boolean;
  overdue: boolean;
  /** Null includes both cases that wait for an answer and the others. */
  waiting: boolean | null;
  claimedBy: string | null;
  language: Language | null;
  text: string | null;
  /** Finds names and titles that are close to the text, where none has its words. */
  isSimilar: boolean;
};

export type CaseCursor = readonly [priority: number, deadline: string, subjectId: string];

/** A page of open cases that don't involve this account, most urgent first, then by deadline. */
export async function findCases(
  db: Db,
  operator: { accountId: string; kinds: readonly CaseKind[]; now: Date },
  filter: CaseFilter,
  page: { after: CaseCursor | null; limit: number },
): Promise<CaseRow[]> {
  if (operator.kinds.length === 0) return [];
  const { after } = page;
  const { rows } = await sql<CaseRow>`
    select ${namedColumns} from (
      select * from (${openCases(operator.kinds, operator.accountId)}) every_case
      where not is_own ${filter.waiting === null ? sql`` : sql`and ${isWaiting(operator.now)} = ${filter.waiting}`}
        ${filter.claimedBy ? sql`and claimed_by = ${filter.claimedBy}` : sql``}
        ${filter.language ? sql`and language = ${filter.language}` : sql``}
        ${filter.mine ? sql`and ${operator.accountId}::uuid in (claimed_by, assigned_to)` : sql``}
        ${filter.unclaimed ? sql`and claimed_by is null` : sql``}
        ${filter.text ? sql`and ${matchesText('every_case', filter.text, filter.isSimilar)}` : sql``}
        ${filter.overdue ? sql`and deadline < ${operator.now}` : sql``}
        ${after ? sql`and (priority, deadline, subject_id) > (${after[0]}::int, ${after[1]}::timestamptz, ${after[2]}::uuid)` : sql``}
      order by priority, deadline, subject_id limit ${page.limit}) open ${withNames}
    order by open.priority, open.deadline, open.subject_id`.execute(db);
  return rows;
}

/**
 * Open cases that concern a person or a business they belong to, or a business or its members' requests, by deadline,
 * including waiting ones.
 */
export async function findCasesAbout(
  db: Db,
  operator: { accountId: string; kinds: readonly CaseKind[] },
  { kind, id }: { kind: 'person' | 'business'; id: string },
  limit: number,
): Promise<CaseRow[]> {
  if (operator.kinds.length === 0) return [];
  const isConcerned =
    kind === 'person'
      ? sql`(${id}::uuid = any (account_ids) or business_id in
        (select member.business_id from business_members member where member.account_id = ${id}))`
      : sql`(business_id = ${id} or every_case.kind = 'ticket' and account_ids && array(
        select member.account_id from business_members member where member.business_id = ${id}))`;
  const { rows } = await sql<CaseRow>`
    select ${namedColumns} from (
      select * from (${openCases(operator.kinds, operator.accountId)}) every_case
      where not is_own and ${isConcerned}
      order by deadline, subject_id limit ${limit}) open ${withNames}
    order by open.deadline, open.subject_id`.execute(db);
  return rows;
}

/** One open case, even if it involves this account. */
export async function findCase(
  db: Db,
  accountId: string,
  { kind, subjectId }: { kind: CaseKind; subjectId: string },
): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`
    select ${namedColumns} from (${openCases([kind], accountId, subjectId)}) open ${withNames}`.execute(db);
  return rows[0];
}

/** Operators never read cases about themselves or their businesses. */
export const isForeign = (
  accountId: string,
) => sql`not (${accountId} = any (closed.account_ids)) and not exists (
  select from business_members member where member.business_id = closed.business_id and member.account_id = ${accountId})`;

/** Open cases, and those decided this week, against their deadlines; days and weeks begin in the time zone. */
export async function countFigures(
  db: Db,
  operator: { accountId: string; kinds: readonly CaseKind[]; now: Date },
  timeZone: string,
): Promise<CaseFigures> {
  const none = {
    overdue: 0,
    dueToday: 0,
    open: 0,
    breachedToday: 0,
    breachedThisWeek: 0,
    decidedThisWeek: 0,
    inTimeThisWeek: 0,
  };
  if (operator.kinds.length === 0) return none;
  const start = (unit: 'day' | 'week') =>
    sql`(date_trunc(${sql.lit(unit)}, ${operator.now}::timestamptz at time zone ${timeZone}) at time zone ${timeZone})`;
  const tomorrow = sql`((date_trunc('day',
    ${operator.now}::timestamptz at time zone ${timeZone}) + interval '1 day') at time zone ${timeZone})`;
  const { rows } = await sql<CaseFigures>`
    with open_case as (
      select deadline from (${openCases(operator.kinds, operator.accountId)}) every_case where not is_own and not ${isWaiting(operator.now)}
    ), decided as (
      select deadline, decided_at from closed_cases closed where decided_at >= ${start('week')} and deadline is not null
        and kind = any (${[...operator.kinds]}::text[]) and ${isForeign(operator.accountId)}
    ), breach as (
      select deadline as at from open_case where deadline < ${operator.now}
      union all select deadline from decided where decided_at > deadline
    )
    select (select count(*)::int from open_case where deadline < ${operator.now}) as overdue,
      (select count(*)::int from open_case where deadline >= ${operator.now} and deadline < ${tomorrow}) as due_today,
      (select count(*)::int from open_case) as open,
      (select count(*)::int from breach where at >= ${start('day')}) as breached_today,
      (select count(*)::int from breach where at >= ${start('week')}) as breached_this_week,
      (select count(*)::int from decided) as decided_this_week,
      (select count(*)::int from decided where decided_at <= deadline) as in_time_this_week`.execute(db);
  return rows[0] ?? none;
}

export type CountRow = {
  kind: CaseKind;
  open: number;
  forOthers: number;
  unclaimed: number;
  mine: number;
  overdue: number;
  waiting: number;
  oldestAt: Date | null;
};

/** True for a case about this operator's own decision or request, which another operator must decide. */
const isOfOwnDecision = (accountId: string) => sql<boolean>`case
  when every_case.kind = 'appeal'
    then exists (select from appeals where id = every_case.subject_id and sanction_by = ${accountId})
  when every_case.kind in ('second_approval', 'correction')
    then exists (select from second_approvals where id = every_case.subject_id and requested_by = ${accountId})
  else every_case.kind = 'business_verification' and ${accountId}::uuid = any (every_case.account_ids) end`;

/**
 * Counts cases after an optimization fence: a filter within the sources would look up the people of each case
 * twice.
 */
export async function countCases(
  db: Db,
  operator: { accountId: string; kinds: readonly CaseKind[]; now: Date },
): Promise<CountRow[]> {
  if (operator.kinds.length === 0) return [];
  const { rows } = await sql<CountRow>`
    select kind, count(*) filter (where decidable)::int as open,
      count(*) filter (where is_own and not waits and ${isOfOwnDecision(operator.accountId)})::int as for_others,
      count(*) filter (where decidable and claimed_by is null)::int as unclaimed,
      count(*) filter (where decidable and ${operator.accountId}::uuid in (claimed_by, assigned_to))::int as mine,
      count(*) filter (where decidable and deadline < ${operator.now})::int as overdue,
      count(*) filter (where waits and not is_own)::int as waiting, min(opened_at) filter (where decidable) as oldest_at
    from (select every_case.*, ${isWaiting(operator.now)} as waits, not is_own and not ${isWaiting(operator.now)} as decidable from (${openCases(operator.kinds, operator.accountId)}) every_case
      offset 0) every_case
    group by kind`.execute(db);
  return rows;
}

/**
 * Cases that an operator decided and that come back with an answer from outside: answered requests, and businesses and
 * people asked for more. Indexes: `tickets_waiting`, `businesses_asked`, `identity_checks_asked`.
 */
export const waitingOutside = sql`
  select 'ticket', id, account_id, null::uuid from tickets where status = 'waiting' and case_kind is null
  union all select 'business_verification', id, null, id from businesses where status = 'needs_info'
  union all select 'identity', sent.id, sent.account_id, null from identity_checks sent where sent.status = 'needs_info'
    and not exists (select from identity_checks later where later.account_id = sent.account_id
      and (later.submitted_at, later.id) > (sent.submitted_at, sent.id))`;

/** Counts the cases of `waitingOutside` by kind, except those about the account. */
export async function countAnswered(db: Db, accountId: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::int as count from (${waitingOutside}) waiting (kind, subject_id, account_id, business_id)
    where account_id is distinct from ${accountId}::uuid and not exists (select from business_members member
      where member.business_id = waiting.business_id and member.account_id = ${accountId})
      and exists (select from closed_cases closed where closed.kind = waiting.kind and closed.subject_id = waiting.subject_id)
    group by kind`.execute(db);
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}

type Subject = { kind: CaseKind; subjectId: string };

/** Null if nobody has claimed the case, or the claimer is no longer an operator. */
export async function findClaimer(db: Db, { kind, subjectId }: Subject): Promise<string | null> {
  const row = await db
    .selectFrom('case_work')
    .innerJoin('operators', 'operators.accountId', 'case_work.claimedBy')
    .select('operators.accountId')
    .where('case_work.kind', '=', kind)
    .where('case_work.subjectId', '=', subjectId)
    .where('operators.removedAt', 'is', null)
    .executeTakeFirst();
  return row?.accountId ?? null;
}

/** Claims a case that no current operator holds; returns false if one does. */
export async function takeClaim(
  tx: Tx,
  { kind, subjectId }: Subject,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into case_work (kind, subject_id, claimed_by, claimed_at) values (${kind}, ${subjectId}, ${accountId}, ${now})
    on conflict (kind, subject_id) do update set claimed_by = excluded.claimed_by, claimed_at = excluded.claimed_at
    where case_work.claimed_by is null or not exists (select from operators operator
      where operator.account_id = case_work.claimed_by and operator.removed_at is null)
    returning kind`.execute(tx);
  return rows.length > 0;
}

/** Passes a claim on, or ends it; returns false unless `from` still holds it (null: nobody). */
export async function moveClaim(
  tx: Tx,
  { kind, subjectId }: Subject,
  claim: { from: string | null; to: string | null; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into case_work (kind, subject_id, claimed_by, claimed_at)
      values (${kind}, ${subjectId}, ${claim.to}, ${claim.to === null ? null : claim.at})
    on conflict (kind, subject_id) do update set claimed_by = excluded.claimed_by, claimed_at = excluded.claimed_at
    where case_work.claimed_by is not distinct from ${claim.from}::uuid or ${claim.from}::uuid is null
      and not exists (select from operators operator
        where operator.account_id = case_work.claimed_by and operator.removed_at is null)
    returning kind`.execute(tx);
  return rows.length > 0;
}

/** Ends the claim of the operator whose decision an appeal reversed, on the verification that it opens again. */
export async function releaseReversed(tx: Tx, appealId: string): Promise<void> {
  await sql`update case_work set claimed_by = null, claimed_at = null
    from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id
    where appeal.id = ${appealId} and case_work.kind = 'business_verification'
      and case_work.subject_id = sanction.business_id and case_work.claimed_by = sanction.decided_by`.execute(
    tx,
  );
}

/** Sets the priority of a case that may have no row of work yet. */
export async function setPriority(tx: Tx, { kind, subjectId }: Subject, priority: number): Promise<void> {
  await tx
    .insertInto('case_work')
    .values({ kind, subjectId, priority })
    .onConflict((conflict) => conflict.columns(['kind', 'subjectId']).doUpdateSet({ priority }))
    .execute();
}

export type CaseEntryRow = {
  id: string;
  what: CaseEntry['what'];
  authorId: string;
  authorName: string;
  toId: string | null;
  toName: string | null;
  body: string;
  at: Date;
};

export async function insertEntry(tx: Tx, row: Insertable<CaseNotes>): Promise<void> {
  await tx.insertInto('case_notes').values(row).execute();
}

export async function findEntries(
  db: Db,
  { kind, subjectId }: Subject,
  limit: number,
): Promise<CaseEntryRow[]> {
  return db
    .selectFrom('case_notes')
    .innerJoin('accounts as author', 'author.id', 'case_notes.authorId')
    .leftJoin('accounts as receiver', 'receiver.id', 'case_notes.toId')
    .select(['case_notes.id', 'what', 'authorId', 'author.name as authorName', 'toId', 'body', 'at'])
    .select('receiver.name as toName')
    .where('kind', '=', kind)
    .where('subjectId', '=', subjectId)
    .orderBy('at', 'desc')
    .orderBy('case_notes.id', 'desc')
    .limit(limit)
    .execute();
}

/** Searches all cases, since cases about a removed account are no longer known. */
export async function eraseCaseNotes(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update case_notes set body = ${withoutWords('body', member)}
    where exists (select from unnest(${[...member.words]}::text[]) word
      where length(word) >= 3 and strpos(lower(body), lower(word)) > 0)`.execute(tx);
}

/** The operators whose decision a case reviews. They may not decide it, although it doesn't concern them. */
const firstDeciders = (subjectId: string) => sql`(
  select contested_by from report_cases where id = ${subjectId} and contested_by is not null
  union all select contested_by from chat_reports where id = ${subjectId} and contested_by is not null
  union all select unnest(${dismissersOf(sql`sanction`)} || appeal.sanction_by)
    from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id where appeal.id = ${subjectId}
  union all select decided_by from sanctions where business_id = ${subjectId} and ending = 'overturned')`;

/** The people that a case concerns, by the accounts of its source. */
export async function findConcerned(
  db: Db,
  { subjectId, accountIds }: Pick<CaseRow, 'subjectId' | 'accountIds'>,
): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select id from unnest(${[...accountIds]}::uuid[]) as concerned (id)
    where id not in ${firstDeciders(subjectId)}`.execute(db);
  return rows.map(({ id }) => id);
}

type Concerned = CaseFile['people'][number];

/** The people on the sides of a case: those it concerns, its reporters, and recruiters of its business. */
export async function findPeople(
  db: Db,
  { subjectId, accountIds, businessId }: Pick<CaseRow, 'subjectId' | 'accountIds' | 'businessId'>,
  limit: number,
): Promise<Concerned[]> {
  const { rows } = await sql<Concerned>`
    select account.id as account_id, account.name, settings.language,
      case when member.role is not null then 'business'
        when account.id in (
          select report.account_id from report_cases reported
            join reports report on report.case_id in (reported.id, reported.contested_id) where reported.id = ${subjectId}
          union all select account_id from chat_reports where id = ${subjectId}
          union all select report.account_id from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id
            join chat_reports report on ${isReportOf(sql`sanction`)} where appeal.id = ${subjectId}
          union all select report.account_id from appeals appeal join sanctions sanction on sanction.id = appeal.sanction_id
            join report_cases reported on reported.id = sanction.case_id
            join reports report on report.case_id in (reported.id, reported.contested_id) where appeal.id = ${subjectId})
          then 'reporter'
        else 'worker' end as side
    from accounts account
    left join account_settings settings on settings.account_id = account.id
    left join business_members member on member.account_id = account.id and member.business_id = ${businessId}
    where (account.id = any(${[...accountIds]}::uuid[]) or member.role in ${recruiters})
      and account.id not in ${firstDeciders(subjectId)}
    order by side desc, array_position(${rolesFor('applicants')}, member.role), account.name, account.id limit ${limit}`.execute(
    db,
  );
  return rows;
}
