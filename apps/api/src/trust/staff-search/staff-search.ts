import { currencies } from '@nearhand/contract/currencies';
import type { LedgerEntry } from '@nearhand/contract/money/corrections';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { operatorMay } from '@nearhand/contract/operator-roles';
import {
  type Found,
  type FoundRecord,
  type SearchResult,
  staffSearch,
} from '@nearhand/contract/trust/staff-search';
import {
  type FoundKind,
  type SearchKind,
  searchKinds,
  searchLimits,
} from '@nearhand/contract/trust/staff-search.rules';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { viewEntry } from '../../money/corrections/corrections.ts';
import { goodwillPaid } from '../../money/corrections/goodwill.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  beforeCursor,
  businessesLike,
  closeMatches,
  isSimilarName,
  joinedRequest,
  type Keyset,
  matchedMax,
  nameMatches,
  peopleLike,
  type Query,
  readQuery,
  requestsSaying,
  similarName,
  swapMatches,
  ticketText,
  unionOf,
  wordsOf,
} from '../cases/typed-words.sql.ts';
import { rolesOf } from '../operators/operators.ts';
import { findEarlier } from '../sanctions/sanctions.sql.ts';
import { toSanction } from '../sanctions/sanctions.ts';
import { latestApproval } from '../second-approvals/second-approvals.ts';
import { customerOverview } from './customer-overview.ts';
import { customerTimeline } from './timeline.ts';

const cursor = z.tuple([z.uuid()]);

/**
 * Finds records by what people say or paste, for operators; without a kind, the first few of each. Requests are for
 * operators who may answer them. If nothing has the words, it finds similar names.
 * @throws operator/role-required, request/bad-cursor
 */
async function findForStaff(
  db: Db,
  scope: Scope,
  input: { kind?: SearchKind | undefined; words: string } & PageInput,
): Promise<Page<SearchResult>> {
  const before = decodeCursor(input.cursor, cursor)?.[0] ?? null;
  const { kind, limit } = input;
  const query = { ...readQuery(input.words), readerId: scope.actor.accountId };
  const readsTickets = operatorMay(await rolesOf(db, scope.actor.accountId), 'tickets');
  if (kind === 'ticket' && !readsTickets) throw new AppError('operator/role-required');
  const kinds = kind ? [kind] : searchKinds.filter((searchKind) => searchKind !== 'ticket' || readsTickets);
  const rowsMax = kind ? limit + 1 : searchLimits.ofEachKind;
  const search = async (isSimilar: boolean): Promise<SearchRow[]> => {
    const rows: SearchRow[] = [];
    for (const searchKind of kinds) {
      const page = { before, limit: isSimilar ? Math.min(rowsMax, searchLimits.similar) : rowsMax };
      const statement = isSimilar
        ? similarStatement(searchKind, query, page)
        : searchStatement(searchKind, query, page);
      if (statement) rows.push(...(await statement.execute(db)).rows);
    }
    return rows;
  };
  const rows = await search(false);
  if (rows.length === 0 && before === null)
    return { items: (await search(true)).map((row) => toResult(row, true)), nextCursor: null };
  if (!kind) return { items: rows.map((row) => toResult(row, false)), nextCursor: null };
  const page = cutPage(rows, limit, ({ id }) => [id]);
  return { items: page.items.map((row) => toResult(row, false)), nextCursor: page.nextCursor };
}

/** Returns a record with related ones and decisions, for operators. */
async function recordForStaff(
  db: Db,
  scope: Scope,
  { kind, id }: { kind: FoundKind; id: string },
): Promise<FoundRecord> {
  if (kind === 'person' && id === scope.actor.accountId) throw new AppError('operator/own-record');
  const row = await findRecord(db, kind, id);
  if (!row) throw new AppError('search/not-found');
  const target = kind === 'person' ? 'account' : kind;
  const decisions =
    target === 'engagement' ? [] : await findEarlier(db, { kind: target, id }, searchLimits.related);
  const related = await findRelated(db, kind, id, searchLimits.related);
  return {
    item: toFound(row),
    details: await findDetails(db, kind, id),
    related: related.map(toFound),
    sanctions: decisions.map((decision) => toSanction(decision, scope.clock.now())),
    goodwill: await findGoodwill(db, scope, { kind, id }),
    customer:
      kind === 'person' || kind === 'business' ? await customerOverview(db, scope, { kind, id }) : null,
  };
}

