import { type CaseKind, caseKindTable, casePriorities } from '@nearhand/contract/case-kinds';
import type { CaseEntry } from '@nearhand/contract/trust/cases';
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
import type { CaseNotes } from '../../platform/tables.gen.ts';
import { caseSources } from './case-sources.sql.ts';

export type CaseRow = {
  kind: CaseKind;
  subject_id: string;
  opened_at: Date;
  deadline: Date;
  title: string;
  tag: string | null;
  priority: number;
  business_id: string | null;
  business_name: string | null;
  account_ids: string[];
  claimed_by: string | null;
  claimer_name: string | null;
  claimed_at: Date | null;
  notes: number;
  awaits_approval: boolean;
  is_own: boolean;
};

const levelOf = (kind: CaseKind): number => casePriorities.indexOf(caseKindTable[kind].priority) + 1;

/** The open cases of these kinds, each from the tables of its owner, with the work on it. A removed operator holds no claim. */
function openCases(kinds: readonly CaseKind[], accountId: string, subjectId: string | null = null) {
  const sources = caseSources
    .filter(({ kind }) => kinds.includes(kind))
    .map(
      ({ kind, open }) => sql`
    select ${kind}::text as kind, ${levelOf(kind)}::int as level, ${caseKindTable[kind].hours}::int as hours, source.*
    from (${open}) source (subject_id, opened_at, ends_at, title, tag, priority, business_id, account_ids)
    ${subjectId === null ? sql`` : sql`where source.subject_id = ${subjectId}`}`,
    );
  return sql`
    select source.kind, source.subject_id, coalesce(source.opened_at, source.ends_at) as opened_at, source.title, source.tag, source.business_id, source.account_ids,
      least(source.opened_at + make_interval(hours => source.hours), source.ends_at) as deadline,
      coalesce(work.priority, source.priority, source.level)::int as priority,
      operator.account_id as claimed_by, case when operator.account_id is not null then work.claimed_at end as claimed_at,
      (${accountId} = any (source.account_ids) or exists (select from business_members member
        where member.business_id = source.business_id and member.account_id = ${accountId})) as is_own
    from (${sql.join(sources, sql` union all `)}) source
    left join case_work work on work.kind = source.kind and work.subject_id = source.subject_id
    left join operators operator on operator.account_id = work.claimed_by and operator.removed_at is null`;
}

const named = sql`open.*, business.name as business_name, claimer.name as claimer_name,
  (select count(*)::int from case_notes note where note.kind = open.kind and note.subject_id = open.subject_id and note.what = 'note')
    as notes,
  exists (select from second_approvals approval where approval.state = 'waiting' and approval.kind = open.kind
    and approval.subject_id = open.subject_id) as awaits_approval`;
const withNames = sql`left join businesses business on business.id = open.business_id
  left join accounts claimer on claimer.id = open.claimed_by`;

export type CaseFilter = { mine: boolean; unclaimed: boolean; overdue: boolean };
export type CaseCursor = readonly [priority: number, deadline: string, subjectId: string];

/** A page of open cases that don't involve this account, most urgent first, then by deadline. */
export async function findCases(
  db: Db,
  of: { accountId: string; kinds: readonly CaseKind[]; now: Date },
  filter: CaseFilter,
  page: { after: CaseCursor | null; limit: number },
): Promise<CaseRow[]> {
  if (of.kinds.length === 0) return [];
  const { after } = page;
  const { rows } = await sql<CaseRow>`
    select ${named} from (
      select * from (${openCases(of.kinds, of.accountId)}) every_case
      where not is_own
        ${filter.mine ? sql`and claimed_by = ${of.accountId}` : sql``}
        ${filter.unclaimed ? sql`and claimed_by is null` : sql``}
        ${filter.overdue ? sql`and deadline < ${of.now}` : sql``}
        ${after ? sql`and (priority, deadline, subject_id) > (${after[0]}::int, ${after[1]}::timestamptz, ${after[2]}::uuid)` : sql``}
      order by priority, deadline, subject_id limit ${page.limit}) open ${withNames}
    order by open.priority, open.deadline, open.subject_id`.execute(db);
  return rows;
}

