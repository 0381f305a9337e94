import { currencies } from '@nearhand/contract/currencies';
import { shortIdIn } from '@nearhand/contract/hiring/public-pages.rules';
import { referencesIn } from '@nearhand/contract/money/bank-transfers.rules';
import type { LedgerEntry } from '@nearhand/contract/money/corrections';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { operatorMay } from '@nearhand/contract/operator-roles';
import { readCaseNumber } from '@nearhand/contract/trust/cases.rules';
import {
  type Found,
  type FoundRecord,
  type SearchResult,
  staffSearch,
} from '@nearhand/contract/trust/staff-search';
import {
  type FoundKind,
  isRecordId,
  type SearchKind,
  searchKinds,
  searchLimits,
} from '@nearhand/contract/trust/staff-search.rules';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { viewEntry } from '../../money/corrections/corrections.ts';
import { feeSeries } from '../../money/statements/statements.rules.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { rolesOf } from '../operators/operators.ts';
import { findEarlier } from '../sanctions/sanctions.sql.ts';
import { toSanction } from '../sanctions/sanctions.ts';
import { personOverview } from './person-overview.ts';
import { personTimeline } from './timeline.ts';

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

const ticket = sql`select 'ticket' as kind, ticket.id, ticket.subject as title, ticket.status,
    coalesce(nullif(ticket.name, ''), 'No name') as of, coalesce(ticket.email, author.email) as email, ticket.created_at
  from tickets ticket left join accounts author on author.id = ticket.account_id`;

/** The typed text, read in each way it can mean. Null where it can't mean that. */
type Query = {
  /** Words of a name, without punctuation around them. */
  names: readonly string[];
  recordId: string | null;
  /** The ten digits in the address of a public page. */
  shortId: string | null;
  /** A whole email, or a part of one that has characters that names don't have. */
  email: string | null;
  /** The last eight digits of a phone number, with or without its country. */
  phone: string | null;
  /** The last four digits of an IBAN or account number, or of a longer part of one. */
  accountEnd: string | null;
  /** The payment provider's reference of a payment or withdrawal, such as `pi_3Q…`. */
  reference: string | null;
  /** A registration or VAT number without spaces and dots. */
  bareNumber: string | null;
  invoice: { series: string; year: number; number: number } | null;
  /** The number in the reference of a business's bank transfers. */
  transferNumber: number | null;
  /** The number of a case, which is the end of an id, in small letters. */
  caseNumber: string | null;
};

const uuidIn = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const emailIn = /[^\s<>(),;:"]+@[^\s<>(),;:"]*/;

