import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type CardRow, cardColumns, closedUnseen } from '../jobs/jobs.columns.ts';

export type AddressedJob = {
  id: string;
  status: JobStatus;
  title: string;
  category: CategoryId;
  town: string;
  town_slug: string;
  country_code: string;
  /** It was open once, and nobody hid it before it closed. */
  was_seen: boolean;
};

/** The job behind a public address, in any status. */
export async function findAddressedJob(db: Db, shortId: string): Promise<AddressedJob | undefined> {
  const { rows } = await sql<AddressedJob>`
    select job.id, job.status, job.title, job.category, job.town, job.town_slug, business.country_code, not ${closedUnseen} as was_seen
    from jobs job join businesses business on business.id = job.business_id
    where job.short_id = ${shortId}`.execute(db);
  return rows[0];
}

export type TownJobRow = CardRow & { town: string; country_code: string };

/** Open jobs of a town and trade, newest first, after the cursor's row. */
export async function findTownJobs(
  db: Db,
  townSlug: string,
  options: { category: CategoryId | null; after: readonly [string, string] | null; limit: number },
): Promise<TownJobRow[]> {
  const [afterTime, afterId] = options.after ?? [null, null];
  const { rows } = await sql<TownJobRow>`
    select ${cardColumns}, job.town, business.country_code from (
      select * from jobs
      where status = 'open' and town_slug = ${townSlug} ${options.category === null ? sql`` : sql`and category = ${options.category}`}
        ${options.after === null ? sql`` : sql`and (published_at, id) < (${afterTime}::timestamptz, ${afterId}::uuid)`}
      order by published_at desc, id desc limit ${options.limit}) job
    join businesses business on business.id = job.business_id
    order by job.published_at desc, job.id desc`.execute(db);
  return rows;
}
