import type { ShareChannel } from '@nearhand/contract/hiring/job-shares.rules';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

export type ViewCount = { shortId: string; day: string; channel: ShareChannel; views: number };

/** Adds views to their days, in one statement and a fixed order. Views of a deleted job are dropped. */
export async function addViews(db: Db, counts: readonly ViewCount[]): Promise<void> {
  await sql`
    insert into job_views (job_id, day, channel, views)
    select job.id, seen.day, seen.channel, seen.views
    from unnest(${counts.map((one) => one.shortId)}::text[], ${counts.map((one) => one.day)}::date[],
      ${counts.map((one) => one.channel)}::text[], ${counts.map((one) => one.views)}::int[]) as seen (short_id, day, channel, views)
    join jobs job on job.short_id = seen.short_id
    order by job.id, seen.day, seen.channel
    on conflict (job_id, day, channel) do update set views = job_views.views + excluded.views`.execute(db);
}

/** Views and applications of a job by channel; channels with neither are left out. */
export async function countChannels(
  db: Db,
  jobId: string,
): Promise<{ channel: ShareChannel; views: number; applications: number }[]> {
  const { rows } = await sql<{ channel: ShareChannel; views: number; applications: number }>`
    select channel, sum(views)::int as views, sum(applications)::int as applications from (
      select channel, sum(views) as views, 0 as applications from job_views where job_id = ${jobId} group by channel
      union all
      select coalesce(channel, 'directory'), 0, count(*) from applications where job_id = ${jobId} group by 1
    ) part group by channel`.execute(db);
  return rows;
}
