import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { onOneConnection, pagesRead } from '../../../test/pages-read.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { Tx } from '../../platform/db.ts';
import { copyJob, makeJob } from '../jobs/jobs.fixtures.ts';
import { effort, findPage, prepareSearch, walkSquares } from './find-page.ts';
import { noFilters } from './nearby.fixtures.ts';
import { circleAround } from './search-area.ts';
import { gatherFitting, walkOutwards } from './search-reads.ts';
import { searchWords } from './search-words.ts';

const app = useTestApp();
const copies = 3_000;

beforeAll(async () => {
  const owner = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(owner));
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, { title: 'Night guard' });
  await copyJob(app.db, job.id, {
    copies,
    changes: sql`'slug', 'copy-' || n, 'public_lat', 40 + (n % 53) * 0.1, 'public_lng', 20 + (n / 53) * 0.1,
      'published_at', job.published_at - make_interval(hours => n * 37 % 3001)`,
  });
  await sql`vacuum analyze jobs`.execute(app.db);
});

describe('a search by words', () => {
  it('reads the index of words by square, however many jobs are open elsewhere (ADR 256)', async () => {
    const { query } = await searchWords(app.db, 'guard');
    const around = circleAround({ lat: 70, lng: 25 }, 100);
    const search = (tx: Tx) =>
      gatherFitting(tx, around, { ...noFilters, words: query }, { by: 'distance', after: null, limit: 21 });
    const inSight = sql`select id from jobs where status = 'open'
      and words_by_square(words) @@ query_by_square(to_tsquery('nearhand', ${query}), ${[...around.squares]}::text[])`;
    const byIndex = async (work: (tx: Tx) => Promise<unknown>) =>
      (await pagesRead(app.pool, work)).plans.includes('jobs_open_square_words');
    await sql`alter function words_by_square(tsvector) cost 1`.execute(app.db);
    expect(await byIndex(search)).toBe(true);
    expect(await byIndex((tx) => inSight.execute(tx))).toBe(false);
  });
});

describe('a walk outwards with a kept plan', () => {
  it('tests each job as it comes, without sorting them all first', async () => {
    const { query } = await searchWords(app.db, 'guard');
    const around = circleAround({ lat: 42.5, lng: 22.5 }, 25);
    const texts: string[] = [];
    const plan = await onOneConnection(
      app.pool,
      async (db, client) => {
        await walkOutwards(
          db,
          around,
          { ...noFilters, words: query },
          { by: 'distance', after: null, limit: 21 },
          1_000,
        );
        await client.query('begin; set local enable_sort = off');
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain (generic_plan, costs off) ${texts[0]}`,
        );
        await client.query('rollback');
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      },
      ({ sql: text }) => texts.push(text),
    );
    const [, walk] = plan.split('WindowAgg');
    expect(walk).toContain('Index Scan using jobs_open_near');
    expect(walk?.split('Index Scan')[0]).not.toMatch(/-> +Sort/);
  });
});

describe('a search in sort order', () => {
  const pageRequest = { by: 'newest', after: null, limit: 5 } as const;
  const around = circleAround({ lat: 42.5, lng: 22.5 }, 25);

  it('reads an index of the squares around the place, however many newer jobs are open elsewhere (ADR 256)', async () => {
    const walk = (squares: readonly string[]) =>
      pagesRead(app.pool, (tx) => walkSquares(tx, { ...around, squares }, noFilters, pageRequest, 20));
    const { pages, plans } = await walk(around.squares);
    expect(plans).toContain('Index Only Scan using jobs_open_newest');
    expect(pages).toBeLessThan(100);
    const { rows } = await sql<{
      square: string;
    }>`select distinct geo_square(public_lat, public_lng) as square from jobs`.execute(app.db);
    expect((await walk(rows.map(({ square }) => square))).pages).toBeGreaterThan(100);
  });

  it('never skips ahead of an unread job in another square', async () => {
    const order = async (perSquare: number) => {
      const { rows, isComplete } = await walkSquares(
        app.db,
        around,
        noFilters,
        { ...pageRequest, limit: 100 },
        perSquare,
      );
      return { ids: rows.map(({ id }) => id), isComplete };
    };
    const all = await order(10_000);
    expect(around.squares.length).toBeGreaterThan(1);
    expect(all.isComplete).toBe(true);
    for (const perSquare of [1, 10, 20]) {
      const some = await order(perSquare);
      expect(some).toEqual({ ids: all.ids.slice(0, some.ids.length), isComplete: false });
    }
    expect((await order(20)).ids.length).toBeGreaterThan(5);
  });

  it('tests the words of jobs in order and gives up the same way', async () => {
    const { query } = await searchWords(app.db, 'guard');
    const walk = (words: string | null, perSquare: number) =>
      walkSquares(app.db, around, { ...noFilters, words }, pageRequest, perSquare);
    const without = await walk(null, 20);
    expect((await walk(query, 20)).rows).toEqual(without.rows);
    expect(without.rows).toHaveLength(5);
    expect(await walk("'falconer'", 20)).toEqual({ rows: [], isComplete: false });
    expect(await walk("'falconer'", 10_000)).toEqual({ rows: [], isComplete: true });
  });
});

describe('a search for a kind that no open job has', () => {
  const usual = { ...effort };
  afterEach(() => void Object.assign(effort, usual));

  it('stops early and reads no job of another kind (ADR 256)', async () => {
    const { rows } = await sql<{ id: string }>`select id from jobs limit 1`.execute(app.db);
    await copyJob(app.db, rows[0]?.id ?? '', {
      copies: copies / 3,
      changes: sql`'slug', 'task-' || n, 'kind', 'task', 'status', 'closed', 'public_lat', 42.5, 'public_lng', 22.5`,
    });
    await sql`vacuum analyze jobs`.execute(app.db);
    const around = circleAround({ lat: 42.5, lng: 22.5 }, 100);
    const filters = { ...noFilters, kind: 'task' as const };
    const { odds } = await prepareSearch(app.db, filters, around, 'newest');
    expect(odds?.open).toBeGreaterThan(100);
    expect(odds?.fitting).toBeLessThan(10);
    Object.assign(effort, { outwards: 7, box: 7, square: 0.3, inOrder: 40 });
    for (const fitting of [0, 1_000_000])
      for (const by of ['newest', 'distance'] as const) {
        const { plans } = await pagesRead(app.pool, (tx) =>
          findPage({ db: tx, filters, odds: { open: 1_000, fitting } }, around, {
            by,
            after: null,
            limit: 21,
          }),
        );
        expect(plans).toContain('Index Only Scan using jobs_open_kind_day');
      }
  });
});
