import type { Currency } from '@nearhand/contract/currencies';
import { type BusinessStatus, mayHire } from '@nearhand/contract/people/businesses.rules';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { lockBusiness } from './businesses.sql.ts';

export type HiringBusiness = {
  status: BusinessStatus;
  name: string;
  currency: Currency;
  countryCode: string;
  placeSalt: string;
  address: string;
  area: string;
  lat: number;
  lng: number;
  privateAddress: boolean;
  timeZone: string;
};

/**
 * Locks the business; always before the job.
 * @throws business/not-found, business/wrong-state
 */
export async function hiringBusiness(tx: Tx, businessId: string): Promise<HiringBusiness> {
  const row = await lockBusiness(tx, businessId);
  if (!row) throw new AppError('business/not-found');
  if (!mayHire(row.status)) throw new AppError('business/wrong-state', { status: row.status });
  return row;
}

/** The business and at least one member may hire (ADR 179). Timers have no `hire` effect. */
export async function isHiring(db: Db, businessId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ status: BusinessStatus }>`
    select status from businesses business where id = ${businessId} and exists (
      select from business_members member where member.business_id = business.id and ${isHiringMember(now)})`.execute(
    db,
  );
  const [business] = rows;
  return business !== undefined && mayHire(business.status);
}

/** Recruiters who see the job and may hire, by account: timers invite in the name of the first. */
export async function findHiringMembers(db: Db, jobId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id from job_members member where member.job_id = ${jobId} and ${isHiringMember(now)}
    order by account_id`.execute(db);
  return rows.map(({ accountId }) => accountId);
}

/** A `member` who may hire and is not suspended. */
const isHiringMember = (now: Date) => sql<boolean>`member.role in (${literals(rolesFor('jobs'))})
  and not exists (select from sanctions where sanctions.account_id = member.account_id
    and scope in ('hiring', 'everything') and ended_at is null and (ends_at is null or ends_at > ${now}))`;

/**
 * The country of a business, ISO 3166-1.
 * @throws business/not-found
 */
export const countryOf = async (db: Db, businessId: string): Promise<string> =>
  (await placeFactsOf(db, businessId)).countryCode;

/**
 * The country, and the salt that blurs private places (ADR 8).
 * @throws business/not-found
 */
export async function placeFactsOf(
  db: Db,
  businessId: string,
): Promise<{ placeSalt: string; countryCode: string }> {
  const facts = await db
    .selectFrom('businesses')
    .select(['placeSalt', 'countryCode'])
    .where('id', '=', businessId)
    .executeTakeFirst();
  if (!facts) throw new AppError('business/not-found');
  return facts;
}
