import { currencies } from '@nearhand/contract/currencies';
import type { LedgerEntry } from '@nearhand/contract/money/corrections';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { type Found, type FoundRecord, staffSearch } from '@nearhand/contract/trust/staff-search';
import {
  type FoundKind,
  foundKinds,
  isRecordId,
  searchLimits,
} from '@nearhand/contract/trust/staff-search.rules';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { viewEntry } from '../../money/corrections/corrections.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findEarlier } from '../sanctions/sanctions.sql.ts';
import { toSanction } from '../sanctions/sanctions.ts';
import { personOverview } from './person-overview.ts';
import { personTimeline } from './timeline.ts';

const cursor = z.tuple([z.uuid()]);

/** Finds records by id, name or email, for operators; without a kind, the first few of each. */
async function findForStaff(
  db: Db,
  _scope: Scope,
  input: { kind?: FoundKind | undefined; words: string } & PageInput,
): Promise<Page<Found>> {
  const before = decodeCursor(input.cursor, cursor)?.[0] ?? null;
  const { kind, words, limit } = input;
  const recordId = isRecordId(words) ? words.toLowerCase() : null;
  if (kind === undefined) {
    const firstRows = { before: null, limit: searchLimits.ofEachKind };
    const rows = await Promise.all(
      foundKinds.map((everyKind) => findRecords(db, everyKind, { words, recordId }, firstRows)),
    );
    return { items: rows.flat().map(toFound), nextCursor: null };
  }
  const rows = await findRecords(db, kind, { words, recordId }, { before, limit: limit + 1 });
  const page = cutPage(rows, limit, ({ id }) => [id]);
  return { items: page.items.map(toFound), nextCursor: page.nextCursor };
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
    person: kind === 'person' ? await personOverview(db, scope, id) : null,
  };
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

type FoundRow = {
  kind: FoundKind;
  id: string;
  title: string;
  status: string;
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

/** `words` is an email if it has an @. */
const accountsLike = (words: string, page: Keyset) =>
  words.includes('@')
    ? sql`select id from accounts where email = ${words.toLowerCase()}`
    : sql`select id from accounts where ${nameMatches(sql`name`, words)} ${before('id', page)} order by id desc limit ${page.limit}`;

/** Ignores case and accents; the trigram index has the same expression. */
const nameMatches = (name: RawBuilder<unknown>, words: string) =>
  sql`folded_name(${name}) like '%' || regexp_replace(folded_name(${words}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`;

type Keyset = { before: string | null; limit: number };
const before = (column: string, page: Keyset) =>
  page.before === null ? sql`` : sql`and ${sql.ref(column)} < ${page.before}::uuid`;

/** Bounds the people whose engagements are searched. */
const peopleMax = 100;

/** The last four digits of an IBAN or account number. */
const isAccountEnd = (words: string) => /^\d{4}$/.test(words);
/** The payment provider's reference of a payment or withdrawal, such as `pi_3Q…`. */
const isReference = (words: string) => /^[a-z]+_\w+$/.test(words);

/** One index per kind of record. */
function matches(kind: FoundKind, words: string, recordId: string | null, page: Keyset): RawBuilder<unknown> {
  switch (kind) {
    case 'person':
      if (recordId !== null)
        return sql`select ${recordId}::uuid as id union select account_id from withdrawals where id = ${recordId}`;
      if (isAccountEnd(words)) return sql`select account_id from payout_methods where last4 = ${words}`;
      if (isReference(words)) return sql`select account_id from withdrawals where provider_ref = ${words}`;
      return accountsLike(words, page);
    case 'business':
      if (recordId !== null)
        return sql`select ${recordId}::uuid as id union select business_id from charges where id = ${recordId}`;
      if (isReference(words)) return sql`select business_id from charges where provider_ref = ${words}`;
      if (words.includes('@'))
        return sql`select id from businesses where lower(email) = ${words.toLowerCase()}`;
      return sql`select id from businesses where registration_number = ${words} and registration_number <> ''
        union select id from businesses where ${nameMatches(sql`name || ' ' || legal_name`, words)}`;
    case 'job':
      return recordId === null
        ? sql`select id from jobs where ${nameMatches(sql`title`, words)}`
        : sql`select ${recordId}::uuid as id union select id from jobs where business_id = ${recordId}`;
    case 'engagement':
      return recordId === null
        ? sql`select id from engagements where worker_id in (${accountsLike(words, { before: null, limit: peopleMax })})`
        : sql`select ${recordId}::uuid as id
            union select id from engagements where worker_id = ${recordId}
            union select id from engagements where business_id = ${recordId}
            union select id from engagements where job_id = ${recordId}`;
  }
}

const sources = { person, business, job, engagement };
const ids = {
  person: sql`account.id`,
  business: sql`business.id`,
  job: sql`job.id`,
  engagement: sql`work.id`,
};

/** A keyset page of records of one kind that match words or an id. Exported for the test of its plan. */
export function searchStatement(
  kind: FoundKind,
  query: { words: string; recordId: string | null },
  page: Keyset,
): RawBuilder<FoundRow> {
  const after = page.before === null ? sql`` : sql`and ${ids[kind]} < ${page.before}::uuid`;
  return sql<FoundRow>`${sources[kind]}
    where ${ids[kind]} in (${matches(kind, query.words, query.recordId, page)}) ${after}
    order by ${ids[kind]} desc limit ${page.limit}`;
}

async function findRecords(
  db: Db,
  kind: FoundKind,
  query: { words: string; recordId: string | null },
  page: Keyset,
): Promise<FoundRow[]> {
  return (await searchStatement(kind, query, page).execute(db)).rows;
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
    business: sql`select jsonb_build_object('legal_name', legal_name, 'registration_number', registration_number, 'address', address,
        'country', country_code, 'phone', phone, 'website', website) as facts from businesses where id = ${id}`,
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
  'hold',
  'hold_promo',
  'worker_pending',
  'worker_available',
  'worker_reserved',
];

/** A keyset page of the ledger entries of a person or business. Exported for the test of its plan. */
export function entriesStatement(
  recordId: string,
  currencies: readonly string[],
  page: Keyset,
): RawBuilder<{ id: string }> {
  const older = before('entry_id', page);
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
      union all select entry_id from releases where id = ${recordId} or engagement_id = ${recordId}
      union all select entry.id from tips tip join ledger_entries entry on entry.key = ('tip/' || tip.id) collate "C"
        where tip.id = ${recordId} or tip.engagement_id = ${recordId}
    )
    select distinct id from found where id is not null ${before('id', page)} order by id desc limit ${page.limit}`;
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
  timeline: read(staffSearch.timeline, personTimeline),
  entries: read(staffSearch.entries, entriesForStaff),
};