async function findGoodwill(
  db: Db,
  scope: Scope,
  { kind, id }: { kind: FoundKind; id: string },
): Promise<FoundRecord['goodwill']> {
  if (kind !== 'person' && kind !== 'business') return { waiting: null, paid: [] };
  const latest = await latestApproval(db, { kind: 'goodwill', subjectId: id }, scope.clock.now());
  const paid = await goodwillPaid(db, { kind, id });
  return { waiting: latest?.state === 'waiting' ? latest : null, paid };
}

/** Lists ledger entries of a record, for operators with the role. */
async function entriesForStaff(
  db: Db,
  _scope: Scope,
  input: { recordId: string } & PageInput,
): Promise<Page<LedgerEntry>> {
  const before = decodeCursor(input.cursor, cursor)?.[0] ?? null;
  const ids = await findEntryIds(db, input.recordId, currencies, { before, limit: input.limit + 1 });
  const page = cutPage(ids, input.limit, (id) => [id]);
  const items: LedgerEntry[] = [];
  for (const id of page.items) {
    const entry = await viewEntry(db, id);
    if (entry) items.push(entry);
  }
  return { items, nextCursor: page.nextCursor };
}

const toFound = ({ createdAt, ...row }: FoundRow): Found => ({
  ...row,
  createdAt: createdAt.toISOString(),
});

const toResult = ({ createdAt, ...row }: SearchRow, similar: boolean): SearchResult => ({
  ...row,
  similar,
  createdAt: createdAt.toISOString(),
});

type SearchRow = Omit<FoundRow, 'kind'> & { kind: SearchKind };
type FoundRow = {
  kind: FoundKind;
  id: string;
  title: string;
  status: Found['status'];
  of: string | null;
  email: string | null;
  createdAt: Date;
};

const person = sql`select 'person' as kind, account.id, account.name as title,
    case when account.disabled_at is not null then 'disabled' when account.email_verified then 'verified' else 'unverified' end as status,
    null::text as of, account.email, account.created_at
  from accounts account`;
const business = sql`select 'business' as kind, business.id, business.name as title, business.status, null::text as of, business.email,
    business.created_at
  from businesses business`;
const job = sql`select 'job' as kind, job.id, job.title, job.status, business.name as of, null::text as email, job.created_at
  from jobs job join businesses business on business.id = job.business_id`;
const engagement = sql`select 'engagement' as kind, work.id, worker.name as title, work.status, work.terms ->> 'title' as of,
    null::text as email, work.created_at
  from engagements work join accounts worker on worker.id = work.worker_id`;

// Nobody has shown yet that an unconfirmed request is of its address, so its words stay unread (ADR 411).
const ticket = sql`select 'ticket' as kind, ticket.id, ticket.status,
    case ticket.status when 'unconfirmed' then 'Request to confirm' else ticket.subject end as title,
    case when ticket.status <> 'unconfirmed' then coalesce(nullif(ticket.name, ''), 'No name') end as of,
    coalesce(ticket.email, author.email) as email, ticket.created_at
  from tickets ticket left join accounts author on author.id = ticket.account_id`;

type Reader = Query & { readerId: string };

function matches(kind: SearchKind, query: Query, page: Keyset): RawBuilder<unknown> {
  const { recordId, names, email, shortId, caseNumber } = query;
  const address = email?.includes('@') ? email : null;
  switch (kind) {
    case 'person':
      return recordId === null
        ? peopleLike(query, page)
        : sql`select ${recordId}::uuid as id union select account_id from withdrawals where id = ${recordId}
            union select account_id from tickets where id = ${recordId}`;
    case 'business':
      return recordId === null
        ? businessesLike(query)
        : sql`select ${recordId}::uuid as id union select business_id from charges where id = ${recordId}`;
    case 'job':
      if (recordId !== null)
        return sql`select ${recordId}::uuid as id union select id from jobs where business_id = ${recordId}`;
      return unionOf([
        sql`select id from jobs where ${nameMatches(sql`title`, names)}`,
        shortId !== null && sql`select id from jobs where short_id = ${shortId}`,
      ]);
    case 'engagement':
      return recordId === null
        ? sql`select id from engagements where worker_id in (${peopleLike(query, { before: null, limit: matchedMax })})`
        : sql`select ${recordId}::uuid as id
            union select id from engagements where worker_id = ${recordId}
            union select id from engagements where business_id = ${recordId}
            union select id from engagements where job_id = ${recordId}`;
    case 'ticket':
      if (recordId !== null)
        return sql`select ${recordId}::uuid as id union select id from tickets where account_id = ${recordId}`;
      return sql`select ${joinedRequest} from tickets where id in (${unionOf([
        sql`select id from tickets where ${nameMatches(ticketText, wordsOf(query))}`,
        requestsSaying(query),
        address !== null &&
          sql`select id from tickets where account_id in (select id from accounts where email = ${address})`,
        caseNumber !== null && sql`select id from tickets where right(id::text, 6) = ${caseNumber}`,
      ])})`;
  }
}

