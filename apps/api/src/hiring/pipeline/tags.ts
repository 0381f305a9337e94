import { cleanTags } from '@nearhand/contract/hiring/jobs.rules';
import { sql } from 'kysely';
import { requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import type { FormerMember } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { requireApplicant } from '../applications/application-access.ts';

async function replaceTags(
  tx: Tx,
  application: { applicationId: string; businessId: string; jobId: string },
  tags: readonly string[],
): Promise<void> {
  await sql`delete from applicant_tags where application_id = ${application.applicationId}
    and tag <> all(${[...tags]}::text[])`.execute(tx);
  await sql`insert into applicant_tags (application_id, business_id, tag)
    select ${application.applicationId}::uuid, ${application.businessId}::uuid, tag from unnest(${[...tags]}::text[]) tag
    on conflict do nothing`.execute(tx);
  emitRecord(tx, 'application', {
    id: application.applicationId,
    businessId: application.businessId,
    jobId: application.jobId,
  });
}

async function findTags(
  db: Db,
  businessId: string,
  branches: BranchLimit,
  limit: number,
): Promise<{ tag: string; count: number }[]> {
  const { rows } = await sql<{ tag: string; count: number }>`
    select tag, count(*) as count from applicant_tags tagged where business_id = ${businessId}
      ${inBranches(sql`(select job_id from applications where applications.id = tagged.application_id)`, branches)}
    group by tag order by count(*) desc, tag limit ${limit}`.execute(db);
  return rows;
}

/** Part of account removal. */
export async function eraseTags(tx: Tx, { accountId }: Pick<FormerMember, 'accountId'>): Promise<void> {
  await sql`delete from applicant_tags where application_id in (
    select id from applications where worker_id = ${accountId})`.execute(tx);
}

const maxTags = 50;

/** Replaces an applicant's tags, without repeats and outer spaces. Members who may see the applicant may call it. */
export async function setTags(
  tx: Tx,
  { actor }: Scope,
  { applicationId, tags }: { applicationId: string; tags: string[] },
): Promise<{ tags: string[] }> {
  const { businessId, jobId } = await requireApplicant(tx, actor.accountId, applicationId);
  const clean = cleanTags(tags);
  await replaceTags(tx, { applicationId, businessId, jobId }, clean);
  return { tags: clean };
}

/** Lists up to 50 tags of a business, most used first. For recruiters. */
export async function listTags(
  db: Db,
  { actor }: Scope,
  { businessId }: { businessId: string },
): Promise<{ tag: string; count: number }[]> {
  return findTags(db, businessId, await requireBusinessRecruiter(db, actor, businessId), maxTags);
}
