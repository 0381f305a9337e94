import type { CustomerOverview } from '@nearhand/contract/trust/staff-search';
import {
  type LinkReason,
  linkReasons,
  linkTable,
  type personChecks,
  searchLimits,
} from '@nearhand/contract/trust/staff-search.rules';
import { sql } from 'kysely';
import { currentFirst } from '../../people/identity-checks/identity-checks.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findCasesAbout } from '../cases/cases.sql.ts';
import { caseKindsFor, toCaseItem } from '../cases/cases.ts';
import { findRunning } from '../sanctions/sanctions.sql.ts';
import type { Customer } from './timeline.ts';

/** Returns the open cases, linked accounts and checks of a person or business. The caller checks access. */
export async function customerOverview(db: Db, scope: Scope, customer: Customer): Promise<CustomerOverview> {
  const operatorId = scope.actor.accountId;
  const reader = { accountId: operatorId, kinds: await caseKindsFor(db, operatorId) };
  const open = await findCasesAbout(db, reader, customer, searchLimits.openCases);
  const links = await findLinks(db, customer);
  return {
    open: open.map((row) => {
      const { kind, subjectId, title, deadline, claimedBy } = toCaseItem(row);
      return { kind, subjectId, title, deadline, claimedBy };
    }),
    links: links
      .slice(0, searchLimits.links)
      .map(({ at, reasons, ...link }) => ({ ...link, at: at.toISOString(), reasons: inOrder(reasons) })),
    moreLinks: Math.max(0, links.length - searchLimits.links),
    sharedBanks: customer.kind === 'person' ? await findSharedBanks(db, customer.id) : [],
    running: await findRunning(db, {
      ...customer,
      kind: customer.kind === 'person' ? 'account' : 'business',
    }),
    person: customer.kind === 'person' ? await findPersonFacts(db, customer.id) : null,
    checks: customer.kind === 'person' ? await findChecks(db, customer.id) : [],
  };
}

const inOrder = (reasons: readonly LinkReason[]) => linkReasons.filter((reason) => reasons.includes(reason));

type LinkRow = { accountId: string; name: string; reasons: LinkReason[]; at: Date; colleague: boolean };

/** Limits the accounts of one network, such as a mobile operator's. */
const linksMax = 200;
/** Bounds the networks of an account, newest first. */
const networksMax = 50;

const certain = linkReasons.filter((reason) => linkTable[reason] === 'certain');

/**
 * Accounts with the same bank account, card, device or network, surest first. Removed cards and bank accounts
 * count. A business has the links of those who pay for it.
 */
async function findLinks(db: Db, { kind, id }: Customer): Promise<LinkRow[]> {
  const payers = sql`member.role in ('owner', 'manager', 'finance')`;
  const accounts =
    kind === 'person'
      ? sql`select ${id}::uuid as id`
      : sql`select account_id as id from business_members member where member.business_id = ${id} and ${payers}`;
  const businesses =
    kind === 'person'
      ? sql`select business_id as id from business_members member where member.account_id = ${id} and ${payers}`
      : sql`select ${id}::uuid as id`;
  const { rows } = await sql<LinkRow>`
    with own_account as materialized (${accounts}), own_business as materialized (${businesses}), own as (
      select network, ip_address, user_agent from account_networks where account_id in (select id from own_account)
      order by last_seen_at desc limit ${networksMax}
    ), seen as (
      select theirs.account_id, theirs.last_seen_at,
        theirs.ip_address = own.ip_address and theirs.user_agent = own.user_agent and own.user_agent <> '' as same_device
      from own cross join lateral (select * from account_networks where account_networks.network = own.network
        and account_networks.account_id not in (select id from own_account) limit ${linksMax}) theirs
    ), shared as (
      select account_id, case when bool_or(same_device) then 'device' else 'network' end as reason, max(last_seen_at) as at
        from seen group by account_id
      union all
      select theirs.account_id, 'bank', theirs.added_at from payout_methods mine
        join payout_methods theirs on theirs.fingerprint = mine.fingerprint and theirs.account_id not in (select id from own_account)
        where mine.account_id in (select id from own_account)
      union all
      select member.account_id, 'card', theirs.added_at from own_business
        join cards mine on mine.business_id = own_business.id
        join cards theirs on theirs.fingerprint = mine.fingerprint and theirs.business_id <> mine.business_id
        join business_members member on member.business_id = theirs.business_id and ${payers}
        where member.account_id not in (select id from own_account)
    )
    select link.account_id, account.name, link.reasons, link.at, exists (
        select from business_members mine join business_members theirs on theirs.business_id = mine.business_id
        where mine.account_id in (select id from own_account) and theirs.account_id = link.account_id) as colleague
    from (select account_id, array_agg(distinct reason) as reasons, max(at) as at from shared group by account_id) link
    join accounts account on account.id = link.account_id
    order by link.reasons && ${certain}::text[] desc, 'device' = any (link.reasons) desc, link.at desc, link.account_id
    limit ${linksMax}`.execute(db);
  return rows;
}