const sources = { person, business, job, engagement, ticket };
const ids = {
  person: sql`account.id`,
  business: sql`business.id`,
  job: sql`job.id`,
  engagement: sql`work.id`,
  ticket: sql`ticket.id`,
};

/**
 * Staff see confirmed support requests, but not their own; of an unconfirmed one only that it exists, by its whole address
 * (ADR 411). Questions about a case are in that case.
 */
const isVisible = (kind: SearchKind, { readerId, email }: Reader) =>
  kind === 'ticket'
    ? sql`and (ticket.status <> 'unconfirmed' or ticket.email = ${email}) and ticket.case_kind is null
        and ticket.account_id is distinct from ${readerId}`
    : sql``;

/** A keyset page of records of one kind that match what was typed. Exported for the test of its plan. */
export function searchStatement(kind: SearchKind, query: Reader, page: Keyset): RawBuilder<SearchRow> {
  const after = page.before === null ? sql`` : sql`and ${ids[kind]} < ${page.before}::uuid`;
  return sql<SearchRow>`${sources[kind]}
    where ${ids[kind]} in (${matches(kind, query, page)}) ${isVisible(kind, query)} ${after}
    order by ${ids[kind]} desc limit ${page.limit}`;
}

/**
 * Records whose name is close to the words, the closest first: with a letter missing, doubled, wrong or swapped with the
 * next. Null for kinds without a name of their own, and for what can't be a name.
 */
export function similarStatement(
  kind: SearchKind,
  query: Reader,
  { limit }: Pick<Keyset, 'limit'>,
): RawBuilder<SearchRow> | null {
  const typedName = similarName(query);
  if (kind === 'engagement' || typedName === null) return null;
  const nameColumns = {
    person: sql`account.name`,
    business: sql`business.name || ' ' || business.legal_name`,
    job: sql`job.title`,
    ticket: sql`ticket.name || ' ' || coalesce(ticket.email, '') || ' ' || ticket.subject`,
  };
  const [words, name] = [sql`folded_name(${typedName})`, sql`folded_name(${nameColumns[kind]})`];
  const typedWords = typedName.split(' ');
  return sql<SearchRow>`${sources[kind]}
    where ${isSimilarName(name, typedName)} ${isVisible(kind, query)}
    order by ${swapMatches(name, typedWords)} desc, ${closeMatches(name, typedWords)} desc,
      greatest(similarity(${words}, ${name}), word_similarity(${words}, ${name})) desc, ${ids[kind]} desc
    limit ${limit}`;
}

async function findRecord(db: Db, kind: FoundKind, id: string): Promise<FoundRow | undefined> {
  const { rows } = await sql<FoundRow>`${sources[kind]} where ${ids[kind]} = ${id}`.execute(db);
  return rows[0];
}