/** One open case, also one that involves this account. */
export async function findCase(
  db: Db,
  accountId: string,
  { kind, subjectId }: { kind: CaseKind; subjectId: string },
): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`
    select ${named} from (${openCases([kind], accountId, subjectId)}) open ${withNames}`.execute(db);
  return rows[0];
}

export type CountRow = {
  kind: CaseKind;
  open: number;
  unclaimed: number;
  mine: number;
  overdue: number;
  oldest_at: Date | null;
};

/** How many open cases there are of each kind, except this account's own. */
export async function countCases(
  db: Db,
  of: { accountId: string; kinds: readonly CaseKind[]; now: Date },
): Promise<CountRow[]> {
  if (of.kinds.length === 0) return [];
  const { rows } = await sql<CountRow>`
    select kind, count(*)::int as open, count(*) filter (where claimed_by is null)::int as unclaimed,
      count(*) filter (where claimed_by = ${of.accountId})::int as mine,
      count(*) filter (where deadline < ${of.now})::int as overdue, min(opened_at) as oldest_at
    from (${openCases(of.kinds, of.accountId)}) every_case where not is_own group by kind`.execute(db);
  return rows;
}

type Subject = { kind: CaseKind; subjectId: string };

/** Who has claimed a case, open or not; null for nobody, or for someone who is no operator any more. */
export async function findClaimer(db: Db, { kind, subjectId }: Subject): Promise<string | null> {
  const row = await db
    .selectFrom('case_work')
    .innerJoin('operators', 'operators.account_id', 'case_work.claimed_by')
    .select('operators.account_id')
    .where('case_work.kind', '=', kind)
    .where('case_work.subject_id', '=', subjectId)
    .where('operators.removed_at', 'is', null)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** Claims a case that no current operator holds; false if one does. */
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

/** Passes a claim on, or ends it, if `from` still holds it (null: nobody). False if that changed in the meantime. */
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

export async function setPriority(tx: Tx, { kind, subjectId }: Subject, priority: number): Promise<void> {
  await tx
    .insertInto('case_work')
    .values({ kind, subject_id: subjectId, priority })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doUpdateSet({ priority }))
    .execute();
}

export type EntryRow = {
  id: string;
  what: CaseEntry['what'];
  author_id: string;
  author_name: string;
  to_id: string | null;
  to_name: string | null;
  body: string;
  at: Date;
};

export async function insertEntry(tx: Tx, row: Insertable<CaseNotes>): Promise<void> {
  await tx.insertInto('case_notes').values(row).execute();
}

/** What operators wrote and did about a case, newest first. */
export async function findEntries(db: Db, { kind, subjectId }: Subject, limit: number): Promise<EntryRow[]> {
  const rows = await db
    .selectFrom('case_notes')
    .innerJoin('accounts as author', 'author.id', 'case_notes.author_id')
    .leftJoin('accounts as receiver', 'receiver.id', 'case_notes.to_id')
    .select(['case_notes.id', 'what', 'author_id', 'author.name as author_name', 'to_id', 'body', 'at'])
    .select('receiver.name as to_name')
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .orderBy('at', 'desc')
    .orderBy('case_notes.id', 'desc')
    .limit(limit)
    .execute();
  return rows as EntryRow[];
}

/** For an account that is removed: notes lose its name, email and phone. Which cases were about it is not known any more, so all are searched. */
export async function forgetCaseNotes(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update case_notes set body = ${withoutWords('body', member)}
    where exists (select from unnest(${[...member.words]}::text[]) word
      where length(word) >= 3 and strpos(lower(body), lower(word)) > 0)`.execute(tx);
}
