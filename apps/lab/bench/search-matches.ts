import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { circleAround } from '@nearhand/api/src/hiring/nearby/search-terms.service.ts';
import { wordQuery } from '@nearhand/api/src/hiring/nearby/search-words.rules.ts';
import { matchOpenedJob } from '@nearhand/api/src/hiring/saved-searches/search-matches.service.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import type { Db } from '@nearhand/api/src/platform/db.ts';
import { categoryIds } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import type pg from 'pg';
import { onAlertStage } from '../experiments/search-alerts/alert-stage.ts';
import { type Chances, chancesOf } from '../experiments/webhooks/chances.ts';

/**
 * `node apps/lab/bench/search-matches.ts [--searches 100000]`: database time to match one opened job against saved searches, next to one hand-written statement that does
 * the same without pages, and to reading every search (docs/benchmarks.md).
 */
const searches = Number(process.argv[process.argv.indexOf('--searches') + 1]) || 100_000;
const rounds = 15;
const townCount = 400;
const batch = 5_000;
const durable = { shared_buffers: '512MB' };

type Spread = 'towns' | 'one city' | 'one city, all match';
type Point = { lat: number; lng: number };

/** Towns whose sizes fall as 1/rank, over Europe; the largest has about 15 % of all searches. */
function placeOf(chances: Chances, spread: Spread): Point {
  const rank = spread === 'towns' ? Math.floor(townCount ** chances.next()) : 1;
  const town = { lat: 40 + ((rank * 7.3) % 18), lng: -5 + ((rank * 11.7) % 30) };
  const near = () => (chances.next() - 0.5) * 0.1;
  return { lat: town.lat + near(), lng: town.lng + near() };
}

const words = [
  'barista',
  'waiter',
  'cook',
  'forklift',
  'driver',
  'painter',
  'cleaner',
  'host',
  'tutor',
  'gardener',
];

async function loadSearches(db: Db, spread: Spread): Promise<void> {
  const chances = chancesOf(20_261_122);
  await sql`truncate saved_searches, saved_search_squares, job_alerts cascade`.execute(db);
  const { rows: people } = await sql<{ id: string }>`select id from accounts where name = 'Searcher'`.execute(
    db,
  );
  for (let from = 0; from < searches; from += batch) {
    const made = Array.from({ length: Math.min(batch, searches - from) }, (_, index) => {
      const filtered = spread !== 'one city, all match';
      const maybe = <Value>(share: number, value: () => Value) =>
        filtered && chances.happens(share) ? value() : null;
      const place = placeOf(chances, spread);
      const { pos, chord, squares } = circleAround(place, chances.oneOf([5, 10, 25, 25, 25, 50]));
      return {
        id: crypto.randomUUID(),
        account_id: people[from + index]?.id,
        ...place,
        pos: `(${pos.join(',')})`,
        chord,
        squares,
        category: maybe(0.4, () => chances.oneOf(categoryIds)),
        kind: maybe(0.2, () => chances.oneOf(['shift', 'task'])),
        min_pay: maybe(0.2, () => chances.oneOf([1_500, 1_800, 2_200])),
        words: maybe(0.4, () => wordQuery(chances.oneOf(words))),
      };
    });
    await sql`with made as (select * from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as made (id uuid, account_id uuid, lat float8,
        lng float8, pos text, chord float8, squares jsonb, category text, kind text, min_pay integer, words text)
      ), saved as (insert into saved_searches (id, account_id, name, place, lat, lng, radius_km, pos, chord, category, kind, min_pay, words,
          alert, alerts_since, saved_at)
        select id, account_id, 'Search', 'Town', lat, lng, 25, pos::cube, chord, category, kind, min_pay, to_tsquery('nearhand', words),
          'at_once', now() - interval '1 day', now() from made)
      insert into saved_search_squares select square, coalesce(category, ''), made.id
        from made, jsonb_array_elements_text(squares) square`.execute(db);
  }
  await sql`vacuum analyze saved_searches, saved_search_squares, job_alerts`.execute(db);
}