type BankRow = CustomerOverview['sharedBanks'][number];

/** Bank accounts of the person that other people saved too, with the holder's name that each person entered. */
async function findSharedBanks(db: Db, accountId: string): Promise<BankRow[]> {
  const { rows } = await sql<BankRow>`
    select mine.bank_name, mine.last4, (
        select jsonb_agg(jsonb_build_object('accountId', holder.account_id, 'name', holder.name, 'holderName', holder.holder_name)
          order by holder.account_id <> ${accountId}, holder.added_at)
        from (select distinct on (theirs.account_id) theirs.account_id, account.name, theirs.holder_name, theirs.added_at
          from payout_methods theirs join accounts account on account.id = theirs.account_id
          where theirs.fingerprint = mine.fingerprint order by theirs.account_id, theirs.added_at desc
          limit ${searchLimits.links}) holder) as holders
    from (select distinct on (fingerprint) * from payout_methods where account_id = ${accountId} and fingerprint is not null
      order by fingerprint, added_at desc) mine
    where exists (select from payout_methods theirs where theirs.fingerprint = mine.fingerprint and theirs.account_id <> mine.account_id)
    order by mine.added_at desc`.execute(db);
  return rows;
}

type PersonFacts = NonNullable<CustomerOverview['person']>;

/** The language, the last sign-in and the businesses of a person. Indexes: `sign_in_events_newest`, the members' keys. */
async function findPersonFacts(db: Db, accountId: string): Promise<PersonFacts> {
  const { rows } = await sql<
    Pick<PersonFacts, 'language' | 'memberships'> & { at: Date | null; device: string }
  >`
    select (select language from account_settings where account_id = ${accountId}) as language, last.happened_at as at, last.device,
      coalesce((select jsonb_agg(jsonb_build_object('business', jsonb_build_object('id', business.id, 'name', business.name),
          'role', member.role) order by business.name, business.id)
        from (select business_id, role from business_members where account_id = ${accountId} limit ${searchLimits.related}) member
        join businesses business on business.id = member.business_id), '[]') as memberships
    from (select 1) person left join lateral (select happened_at, device from sign_in_events
      where account_id = ${accountId} and kind = 'signed-in' order by happened_at desc, id desc limit 1) last on true`.execute(
    db,
  );
  const [row] = rows;
  return {
    language: row?.language ?? null,
    lastSignIn: row?.at ? { at: row.at.toISOString(), device: row.device } : null,
    memberships: row?.memberships ?? [],
  };
}

type CheckRow = { check: (typeof personChecks)[number]; status: string | null; at: Date | null };

async function findChecks(db: Db, accountId: string): Promise<CustomerOverview['checks']> {
  const { rows } = await sql<CheckRow>`
    select 'email' as check, case when email_verified then 'verified' else 'unverified' end as status, null::timestamptz as at
      from accounts where id = ${accountId}
    union all select 'phone', (select 'verified' from phone_checks where account_id = ${accountId}),
      (select checked_at from phone_checks where account_id = ${accountId})
    union all select 'identity', latest.status, latest.at from (select 1) one left join lateral (
      select status, coalesce(decided_at, submitted_at) as at from identity_checks where account_id = ${accountId}
      order by ${currentFirst(sql`(select name from accounts where id = ${accountId})`)} limit 1) latest on true
    union all select 'payee', latest.status, latest.at from (select 1) one left join lateral (
      select status, coalesce(decided_at, asked_at) as at from payout_identities where account_id = ${accountId}) latest on true
    union all select 'second-step', (select 'on' from second_factors where account_id = ${accountId} and turned_on_at is not null),
      (select turned_on_at from second_factors where account_id = ${accountId})
    union all select 'passkeys', (select nullif(count(*), 0)::text from passkeys where account_id = ${accountId}),
      (select max(created_at) from passkeys where account_id = ${accountId})`.execute(db);
  return rows.map(({ at, ...row }) => ({ ...row, at: at?.toISOString() ?? null }));
}