async function findRelated(db: Db, kind: FoundKind, id: string, limit: number): Promise<FoundRow[]> {
  const newest = (column: RawBuilder<unknown>) => sql`order by ${column} desc limit ${limit}`;
  const parts = {
    person: [
      sql`${business} where business.id in (select business_id from business_members where account_id = ${id}) ${newest(sql`business.id`)}`,
      sql`${engagement} where work.worker_id = ${id} ${newest(sql`work.id`)}`,
    ],
    business: [
      sql`${person} where account.id in (select account_id from business_members where business_id = ${id}) ${newest(sql`account.id`)}`,
      sql`${job} where job.business_id = ${id} ${newest(sql`job.created_at`)}`,
    ],
    job: [
      sql`${business} where business.id = (select business_id from jobs where id = ${id})`,
      sql`${engagement} where work.job_id = ${id} ${newest(sql`work.id`)}`,
    ],
    engagement: [
      sql`${person} where account.id = (select worker_id from engagements where id = ${id})`,
      sql`${business} where business.id = (select business_id from engagements where id = ${id})`,
      sql`${job} where job.id = (select job_id from engagements where id = ${id})`,
    ],
  };
  const belonging = sql.join(
    parts[kind].map((part) => sql`select * from (${part}) part`),
    sql` union all `,
  );
  const { rows } = await sql<FoundRow>`select belonging.* from (${belonging}) belonging`.execute(db);
  return rows;
}

async function findDetails(db: Db, kind: FoundKind, id: string): Promise<{ name: string; value: string }[]> {
  const facts = {
    person: sql`select jsonb_build_object('phone', profile.phone, 'place', profile.home_label) as facts
      from accounts account left join profiles profile on profile.account_id = account.id where account.id = ${id}`,
    business: sql`select jsonb_build_object('legal_name', legal_name, 'registration_number', registration_number, 'vat_id', vat_id,
        'address', address, 'country', country_code, 'phone', phone, 'website', website) as facts from businesses where id = ${id}`,
    job: sql`select jsonb_build_object('kind', kind, 'spots', head_count, 'starts', starts_at, 'description', description) as facts
      from jobs where id = ${id}`,
    engagement: sql`select jsonb_build_object('kind', kind, 'starts', starts_at, 'ends', ends_at, 'funding', funding) as facts
      from engagements where id = ${id}`,
  };
  const { rows } = await sql<{ name: string; value: string }>`
    select key as name, value from (${facts[kind]}) found, jsonb_each_text(found.facts)
    where value is not null and value <> ''`.execute(db);
  return rows;
}

const ownedKinds = [
  'business_balance',
  'business_promo',
  'business_credit',
  'hold',
  'hold_promo',
  'worker_pending',
  'worker_available',
  'worker_reserved',
];

/** A keyset page of the ledger entries of a record, such as a person, booked work or a withdrawal. Exported for the test of its plan. */
export function entriesStatement(
  recordId: string,
  currencies: readonly string[],
  page: Keyset,
): RawBuilder<{ id: string }> {
  const older = beforeCursor('entry_id', page);
  return sql<{ id: string }>`
    with account as (
      select kind || ':' || ${recordId}::text || ':' || currency as id
      from unnest(${ownedKinds}::text[]) kind cross join unnest(${[...currencies]}::text[]) currency
      union all select kind || ':' || hold.id || ':' || hold.currency
        from holds hold cross join (values ('hold'), ('hold_promo')) part (kind) where hold.engagement_id = ${recordId}
    ), found as (
      select id from ledger_entries where id = ${recordId}
      union all select id from ledger_entries where reverses = ${recordId}
      union all select of_account.entry_id from account cross join lateral (
        select entry_id from ledger_postings where account_id = (account.id collate "C") ${older}
        order by account_id desc, entry_id desc, line_no desc limit ${page.limit}) of_account
      union all select id from ledger_entries where key in (('reserve/' || ${recordId}) collate "C", ('unreserve/' || ${recordId}) collate "C",
        ('paid/' || ${recordId}) collate "C", ('returned/' || ${recordId}) collate "C")
      union all select entry_id from releases where id = ${recordId} or engagement_id = ${recordId}
      union all select entry.id from tips tip join ledger_entries entry on entry.key = ('tip/' || tip.id) collate "C"
        where tip.id = ${recordId} or tip.engagement_id = ${recordId}
    )
    select distinct id from found where id is not null ${beforeCursor('id', page)} order by id desc limit ${page.limit}`;
}

async function findEntryIds(
  db: Db,
  recordId: string,
  currencies: readonly string[],
  page: Keyset,
): Promise<string[]> {
  const { rows } = await entriesStatement(recordId, currencies, page).execute(db);
  return rows.map(({ id }) => id);
}

export const staffSearchRoutes = {
  find: read(staffSearch.find, findForStaff),
  get: read(staffSearch.get, recordForStaff),
  timeline: read(staffSearch.timeline, customerTimeline),
  entries: read(staffSearch.entries, entriesForStaff),
};
