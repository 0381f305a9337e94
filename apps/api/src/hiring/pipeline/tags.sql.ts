import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import type { FormerMember } from '../../platform/former-member.ts';

/** Sets exactly these tags on an application. */
export async function replaceTags(
  tx: Tx,
  of: { applicationId: string; businessId: string },
  tags: readonly string[],
): Promise<void> {
  await sql`delete from applicant_tags where application_id = ${of.applicationId}
    and tag <> all(${[...tags]}::text[])`.execute(tx);
  await sql`insert into applicant_tags (application_id, business_id, tag)
    select ${of.applicationId}::uuid, ${of.businessId}::uuid, tag from unnest(${[...tags]}::text[]) tag
    on conflict do nothing`.execute(tx);
  emitRecord(tx, 'application', { id: of.applicationId, businessId: of.businessId });
}

/** Tags in use at a business, most used first. */
export async function findTags(
  db: Db,
  businessId: string,
  limit: number,
): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*) as count from applicant_tags where business_id = ${businessId}
    group by tag order by count(*) desc, tag limit ${limit}`.execute(db);
  return rows;
}

/** For a removed account: tags on its applications go. */
export async function forgetTags(tx: Tx, { accountId }: Pick<FormerMember, 'accountId'>): Promise<void> {
  await sql`delete from applicant_tags where application_id in (
    select id from applications where worker_id = ${accountId})`.execute(tx);
}