/** Reads what an operator typed or pasted, such as a name, `06 1234 5678`, `NHF-2026-000042` or the address of a page. */
export function readQuery(typed: string): Query {
  const words = typed.trim();
  const uuid = uuidIn.exec(words)?.[0].toLowerCase() ?? null;
  const digits = words.replaceAll(/\D/g, '');
  const bare = words.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
  const isPhone = /^[+\d][\d\s()./-]*$/.test(words) && digits.length >= 8 && digits.length <= 15;
  const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(bare) ? bare : null;
  const ending = words.replaceAll(/\s/g, '').toUpperCase();
  const email = emailIn.exec(words)?.[0].toLowerCase() ?? null;
  const isEmailPart = /^[^\s@]*[a-z][^\s@]*$/i.test(words) && /[._+\d-]/.test(words);
  const [, series, year, number] = /^([A-Z]{2,3}\d*)-(\d{4})-(\d{1,9})$/.exec(words.toUpperCase()) ?? [];
  return {
    names: words
      .split(/[\s,;]+/)
      .map((word) => word.replaceAll(/^[.“”"'()]+|[.“”"'()]+$/g, ''))
      .filter((word) => word !== ''),
    recordId: isRecordId(uuid ?? '') ? uuid : null,
    shortId: words.includes('/') && uuid === null ? shortIdIn(words) : null,
    email: email ?? (isEmailPart ? words.toLowerCase() : null),
    phone: isPhone ? digits.slice(-8) : null,
    accountEnd: iban?.slice(-4) ?? (/^[•*.]*(?:[A-Z]{4})?\d{4,}$/.test(ending) ? ending.slice(-4) : null),
    reference: /^[a-z]+_\w+$/.test(words) ? words : null,
    bareNumber:
      /\d{4}/.test(bare) && bare.length <= 30
        ? bare.replace(/^(KVK|HRB|SIREN|SIRET|CIF|NIF)(?=\d)/, '')
        : null,
    invoice: series && year && number ? { series, year: Number(year), number: Number(number) } : null,
    transferNumber: referencesIn([words]).numbers[0] ?? null,
    caseNumber: readCaseNumber(words)?.toLowerCase() ?? null,
  };
}

type Reader = Query & { readerId: string };

/** Matches every word, in any order. Ignores case and accents; the trigram index has the same expression. */
const nameMatches = (name: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> =>
  names.length === 0
    ? sql`false`
    : sql`(${sql.join(
        names.map((word) => sql`folded_name(${name}) like ${likePattern(sql`folded_name(${word})`)}`),
        sql` and `,
      )})`;

const likePattern = (words: RawBuilder<unknown>) =>
  sql`'%' || regexp_replace(${words}, '[\\\\%_]', '\\\\\\&', 'g') || '%'`;

type Keyset = { before: string | null; limit: number };
const before = (column: string, page: Keyset) =>
  page.before === null ? sql`` : sql`and ${sql.ref(column)} < ${page.before}::uuid`;

/** Bounds the people whose engagements are searched. */
const peopleMax = 100;

/** Each part has an index of its own. */
const unionOf = (parts: readonly (RawBuilder<unknown> | null | false)[]): RawBuilder<unknown> => {
  const applicable = parts.filter((part) => part !== null && part !== false);
  return applicable.length === 0 ? sql`select null::uuid where false` : sql.join(applicable, sql` union `);
};

function peopleLike(query: Query, page: Keyset): RawBuilder<unknown> {
  const { names, email, phone, accountEnd, reference, invoice } = query;
  const isName = email === null || !email.includes('@');
  return unionOf([
    isName &&
      sql`(select id from accounts where ${nameMatches(sql`name`, names)} ${before('id', page)} order by id desc limit ${page.limit})`,
    email !== null &&
      sql`(select id from accounts where email like ${likePattern(sql`${email}::text`)} ${before('id', page)} order by id desc limit ${page.limit})`,
    phone !== null &&
      sql`select account_id from profiles where phone is not null and phone_end(phone) = ${phone}`,
    accountEnd !== null && sql`select account_id from payout_methods where last4 = ${accountEnd}`,
    reference !== null && sql`select account_id from withdrawals where provider_ref = ${reference}`,
    invoice &&
      sql`select worker_id from worker_invoices where series = ${invoice.series} and year = ${invoice.year} and number = ${invoice.number}`,
  ]);
}

function businessesLike(query: Query): RawBuilder<unknown> {
  const { names, email, phone, reference, invoice, bareNumber, transferNumber, shortId } = query;
  const isName = email === null || !email.includes('@');
  return unionOf([
    isName && sql`select id from businesses where ${nameMatches(sql`name || ' ' || legal_name`, names)}`,
    email !== null &&
      sql`select id from businesses where email is not null and lower(email) like ${likePattern(sql`${email}::text`)}`,
    phone !== null && sql`select id from businesses where phone is not null and phone_end(phone) = ${phone}`,
    reference !== null && sql`select business_id from charges where provider_ref = ${reference}`,
    bareNumber !== null &&
      sql`select id from businesses where registration_number <> '' and bare_number(registration_number) = ${bareNumber}
        union select id from businesses where vat_id <> '' and bare_number(vat_id) = ${bareNumber}`,
    invoice &&
      (invoice.series === feeSeries
        ? sql`select business_id from invoices where year = ${invoice.year} and number = ${invoice.number}`
        : sql`select business_id from worker_invoices where series = ${invoice.series} and year = ${invoice.year} and number = ${invoice.number}`),
    transferNumber !== null && sql`select id from businesses where transfer_number = ${transferNumber}`,
    shortId !== null && sql`select id from businesses where short_id = ${shortId}`,
  ]);
}

const ticketText = sql`name || ' ' || coalesce(email, '') || ' ' || subject`;

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
        ? sql`select id from engagements where worker_id in (${peopleLike(query, { before: null, limit: peopleMax })})`
        : sql`select ${recordId}::uuid as id
            union select id from engagements where worker_id = ${recordId}
            union select id from engagements where business_id = ${recordId}
            union select id from engagements where job_id = ${recordId}`;
    case 'ticket':
      if (recordId !== null)
        return sql`select ${recordId}::uuid as id union select id from tickets where account_id = ${recordId}`;
      return unionOf([
        sql`select id from tickets where ${nameMatches(ticketText, address === null ? names : [address])}`,
        address !== null &&
          sql`select id from tickets where account_id in (select id from accounts where email = ${address})`,
        caseNumber !== null && sql`select id from tickets where right(id::text, 6) = ${caseNumber}`,
      ]);
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

/** Staff see confirmed support requests, but not their own. Questions about a case are in that case. */
const isVisible = (kind: SearchKind, { readerId }: Reader) =>
  kind === 'ticket'
    ? sql`and ticket.status <> 'unconfirmed' and ticket.case_kind is null and ticket.account_id is distinct from ${readerId}`
    : sql``;

/** A keyset page of records of one kind that match what was typed. Exported for the test of its plan. */
export function searchStatement(kind: SearchKind, query: Reader, page: Keyset): RawBuilder<SearchRow> {
  const after = page.before === null ? sql`` : sql`and ${ids[kind]} < ${page.before}::uuid`;
  return sql<SearchRow>`${sources[kind]}
    where ${ids[kind]} in (${matches(kind, query, page)}) ${isVisible(kind, query)} ${after}
    order by ${ids[kind]} desc limit ${page.limit}`;
}

/** A word and its forms with two neighbouring letters swapped: "ina", "nia", "ian". Words too short or long have none. */
function withSwaps(word: string): string[] {
  const letters = [...word];
  if (letters.length < searchLimits.wordsMin || letters.length > swapMax.letters) return [word];
  const swaps = letters
    .slice(1)
    .map((next, at) => [...letters.slice(0, at), next, letters[at], ...letters.slice(at + 2)].join(''));
  return [...new Set([word, ...swaps])];
}

/** Each form of a word is one look into the trigram index. */
const swapMax = { words: 4, letters: 16 } as const;

/** Matches every word, at its place or with two letters swapped, which leaves too few common trigrams in a short name. */
const swapMatches = (name: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> => {
  if (names.length === 0 || names.length > swapMax.words) return sql`false`;
  const words = names.map((word) =>
    withSwaps(word).map((form) => likePattern(sql`folded_name(${form}::text)`)),
  );
  return sql`(${sql.join(
    words.map((patterns) => sql`${name} like any (array[${sql.join(patterns)}])`),
    sql` and `,
  )})`;
};

/**
 * Records whose name is close to the words, the closest first: with a letter missing, doubled, wrong or swapped with the
 * next. Null for kinds without a name of their own, and for what can't be a name.
 */
export function similarStatement(
  kind: SearchKind,
  query: Reader,
  { limit }: Pick<Keyset, 'limit'>,
): RawBuilder<SearchRow> | null {
  const { names, email, recordId } = query;
  const typedName = email?.includes('@') ? (email.split('@')[0] ?? '') : names.join(' ');
  if (recordId !== null || kind === 'engagement' || typedName.length < searchLimits.wordsMin) return null;
  const nameColumns = {
    person: sql`account.name`,
    business: sql`business.name || ' ' || business.legal_name`,
    job: sql`job.title`,
    ticket: sql`ticket.name || ' ' || coalesce(ticket.email, '') || ' ' || ticket.subject`,
  };
  const [words, name] = [sql`folded_name(${typedName})`, sql`folded_name(${nameColumns[kind]})`];
  const swapped = swapMatches(name, email?.includes('@') ? [typedName] : names);
  // The first compares whole names, the second finds a misspelt word in a long one; the trigram index has all three.
  return sql<SearchRow>`${sources[kind]}
    where (${words} % ${name} or ${words} <% ${name} or ${swapped}) ${isVisible(kind, query)}
    order by ${swapped} desc, greatest(similarity(${words}, ${name}), word_similarity(${words}, ${name})) desc, ${ids[kind]} desc
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
      union all select id from ledger_entries where key in (('reserve/' || ${recordId}) collate "C", ('unreserve/' || ${recordId}) collate "C",
        ('paid/' || ${recordId}) collate "C", ('returned/' || ${recordId}) collate "C")
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
