import { type Currency, currencies } from '@nearhand/contract/currencies';
import { addDays } from '@nearhand/contract/durations';
import { dayEndsAt } from '@nearhand/contract/zoned-time';
import { type RawBuilder, sql } from 'kysely';
import { zoneAt } from '../../people/places/time-zones.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { requireMoneyRole } from '../money-access.ts';
import {
  type Holder,
  holderIn,
  holderName,
  linesOf,
  statementFacts,
  uncarriedOf,
  workerAccounts,
} from './changed-statements.sql.ts';
import { earnedKinds, type Span, tipKinds, withdrawnKinds } from './statements.rules.ts';

export type StatementDays = { from?: string; to?: string };

export type Account = {
  holder: Holder;
  facts: HolderFacts;
  currency: Currency;
  currencies: Currency[];
  timeZone: string;
};

/** Days are in the zone of the home, otherwise of the latest work, otherwise UTC. */
export async function workerAccount(db: Db, accountId: string, requested?: Currency): Promise<Account> {
  const facts = await findWorkerHolder(db, accountId);
  if (!facts) throw new Error(`there is no account ${accountId}`);
  const home =
    facts.lat !== null && facts.lng !== null
      ? zoneAt({ lat: facts.lat, lng: facts.lng }, facts.countryCode)
      : null;
  return account(db, { side: 'worker', accountId }, facts, home ?? facts.timeZone ?? 'UTC', requested);
}

/**
 * Returns a business's statement account. For owners, managers and finance.
 * @throws business/not-found, business/not-allowed
 */
export async function businessAccount(
  db: Db,
  businessId: string,
  accountId: string,
  requested?: Currency,
): Promise<Account> {
  await requireMoneyRole(db, accountId, businessId);
  return openBusinessAccount(db, businessId, requested);
}

/**
 * Opens a business's statement account for a signed link, without an access check.
 * @throws business/not-found
 */
export async function openBusinessAccount(
  db: Db,
  businessId: string,
  requested?: Currency,
): Promise<Account> {
  const facts = await findBusinessHolder(db, businessId);
  if (!facts) throw new AppError('business/not-found');
  return account(db, { side: 'business', businessId }, facts, facts.timeZone ?? 'UTC', requested);
}

async function account(
  db: Db,
  holder: Holder,
  facts: HolderFacts,
  timeZone: string,
  requested?: Currency,
): Promise<Account> {
  const used = (await listCurrencies(db, holder)).filter(isCurrency);
  const ownCurrency = facts.currency !== null && isCurrency(facts.currency) ? facts.currency : null;
  const usual =
    ownCurrency !== null && (holder.side === 'business' || used.length === 0 || used.includes(ownCurrency));
  const currency = requested ?? (usual ? ownCurrency : (used[0] ?? 'EUR'));
  return { holder, facts, currency, currencies: [...new Set([currency, ...used])], timeZone };
}

const isCurrency = (code: string): code is Currency => (currencies as readonly string[]).includes(code);

/**
 * Converts days to a range of ids, which start with their milliseconds.
 * @throws request/invalid when the period ends before it starts
 */
