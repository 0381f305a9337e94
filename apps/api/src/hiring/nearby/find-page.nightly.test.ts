import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { copyJob, makeJob } from '../jobs/jobs.fixtures.ts';
import { effort, expectsToWiden, prepareSearch } from './find-page.ts';
import { noFilters } from './nearby.fixtures.ts';
import { circleAround } from './search-area.ts';
import { searchWords } from './search-words.ts';

const app = useTestApp();
const usual = { ...effort };
afterEach(() => void Object.assign(effort, usual));

const mall = { lat: 52.37, lng: 4.9 };
const atOneAddress = 1_100;
let jobId: string;
let open: string[];

const copy = (copies: number, changes: ReturnType<typeof sql>) => copyJob(app.db, jobId, { copies, changes });
const openIds = async (title: string) =>
  (
    await sql<{
      id: string;
    }>`select id from jobs where status = 'open' and title = ${title} order by id`.execute(app.db)
  ).rows.map(({ id }) => id);

beforeAll(async () => {
  const owner = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(owner), mall);
  jobId = (await makeJob(app.db, app.scopeOf(owner), business.id, { title: 'Shop guard' })).id;
  await copy(atOneAddress - 1, sql`'slug', 'mall-' || n`);
  await sql`vacuum analyze jobs`.execute(app.db);
  open = await openIds('Shop guard');
});

describe('a search by distance around an address with more jobs than are read before giving up', () => {
  it.each([
    ['in words that all have', { q: 'guard' }, {}],
    ['with a filter that all pass', { kind: 'shift' as const }, { outwards: 300, fitting: 3 }],
    [
      'with a filter, one short of all',
      { kind: 'shift' as const },
      { outwards: atOneAddress - 1, fitting: 3 },
    ],
    ['with a filter, exactly all', { kind: 'shift' as const }, { outwards: atOneAddress, fitting: 3 }],
  ])('shows every job exactly once, in order, %s', async (_name, filters, spent) => {
    Object.assign(effort, spent);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await app.apiAs(null).nearby.search({ ...mall, ...filters, limit: 100, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(open).toHaveLength(atOneAddress);
    expect(ids).toEqual(open);
  });
});

describe('a search by words of which few matches are expected', () => {
  const here = { lat: 46, lng: 20 };
  const apart = { lat: 47, lng: 30 };
  const inLine = (title: string, from: typeof here, firstKm: number, apartKm: number) =>
    sql`'title', ${title}::text, 'slug', ${title}::text || n, 'public_lng', ${from.lng}::float8,
      'public_lat', ${from.lat}::float8 + (${firstKm}::float8 + (n - 1) * ${apartKm}::float8) / 111.2`;

  const expected = async (q: string, from: typeof here, km: number) => {
    const { query } = await searchWords(app.db, q);
    return expectsToWiden(
      await prepareSearch(app.db, { ...noFilters, words: query }, circleAround(from, km), 'distance'),
    );
  };

  it.each(['distance', 'newest', 'pay', 'soonest'] as const)(
    'widens to the first radius with ten jobs, by %s, and keeps it on later pages',
    async (sort) => {
      const title = `Falconer ${sort}`;
      await copy(30, inLine(title, here, 1, 1.04));
      await sql`analyze jobs`.execute(app.db);
      const input = { ...here, q: title, sort, radiusKm: 5, limit: 6 };
      expect(await expected(input.q, here, 5)).toBe(true);
      const first = await app.apiAs(null).nearby.search(input);
      expect(first).toMatchObject({ radiusKm: 25, widened: true });
      const ids = first.items.map(({ id }) => id);
      for (let page = first; page.nextCursor; ) {
        page = await app.apiAs(null).nearby.search({ ...input, cursor: page.nextCursor });
        expect(page).toMatchObject({ radiusKm: 25, widened: true });
        ids.push(...page.items.map(({ id }) => id));
      }
      const { rows } = await sql<{
        id: string;
      }>`select id from jobs where title = ${title} and public_lat < ${here.lat + 25 / 111.2}
        order by ${sort === 'distance' ? sql`public_lat` : sql`id desc`}`.execute(app.db);
      expect(rows).toHaveLength(24);
      expect(ids).toEqual(rows.map(({ id }) => id));
      expect(await app.apiAs(null).nearby.search({ ...input, widen: 'false' })).toMatchObject({
        radiusKm: 5,
        widened: false,
        nextCursor: null,
        items: { length: 4 },
      });
    },
  );

  it('keeps the radius when the estimate was wrong and it contains ten', async () => {
    await copy(10, inLine('Astronomer', apart, 1, 0.3));
    expect(await expected('astronomer', apart, 5)).toBe(true);
    for (const sort of ['distance', 'newest'] as const) {
      const page = await app.apiAs(null).nearby.search({ ...apart, q: 'astronomer', radiusKm: 5, sort });
      expect(page).toMatchObject({ radiusKm: 5, widened: false, items: { length: 10 } });
    }
  });
});