/** Adds up the time of statements on a pool, as the driver sees it: in all, and per transaction. */
function timed(pool: pg.Pool) {
  const pages: number[] = [];
  let current = 0;
  const known = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    client.query = (async (...given: unknown[]) => {
      const started = performance.now();
      try {
        return await query(...given);
      } finally {
        current += performance.now() - started;
        if (given[0] === 'commit') {
          pages.push(current);
          current = 0;
        }
      }
    }) as never;
  });
  return {
    take: () => {
      const taken = [...pages.splice(0), current];
      current = 0;
      return { all: taken.reduce((sum, one) => sum + one, 0), most: Math.max(...taken) };
    },
  };
}

const fits = sql`search.removed_at is null and search.alert <> 'off' and (job.pos <-> search.pos) <= search.chord
  and (search.kind is null or job.kind = search.kind) and (search.min_pay is null or job.pay_rank >= search.min_pay)
  and (search.category is null or search.category = job.category) and (search.words is null or job.words @@ search.words)`;

/** The hand-written floor: one insert of what one select finds by the same index, without pages and without checking anything else. */
const bare = (db: Db, jobId: string) =>
  sql`insert into job_alerts select search.account_id, job.id, search.id, false, now()
    from jobs job join saved_search_squares square on square.square = geo_square(job.public_lat, job.public_lng)
      and square.category in ('', job.category)
    join saved_searches search on search.id = square.search_id where job.id = ${jobId} and ${fits} on conflict do nothing`.execute(
    db,
  );
/** What an index saves. */
const scan = (db: Db, jobId: string) =>
  sql`select count(*) from jobs job, saved_searches search where job.id = ${jobId} and ${fits}`.execute(db);

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
const ms = (values: readonly number[]) => median(values).toFixed(1);

await onAlertStage(async ({ db, taskScope, scopeOf, owner }, pool) => {
  const clock = timed(pool);
  await sql`insert into accounts (id, name, email, email_verified) select gen_random_uuid(), 'Searcher', n || '@example.test', true
    from generate_series(1, ${searches}::integer) n`.execute(db);
  const scope = scopeOf(owner.accountId);
  const business = await makeBusiness(db, scope, { funded: false });
  process.stdout.write(
    '| searches in | matches | ours, ms | longest page | bare, ms | ratio | scan, ms |\n|---|---|---|---|---|---|---|\n',
  );
  for (const spread of ['towns', 'one city', 'one city, all match'] as const) {
    await loadSearches(db, spread);
    const chances = chancesOf(7);
    const times = {
      ours: [] as number[],
      page: [] as number[],
      bare: [] as number[],
      scan: [] as number[],
      matches: [] as number[],
    };
    for (let round = 0; round < rounds; round += 1) {
      const job = await makeJob(db, scope, business.id, {
        title: `${chances.oneOf(words)} wanted`,
        category: chances.oneOf(categoryIds),
        payMinor: 2_000,
        place: {
          address: 'Quay 1',
          area: 'Town',

          privateAddress: false,
          ...placeOf(chances, spread),
        },
      });
      const own = async (work: () => Promise<unknown>) => {
        clock.take();
        await work();
        return clock.take();
      };
      const ours = await own(() =>
        matchOpenedJob(taskScope, { jobId: job.id, openedAt: new Date().toISOString() }),
      );
      const { count } = await db
        .selectFrom('job_alerts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('job_id', '=', job.id)
        .executeTakeFirstOrThrow();
      await db.deleteFrom('job_alerts').execute();
      const floor = await own(() => bare(db, job.id));
      await db.deleteFrom('job_alerts').execute();
      const scanned = await own(() => scan(db, job.id));
      await db.updateTable('jobs').set({ status: 'closed' }).where('id', '=', job.id).execute();
      if (round === 0) continue;
      times.ours.push(ours.all);
      times.page.push(ours.most);
      times.bare.push(floor.all);
      times.scan.push(scanned.all);
      times.matches.push(count);
    }
    const ratio = median(times.ours.map((one, index) => one / (times.bare[index] ?? 1)));
    process.stdout.write(
      `| ${spread} | ${median(times.matches)} | ${ms(times.ours)} | ${Math.max(...times.page).toFixed(1)} | ${ms(times.bare)} | ${ratio.toFixed(2)} | ${ms(times.scan)} |\n`,
    );
  }
}, durable);