export function spanOf(timeZone: string, { from, to }: StatementDays): Span {
  if (from !== undefined && to !== undefined && to < from)
    throw new AppError('request/invalid', { issues: [{ path: 'to', message: 'not before from' }] });
  return {
    from: from === undefined ? firstIdAt(0) : firstIdAt(dayBeginsAt(timeZone, from)),
    before: to === undefined ? lastId : firstIdAt(dayEnds(timeZone, to)),
  };
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

const isFar = (day: string) => day < '1971' || day > '9000';

/** A day starts when the previous one ends, even where the clock skips or repeats midnight. */
function dayBeginsAt(timeZone: string, day: string): number {
  if (isFar(day)) return Date.parse(`${day}T00:00:00Z`);
  return dayEnds(timeZone, addDays(day, -1));
}

const dayEnds = (timeZone: string, day: string): number =>
  isFar(day) ? Date.parse(`${day}T00:00:00Z`) : dayEndsAt(timeZone, day);

type HolderFacts = {
  name: string;
  legalName: string | null;
  address: string | null;
  currency: Currency | null;
  timeZone: string | null;
  lat: number | null;
  lng: number | null;
  countryCode: string | null;
};

async function findBusinessHolder(db: Db, businessId: string): Promise<HolderFacts | undefined> {
  return db
    .selectFrom('businesses')
    .select(['name', 'legalName', 'address', 'currency', 'timeZone', 'lat', 'lng', 'countryCode'])
    .where('id', '=', businessId)
    .executeTakeFirst();
}

async function findWorkerHolder(db: Db, accountId: string): Promise<HolderFacts | undefined> {
  const { rows } = await sql<HolderFacts>`
    select account.name, null as legal_name, null as address,
      latest.terms ->> 'currency' as currency, latest.terms ->> 'timeZone' as time_zone,
      profile.home_lat as lat, profile.home_lng as lng, profile.home_country as country_code
    from accounts account
    left join profiles profile on profile.account_id = account.id
    left join lateral (
      select terms from engagements where worker_id = account.id order by sort_at desc, id desc limit 1) latest on true
    where account.id = ${accountId}`.execute(db);
  return rows[0];
}

type TotalsRow = {
  opening: number;
  came: number;
  went: number;
  closing: number;
  held: number;
  earned: number;
  tips: number;
  fees: number;
  withdrawn: number;
};

/** Derived from the lines at both ends and entries not materialized yet (ADR 64). Reversals are deducted. */
export async function sumTotals(db: Db, holder: Holder, currency: Currency, span: Span): Promise<TotalsRow> {
  const { rows } = await totalsQuery(holder, currency, span).execute(db);
  return rows[0] as TotalsRow;
}

export function totalsQuery(holder: Holder, currency: Currency, span: Span): RawBuilder<TotalsRow> {
  const lastBefore = (entryId: string) => sql`
    select * from statement_lines where holder = ${holderIn(holder, currency)} and entry_id < ${entryId}::uuid
    order by entry_id desc limit 1`;
  return sql<TotalsRow>`
    with uncarried as materialized (${uncarriedOf(holder, currency)}),
    upto as (
      select coalesce(sum(moved), 0) as closing, coalesce(sum(held), 0) as held,
        coalesce(sum(moved) filter (where not inside), 0) as opening,
        coalesce(sum(moved) filter (where inside and moved > 0), 0) as came,
        coalesce(-sum(moved) filter (where inside and moved < 0), 0) as went,
        coalesce(sum(paid) filter (where inside and kind = any(${earnedKinds}::text[])), 0) as earned,
        coalesce(sum(paid) filter (where inside and kind = any(${tipKinds}::text[])), 0) as tips,
        coalesce(sum(fees) filter (where inside), 0) as fees,
        coalesce(-sum(moved) filter (where inside and kind = any(${withdrawnKinds}::text[])), 0) as withdrawn
      from (select *, entry_id >= ${span.from}::uuid as inside from uncarried where entry_id < ${span.before}::uuid) fact
    )
    select
      (upto.opening + coalesce(first.balance, 0))::bigint as opening,
      (upto.came + coalesce(last.came, 0) - coalesce(first.came, 0))::bigint as came,
      (upto.went + coalesce(last.went, 0) - coalesce(first.went, 0))::bigint as went,
      (upto.closing + coalesce(last.balance, 0))::bigint as closing,
      (upto.held + coalesce(last.holding, 0))::bigint as held,
      (upto.earned + coalesce(last.earned, 0) - coalesce(first.earned, 0))::bigint as earned,
      (upto.tips + coalesce(last.tips, 0) - coalesce(first.tips, 0))::bigint as tips,
      (upto.fees + coalesce(last.charged, 0) - coalesce(first.charged, 0))::bigint as fees,
      (upto.withdrawn + coalesce(last.withdrawn, 0) - coalesce(first.withdrawn, 0))::bigint as withdrawn
    from upto
    left join (${lastBefore(span.from)}) first on true
    left join (${lastBefore(span.before)}) last on true`;
}

export async function countLines(
  db: Db,
  holder: Holder,
  currency: Currency,
  span: Span,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from (${linesOf(holder, currency)}) line
      where entry_id >= ${span.from}::uuid and entry_id < ${span.before}::uuid limit ${limit}) some_lines`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

async function listCurrencies(db: Db, holder: Holder): Promise<string[]> {
  const names =
    holder.side === 'worker'
      ? workerAccounts.map((kind) => `${kind}:${holder.accountId}`)
      : [`business_balance:${holder.businessId}`, `business_promo:${holder.businessId}`];
  // Holds and tips paid by card leave no trace on a balance.
  const past =
    holder.side === 'worker'
      ? sql``
      : sql`union select currency from unnest(${[...currencies]}::text[]) as every (currency)
          where exists (select from statement_lines where holder = ${holderName(holder)} || ':' || currency)
        union select right(fact.holder, 3) from (${statementFacts(sql`select * from statement_uncarried()`)}) fact
          where fact.holder ^@ ${`${holderName(holder)}:`}`;
  const { rows } = await sql<{ currency: Currency }>`
    select right(part.id, 3) as currency from unnest(${names}::text[]) as account (name)
    cross join lateral (
      select id from ledger_accounts where id > name || ':' and id < name || ';'
      union select account_id from ledger_deferred where account_id > name || ':' and account_id < name || ';'
    ) part
    ${past} order by currency`.execute(db);
  return [...new Set(rows.map((row) => row.currency))];
}
