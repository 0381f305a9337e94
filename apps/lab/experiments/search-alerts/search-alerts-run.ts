import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { nearbyJobs } from '@nearhand/api/src/hiring/nearby/nearby.ts';
import { announceDue } from '@nearhand/api/src/hiring/saved-searches/job-alerts.ts';
import { createSavedSearch } from '@nearhand/api/src/hiring/saved-searches/saved-searches.ts';
import { matchOpenedJob } from '@nearhand/api/src/hiring/saved-searches/search-matches.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import type { Db } from '@nearhand/api/src/platform/db.ts';
import type { Scope } from '@nearhand/api/src/platform/http/scope.ts';
import type { TaskScope } from '@nearhand/api/src/platform/tasks/tasks.ts';
import { sql } from 'kysely';
import { chancesOf } from '../webhooks/chances.ts';
import {
  fits,
  type JobFacts,
  randomJob,
  randomSearch,
  type SearchFacts,
  shiftHours,
  taskPayMinor,
} from './random-town.ts';

export type AlertStage = {
  db: Db;
  taskScope: TaskScope;
  scopeOf: (accountId: string) => Scope;
  owner: { accountId: string };
};

/** A safeguard that a negative control removes: a circle's squares, or the words of searches. */
export type Lost = 'squares' | 'words';

export type AlertResult = {
  matches: number;
  missed: number;
  wrong: number;
  named: number;
  repeated: number;
  compared: number;
  unlikeNearby: number;
};

const searchesPerPerson = 3;
const farFuture = '2028-01-01T00:00:00.000Z';

/** Alerts must match a second implementation, once each, and `nearby.search`. Every tenth job is matched twice. */
export async function runSearchAlerts(
  stage: AlertStage,
  options: { jobs: number; searches: number; seed: number; compare: number; lose?: Lost },
): Promise<AlertResult> {
  const random = chancesOf(options.seed);
  const { db } = stage;
  const scope = stage.scopeOf(stage.owner.accountId);
  const people = await makePeople(db, Math.ceil(options.searches / searchesPerPerson), options.seed);
  const searches: SearchFacts[] = [];
  for (let count = 0; count < options.searches; count += 1) {
    const search = randomSearch(random, people[count % people.length] as string);
    searches.push(search);
    const { accountId, ...input } = search;
    await db.transaction().execute((tx) =>
      createSavedSearch(tx, stage.scopeOf(accountId), {
        ...input,
        startsFrom: null,
        endsBy: null,
        maxMinutes: null,
        name: `Search ${count}`,
        place: 'Somewhere',
        currency: input.minPay === null && input.minTotal === null ? null : 'EUR',
      }),
    );
  }
  await lose(db, options.lose);

  const business = await makeBusiness(db, scope, { name: 'Quay', funded: false });
  const template = await makeJob(db, scope, business.id, { status: 'draft' });
  const jobs: JobFacts[] = [];
  for (let count = 0; count < options.jobs; count += 1) {
    const job = randomJob(random, crypto.randomUUID());
    jobs.push(job);
    await openCopy(db, template.id, job);
    const opened = { jobId: job.id, openedAt: stage.taskScope.clock.now().toISOString() };
    for (const _time of count % 10 === 0 ? [1, 2] : [1]) await matchOpenedJob(stage.taskScope, opened);
  }
  for (const _time of [1, 2]) await announceDue(stage.taskScope, { dueAt: farFuture });

  const names = ['quay', ...(await areaWords(db, template.id))];
  const expected = new Set<string>();
  for (const search of searches)
    if (search.alert !== 'off')
      for (const job of jobs) if (fits(job, search, names)) expected.add(`${search.accountId} ${job.id}`);
  return {
    matches: expected.size,
    ...(await compareTold(db, expected, people)),
    ...(await compareNearby(stage, searches.slice(0, options.compare), jobs, names)),
  };
}

/** Verified, so that only the search decides. */
async function makePeople(db: Db, count: number, seed: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`insert into accounts (id, name, email, email_verified)
    select gen_random_uuid(), 'Searcher', 'searcher-' || ${seed}::text || '-' || n || '@example.test', true
    from generate_series(1, ${count}::integer) n returning id`.execute(db);
  return rows.map(({ id }) => id);
}

