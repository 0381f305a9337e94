import { dayMs, hourMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { publishJob } from './job-lifecycle.ts';
import { createJob } from './jobs.ts';

export function jobInput(clock: Clock, options: Partial<JobDraft> = {}): JobDraft {
  const startsAt = Math.ceil(clock.now().getTime() / dayMs + 1) * dayMs + 8 * hourMs;
  const shift = {
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 8 * hourMs).toISOString(),
    breakMinutes: 30,
  };
  return {
    kind: 'shift',
    title: 'Barista for the weekend',
    category: 'hospitality',
    description: 'Make coffee, serve guests, keep the bar clean.',
    payMinor: options.kind === 'task' ? 12_000 : 1_750,
    headCount: 2,
    ...(options.kind === 'task' ? {} : shift),
    ...options,
  };
}

/** Creates a job through the services as `scope.actor`, a recruiter. Open by default. */
export async function makeJob(
  db: Db,
  scope: Scope,
  businessId: string,
  { status = 'open', ...options }: Partial<JobDraft> & { status?: 'draft' | 'open' } = {},
): Promise<Job> {
  const draft = await db
    .transaction()
    .execute((tx) => createJob(tx, scope, { businessId, ...jobInput(scope.clock, options) }));
  if (status === 'draft') return draft;
  return db.transaction().execute((tx) => publishJob(tx, scope, { jobId: draft.id }));
}

export async function copyJob(
  db: Db,
  jobId: string,
  { copies, changes }: { copies: number; changes: RawBuilder<unknown> },
): Promise<void> {
  const { rows } = await sql<{ names: string; copied: string }>`
    select string_agg(format('%I', attname), ', ') as names, string_agg(format('copy.%I', attname), ', ') as copied from pg_attribute
    where attrelid = 'jobs'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(db);
  const names = sql.raw(rows[0]?.names ?? '');
  const copied = sql.raw(rows[0]?.copied ?? '');
  await sql`insert into jobs (${names}) select ${copied} from jobs job cross join generate_series(1, ${copies}::integer) n
    cross join lateral jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid(), ${changes})) copy
    where job.id = ${jobId}`.execute(db);
}
