import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** The statement head's facts about its holder. */
export type HolderFacts = {
  name: string;
  legal_name: string | null;
  address: string | null;
  currency: string | null;
  time_zone: string | null;
  lat: number | null;
  lng: number | null;
};

export async function findBusinessHolder(db: Db, businessId: string): Promise<HolderFacts | undefined> {
  return db
    .selectFrom('businesses')
    .select(['name', 'legal_name', 'address', 'currency', 'time_zone', 'lat', 'lng'])
    .where('id', '=', businessId)
    .executeTakeFirst();
}

/** A worker with their chosen home, and the zone and currency of their latest work. */
export async function findWorkerHolder(db: Db, accountId: string): Promise<HolderFacts | undefined> {
  const { rows } = await sql<HolderFacts>`
    select account.name, null as legal_name, null as address,
      latest.terms ->> 'currency' as currency, latest.terms ->> 'timeZone' as time_zone,
      profile.home_lat as lat, profile.home_lng as lng
    from accounts account
    left join profiles profile on profile.account_id = account.id
    left join lateral (
      select terms from engagements where worker_id = account.id order by sort_at desc, id desc limit 1) latest on true
    where account.id = ${accountId}`.execute(db);
  return rows[0];
}