async function lose(db: Db, loss: Lost | undefined): Promise<void> {
  if (loss === 'squares')
    await sql`delete from saved_search_squares where square in (
      select square from saved_search_squares group by square order by count(*) desc limit 3)`.execute(db);
  if (loss === 'words') await sql`update saved_searches set words = null where words is not null`.execute(db);
}

async function openCopy(db: Db, templateId: string, job: JobFacts): Promise<void> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'jobs' and is_generated = 'NEVER' and column_name not in ('id', 'title',
      'description', 'category', 'kind', 'status', 'pay_minor', 'pay_unit', 'pay_hour_minor', 'public_lat', 'public_lng', 'time_zone',
      'starts_at', 'ends_at', 'published_at', 'break_minutes')`.execute(db);
  const rest = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`insert into jobs (id, title, description, category, kind, status, pay_minor, pay_unit, pay_hour_minor, public_lat, public_lng,
      time_zone, starts_at, ends_at, published_at, break_minutes, ${rest})
    select ${job.id}, ${job.title}, ${job.description}, ${job.category}, ${job.kind}, 'open', ${job.pay ?? taskPayMinor}::integer,
      ${job.kind === 'task' ? 'fixed' : 'hour'}, ${job.pay}::integer, ${job.lat}::float8, ${job.lng}::float8, 'UTC',
      ${job.startsAt}::timestamptz, ${job.startsAt}::timestamptz + make_interval(hours => ${shiftHours}), now(), 0, ${rest}
    from jobs where id = ${templateId}`.execute(db);
}

async function areaWords(db: Db, jobId: string): Promise<string[]> {
  const { area } = await db
    .selectFrom('jobs')
    .select('area')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  return area.toLowerCase().split(/[^a-z]+/);
}

async function compareTold(db: Db, expected: ReadonlySet<string>, people: readonly string[]) {
  const { rows } = await sql<{ pair: string }>`select account_id || ' ' || job_id as pair from job_alerts
    where done_at is not null and account_id = any(${people}::uuid[])`.execute(db);
  const toldPairs = new Set(rows.map(({ pair }) => pair));
  const { rows: counted } = await sql<{
    named: number;
  }>`select coalesce(sum((data ->> 'count')::integer), 0)::integer as named
    from notifications where topic in ('search-matched', 'search-summary') and account_id = any(${people}::uuid[])`.execute(
    db,
  );
  const named = counted[0]?.named ?? 0;
  return {
    missed: [...expected].filter((pair) => !toldPairs.has(pair)).length,
    wrong: [...toldPairs].filter((pair) => !expected.has(pair)).length,
    named,
    repeated: named - toldPairs.size,
  };
}

async function compareNearby(
  { db, scopeOf, owner }: AlertStage,
  searches: readonly SearchFacts[],
  jobs: readonly JobFacts[],
  names: readonly string[],
) {
  let unlikeNearby = 0;
  for (const { accountId: _account, alert: _alert, ...search } of searches) {
    const { lat, lng, radiusKm, category, kind, minPay, minTotal, from, to, q } = search;
    const weekdays = search.weekdays.length > 0 ? search.weekdays : null;
    const filters = { category, kind, minPay, minTotal, weekdays, from, to, q };
    const setFilters = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
    const matches = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await nearbyJobs(db, scopeOf(owner.accountId), {
        lat,
        lng,
        radiusKm,
        widen: false,
        sort: 'distance',
        instant: false,
        funded: false,
        verified: false,
        evening: false,
        morning: false,
        afternoon: false,
        fits: false,
        limit: 100,
        ...setFilters,
        cursor,
      });
      for (const { id } of page.items) matches.add(id);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const fitting = jobs.filter((job) => fits(job, { ...search, accountId: '', alert: 'daily' }, names));
    if (fitting.length !== matches.size || fitting.some(({ id }) => !matches.has(id))) unlikeNearby += 1;
  }
  return { compared: searches.length, unlikeNearby };
}
