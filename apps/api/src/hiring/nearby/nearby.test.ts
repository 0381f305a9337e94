import { payForMinutes } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import type { NearbyInput } from '@nearhand/contract/hiring/nearby';
import type { NearbyCard } from '@nearhand/contract/hiring/nearby-card';
import { shownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { categoryIds } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nightly, seededSample } from '../../../../../scripts/seeded-sample.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import { copyJob, makeJob } from '../jobs/jobs.fixtures.ts';
import { effort } from './find-page.ts';

const app = useTestApp({ OPEN_JOBS_WHILE_UNVERIFIED: '100' });

type Made = {
  id: string;
  lat: number;
  lng: number;
  category: string;
  kind: 'shift' | 'task';
  pay: number | null;
  published: number;
  day: string | null;
  starts: number | null;
  title: string;
};
const madeJobs: Made[] = [];

let seed = 7;
const random = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed / 2 ** 31;
};
const wrap = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180;

const towns = [
  { lat: 52.37, lng: 4.89, spread: 0.08, jobs: 1_500 },
  { lat: -16.85, lng: 179.99, spread: 0.2, jobs: 400 },
  { lat: 89.6, lng: 20, spread: 0.3, jobs: 250 },
  { lat: -89.9, lng: -100, spread: 0.1, jobs: 150 },
  { lat: 40.71, lng: -74, spread: 0.5, jobs: 700 },
];

beforeAll(async () => {
  const owner = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(owner), { name: 'Far and Near' });
  const now = app.clock.now().getTime();
  const rows = towns.flatMap((town) =>
    Array.from({ length: town.jobs }, (_, index) => {
      // Every tenth job shares the previous one's place: keyset pages must neither lose nor repeat it.
      const before = madeJobs.at(-1);
      const same = index % 10 === 9 && before !== undefined;
      const lat = Math.max(-90, Math.min(90, town.lat + (random() + random() - 1) * town.spread));
      const narrow = Math.max(0.02, Math.cos((lat * Math.PI) / 180));
      const lng = wrap(town.lng + ((random() + random() - 1) * town.spread) / narrow);
      const shift = random() < 0.9;
      const startsAt = new Date(now + Math.floor(random() * 20) * dayMs + 2 * hourMs);
      const job: Made = {
        id: newId(app.clock.now()),
        lat: same ? before.lat : lat,
        lng: same ? before.lng : lng,
        category: categoryIds[Math.floor(random() * categoryIds.length)] ?? 'events',
        kind: shift ? 'shift' : 'task',
        pay: shift ? 1_000 + Math.floor(random() * 40) * 50 : null,
        published: now - Math.floor(random() * 1_000) * minuteMs,
        starts: shift ? startsAt.getTime() : null,
        day: shift ? startsAt.toISOString().slice(0, 10) : null,
        title: random() < 0.01 ? 'Falconer wanted' : `Helper ${index % 7}`,
      };
      madeJobs.push(job);
      return {
        id: job.id,
        businessId: business.id,
        businessName: business.name,
        kind: job.kind,
        status: index % 20 === 0 ? ('paused' as const) : ('open' as const),
        title: job.title,
        category: job.category,
        description: 'Work',
        payMinor: job.pay ?? 5_000,
        payUnit: shift ? ('hour' as const) : ('fixed' as const),
        payHourMinor: job.pay,
        currency: 'EUR' as const,
        startsAt: shift ? startsAt : null,
        endsAt: shift ? addMs(startsAt, hourMs) : null,
        timeZone: 'UTC',
        address: 'Street 1',
        area: 'Area',
        lat: job.lat,
        lng: job.lng,
        publicLat: job.lat,
        publicLng: job.lng,
        businessFeeBasisPoints: 1_000,
        workerFeeBasisPoints: 0,
        publishedAt: new Date(job.published),
        expiresAt: new Date(now + dayMs),
        createdAt: new Date(job.published),
        updatedAt: new Date(job.published),
      };
    }),
  );
  for (let from = 0; from < rows.length; from += 500)
    await app.db
      .insertInto('jobs')
      .values(rows.slice(from, from + 500))
      .execute();
  const paused = new Set(rows.filter((row) => row.status === 'paused').map((row) => row.id));
  madeJobs.splice(0, madeJobs.length, ...madeJobs.filter((job) => !paused.has(job.id)));
  // Without autovacuum the newest words stay in a list that each search reads from end to end.
  await app.pool.query('vacuum analyze jobs');
});

type Flags = 'widen' | 'instant' | 'funded' | 'verified' | 'evening' | 'morning' | 'afternoon' | 'fits';
type Changes = Partial<Omit<NearbyInput, Flags | 'weekdays'>> & { lat: number; lng: number };

function bruteForce(options: Changes) {
  const { radiusKm = 25, sort = 'distance', minPay = 0, from = '', to = '9' } = options;
  const dayAsked = options.from !== undefined || options.to !== undefined;
  const near = madeJobs
    .map((job) => ({ ...job, metres: metresBetween(options, job) }))
    .filter((job) => job.metres <= radiusKm * 1000)
    .filter((job) => !options.category || job.category === options.category)
    .filter((job) => !options.kind || job.kind === options.kind)
    .filter((job) => minPay === 0 || (job.pay ?? 0) >= minPay)
    .filter((job) => !dayAsked || (job.day !== null && job.day >= from && job.day <= to))
    .filter((job) => !options.q || job.title.toLowerCase().includes(options.q));
  const byId = (a: Made, b: Made) => (a.id < b.id ? -1 : 1);
  return near.sort((a, b) => {
    if (sort === 'distance') return Math.abs(a.metres - b.metres) > 1e-5 ? a.metres - b.metres : byId(a, b);
    if (sort === 'soonest')
      return (a.starts ?? Infinity) === (b.starts ?? Infinity)
        ? -byId(a, b)
        : (a.starts ?? Infinity) - (b.starts ?? Infinity);
    if (sort === 'total') return (b.pay ?? 5_000) - (a.pay ?? 5_000) || -byId(a, b);
    if (sort === 'newest') return b.published - a.published || -byId(a, b);
    return (b.pay ?? 0) - (a.pay ?? 0) || -byId(a, b);
  });
}

async function everyPage(options: Changes, limit = 100): Promise<NearbyCard[]> {
  const items: NearbyCard[] = [];
  let cursor: string | undefined;
  do {
    const page = await app.apiAs(null).nearby.search({ ...options, widen: 'false', limit, cursor });
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return items;
}

const places = [
  ['a dense centre', { lat: 52.37, lng: 4.89 }],
  ['the edge of a town', { lat: 52.44, lng: 4.98 }],
  ['nothing there', { lat: 0, lng: -30 }],
  ['the date line from the west', { lat: -16.8, lng: 179.95 }],
  ['the date line from the east', { lat: -16.9, lng: -179.93 }],
  ['beside the north pole', { lat: 89.95, lng: -160 }],
  ['the south pole itself', { lat: -90, lng: 0 }],
  ['a wide town', { lat: 40.7, lng: -74.1 }],
] as const;

describe('nearby.search', () => {
  const ways = places.flatMap(
    ([name, place]) =>
      [
        [`${name}`, place, effort],
        [
          `${name}, where every way gives up early`,
          place,
          { fitting: 3, outwards: 7, words: 7, box: 7, square: 0.3, inOrder: 40 },
        ],
        [`${name}, where the box gives up late`, place, { ...effort, fitting: 3, box: 30, square: 0.3 }],
        [`${name}, where few are read of each square`, place, { ...effort, fitting: 3, square: 1 }],
      ] as const,
  );
  const usual = { ...effort };
  afterEach(() => void Object.assign(effort, usual));

  it.each(seededSample(ways, 12, ([name]) => name))(
    'returns the same first page as brute force around %s',
    async (_name, place, spent) => {
      Object.assign(effort, spent);
      const sorts = ['distance', 'newest', 'pay', 'soonest'] as const;
      for (let probe = 0; probe < 25; probe += 1) {
        const options: Changes = {
          lat: Math.max(-90, Math.min(90, place.lat + (random() - 0.5) * 0.04)),
          lng: wrap(place.lng + (random() - 0.5) * 0.04),
          radiusKm: [1, 5, 25, 100][probe % 4] ?? 25,
          sort: sorts[probe % 4] ?? 'distance',
          ...(probe % 5 === 1 ? { category: categoryIds[probe % categoryIds.length] } : {}),
          ...(probe % 5 === 2 ? { minPay: 2_500 } : {}),
          ...(probe % 5 === 3 ? { q: probe % 2 === 0 ? 'helper' : 'falconer' } : {}),
          ...(probe % 5 === 4 ? { from: '2026-11-24', to: '2026-11-26', kind: 'shift' as const } : {}),
        };
        const page = await app.apiAs(null).nearby.search({ ...options, widen: 'false' });
        const expectedJobs = bruteForce(options).slice(0, 20);
        expect(
          page.items.map((item) => item.id),
          JSON.stringify(options),
        ).toEqual(expectedJobs.map((job) => job.id));
        for (const [index, item] of page.items.entries())
          expect(Math.abs((item.distanceM ?? 0) - (expectedJobs[index]?.metres ?? 0))).toBeLessThan(1);
      }
    },
  );

  it.each(['distance', 'newest', 'pay', 'total', 'soonest'] as const)(
    'loses and repeats nothing across pages by %s',
    async (sort) => {
      for (const [, place] of places.slice(0, 6)) {
        const options = { ...place, radiusKm: 50, sort };
        const items = await everyPage(options, sort === 'distance' ? 37 : 100);
        expect(items.map((item) => item.id)).toEqual(bruteForce(options).map((job) => job.id));
      }
    },
  );

  it('widens to the first radius with ten jobs, reports it and keeps it on later pages', async () => {
    const here = { lat: 52.95, lng: 4.89 };
    const within = (km: number) => bruteForce({ ...here, radiusKm: km });
    expect(within(25).length).toBeLessThan(10);
    const expected = [50, 100].find((km) => within(km).length >= 10) ?? 100;
    for (const sort of ['distance', 'newest', 'pay', 'soonest'] as const) {
      const first = await app.apiAs(null).nearby.search({ ...here, sort, limit: 3 });
      expect(first).toMatchObject({ radiusKm: expected, widened: true });
      const second = await app
        .apiAs(null)
        .nearby.search({ ...here, sort, limit: 3, cursor: first.nextCursor ?? '' });
      expect(second).toMatchObject({ radiusKm: expected, widened: true });
      const expectedJobs = bruteForce({ ...here, sort, radiusKm: expected });
      expect([...first.items, ...second.items].map((item) => item.id)).toEqual(
        expectedJobs.slice(0, 6).map((job) => job.id),
      );
    }
    const narrow = await app.apiAs(null).nearby.search({ ...here, widen: 'false' });
    expect(narrow).toMatchObject({ items: [], radiusKm: 25, widened: false, nextCursor: null });
  });

  it.each(['distance', 'newest', 'pay', 'soonest'] as const)(
    'widens to a page that contains everything in the radius, by %s',
    async (sort) => {
      let whole = 0;
      for (let probe = 0; probe < 40; probe += 1) {
        const input = {
          lat: 52.4 + probe * 0.01,
          lng: 4.89,
          radiusKm: 5,
          sort,
          category: categoryIds[probe % categoryIds.length] ?? categoryIds[0],
        };
        const page = await app.apiAs(null).nearby.search({ ...input, limit: 100 });
        const expectedJobs = bruteForce({ ...input, radiusKm: page.radiusKm });
        expect(page.items.map((item) => item.id)).toEqual(expectedJobs.slice(0, 100).map((job) => job.id));
        if (page.widened && expectedJobs.length > 0 && expectedJobs.length <= 100) whole += 1;
      }
      expect(whole).toBeGreaterThan(10);
    },
  );

  it("doesn't widen when the radius contains ten", async () => {
    const page = await app.apiAs(null).nearby.search({ lat: 52.37, lng: 4.89, radiusKm: 5, limit: 2 });
    expect(page).toMatchObject({ radiusKm: 5, widened: false });
    expect(page.items).toHaveLength(2);
  });

  it('searches title, business, place and description, the last word as a prefix, ignoring accents', async () => {
    const owner = await app.person();
    const scope = app.scopeOf(owner);
    const here = { lat: 45.5, lng: -73.57 };
    const business = await makeBusiness(app.db, scope, {
      ...here,
      name: 'Brûlerie',
      area: 'Côte-des-Neiges',
    });
    const job = await makeJob(app.db, scope, business.id, {
      title: 'Öffnungshelfer مقهى',
      description: 'Full-time work with falcons',
    });
    const find = async (q: string) =>
      (await app.apiAs(null).nearby.search({ ...here, q })).items.map((item) => item.id);
    const hits = [
      'offnungs',
      'BRULERIE',
      'cote des nei',
      'مقهى',
      'full time falc',
      'öffnungshelfer brûl',
      'مقهي',
    ];
    for (const q of hits) expect(await find(q), q).toEqual([job.id]);
    const misses = ['nothing', '𝟘', "x' | 'y", '½ 𝟘', '&!|():*<->\\'];
    for (const q of [...misses, '🙂', '!!!']) expect(await find(q), q).toEqual([]);
    expect(await app.apiAs(null).nearby.count({ ...here, radiusKm: 5, q: '🙂' })).toMatchObject({ count: 0 });
  });

  it('finds names without their apostrophe, and Arabic names in any spelling of alef', async () => {
    const here = { lat: 53.35, lng: -6.26 };
    const scope = app.scopeOf(await app.person());
    const make = async (name: string, title: string) =>
      (await makeJob(app.db, scope, (await makeBusiness(app.db, scope, { ...here, name })).id, { title })).id;
    const oneill = await make("O'Neill’s Bar", 'Barista');
    const dangelo = await make('Ristorante D’Angelo', 'Cook at l’hôtel');
    const ahmad = await make('مطعم أحمد', 'Waiter');
    const find = async (q: string) =>
      (await app.apiAs(null).nearby.search({ ...here, q, radiusKm: 5, widen: 'false' })).items.map(
        ({ id }) => id,
      );
    for (const q of ['oneill', 'ONEILLS', "o'neill", 'neill']) expect(await find(q), q).toEqual([oneill]);
    for (const q of ['dangelo', 'd’angelo', 'angelo', 'hotel', 'lhotel'])
      expect(await find(q), q).toEqual([dangelo]);
    for (const q of ['احمد', 'أحمد', 'إحمد']) expect(await find(q), q).toEqual([ahmad]);
  });

  it('tolerates synonyms, plurals and typos, also in names of businesses and places', async () => {
    const here = { lat: 44.84, lng: -0.58 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Chez Margaux', area: 'Chartrons' });
    const make = async (title: string, skills: 'waiter'[] = []) =>
      (await makeJob(app.db, scope, business.id, { title, skills })).id;
    const barista = await make('Barista');
    const waiters = await make('Waiters for a wedding');
    const breakfast = await make('Breakfast service', ['waiter']);
    await app.runDue();
    const find = async (q: string) => {
      const { items, respelled } = await app.apiAs(null).nearby.search({ ...here, q });
      return { ids: items.map(({ id }) => id).sort(), respelled };
    };
    expect(await find('barrista')).toEqual({
      ids: [barista],
      respelled: [{ typed: 'barrista', meant: ['barista'] }],
    });
    for (const typed of ['waitress', 'kelner', 'serveuse'])
      expect(await find(typed)).toEqual({ ids: [waiters, breakfast].sort(), respelled: [] });
    expect((await find('weding waiter')).ids).toEqual([waiters]);
    expect((await find('margeaux breakfast')).ids).toEqual([breakfast]);
    expect((await find('chartons')).ids).toEqual([barista, waiters, breakfast].sort());
    expect(await find('breakf')).toEqual({ ids: [breakfast], respelled: [] });
    expect((await find('astronaut')).ids).toEqual([]);
  });

  it('finds English jobs by everyday words in other languages', async () => {
    const here = { lat: 60.63, lng: 6.42 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Fjord', area: 'Voss' });
    const make = async (title: string, skills: SkillId[]) =>
      (await makeJob(app.db, scope, business.id, { title, skills })).id;
    const rider = await make('Meals to homes', ['bike-courier']);
    const picker = await make('Parcels at night', ['order-picker']);
    const find = async (q: string) =>
      (await app.apiAs(null).nearby.search({ ...here, q, sort: 'best' })).items.map(({ id }) => id);
    for (const q of ['maaltijdbezorgers', 'Kurier', 'livreuse', 'repartidora', 'عامل توصيل', 'bezorging'])
      expect(await find(q), q).toEqual([rider]);
    for (const q of [
      'magazijnmedewerker',
      'Lager',
      'entrepôt',
      'almacén',
      'nachtdienst',
      'night shift',
      'noche',
    ])
      expect(await find(q), q).toEqual([picker]);
  });

  it('suggests similar words that match nearby jobs when the query finds nothing', async () => {
    const here = { lat: 15.5, lng: 32.56 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Nile', area: 'Town' });
    await makeJob(app.db, scope, business.id, { title: 'Upholstery restorer' });
    await makeJob(app.db, scope, business.id, { title: 'Hedges', skills: ['gardener'] });
    await app.runDue();
    const { search } = app.apiAs(null).nearby;
    expect((await search({ ...here, q: 'upholsterings' })).suggestions).toEqual(['upholstery']);
    expect((await search({ ...here, q: 'gardenhouse' })).suggestions).toContain('gardener');
    // A word that jobs use elsewhere isn't a typing error.
    expect((await search({ ...here, q: 'restorer hedges' })).suggestions).toEqual([]);
    expect((await search({ lat: -54.8, lng: -68.3, q: 'upholsterings' })).suggestions).toEqual([]);
    expect(await search({ ...here, q: 'upholstery' })).not.toHaveProperty('suggestions');
  });

  it('finds postcodes of addresses, but not of private ones', async () => {
    const here = { lat: 66.5, lng: 25.73 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Polar', area: 'Town' });
    const make = async (address: string, privateAddress = false) => {
      const place = { lat: here.lat, lng: here.lng, area: 'Town', address, privateAddress };
      return (await makeJob(app.db, scope, business.id, { title: 'Cook', place })).id;
    };
    const amsterdam = await make('Damrak 1, 1012LG Amsterdam');
    const munich = await make('Marienplatz 8, 80331 München');
    const london = await make('10 Downing Street, SW1A 2AA');
    await make('Damrak 2, 1012 LG Amsterdam', true);
    const find = async (q: string) =>
      (await app.apiAs(null).nearby.search({ ...here, q })).items.map(({ id }) => id);
    for (const q of ['1012 LG', '1012lg', '1012', 'cook 1012 AB'])
      expect(await find(q), q).toEqual([amsterdam]);
    for (const q of ['80331', '8033']) expect(await find(q), q).toEqual([munich]);
    for (const q of ['SW1A', 'sw1a2aa', 'SW1A 2AA']) expect(await find(q), q).toEqual([london]);
  });

  it('finds the whole words of a street, but not of a private address', async () => {
    const here = { lat: 67.9, lng: 23.68 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Polar', area: 'Town' });
    const make = async (address: string, privateAddress = false) => {
      const place = { lat: here.lat, lng: here.lng, area: 'Town', address, privateAddress };
      return (await makeJob(app.db, scope, business.id, { title: 'Cook', place })).id;
    };
    const canal = await make('Lindengracht 12, 1015 KH Amsterdam');
    const straße = await make('Große Hamburger Straße 3, Berlin');
    await make('Haarlemmerstraat 4, Amsterdam');
    await make('Lindengracht 14, Amsterdam', true);
    const find = async (q: string) =>
      (await app.apiAs(null).nearby.search({ ...here, q })).items.map(({ id }) => id);
    for (const q of ['Lindengracht', 'lindengracht cook', 'kok lindengracht'])
      expect(await find(q), q).toEqual([canal]);
    expect(await find('grosse hamburger strasse')).toEqual([straße]);
    // Haarlem is a town to search around, and no street.
    expect(await find('Haarlem')).toEqual([]);
  });

  it('keeps every upcoming day of the week, and pay for the whole job', async () => {
    const here = { lat: 68.4, lng: 17.43 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Polar', area: 'Town' });
    const make = async (day: string, hours: number) =>
      (
        await makeJob(app.db, scope, business.id, {
          startsAt: `${day}T10:00:00Z`,
          endsAt: new Date(Date.parse(`${day}T10:00:00Z`) + hours * hourMs).toISOString(),
          payMinor: 2_000,
        })
      ).id;
    const short = await make('2026-11-28', 4);
    const long = await make('2026-12-05', 8);
    const sunday = await make('2026-12-06', 8);
    const find = async (filters: object, sort: NearbyInput['sort']) => {
      const input = { ...filters, ...here, sort, widen: 'false' as const };
      return (await app.apiAs(null).nearby.search(input as never)).items.map(({ id }) => id).sort();
    };
    for (const sort of ['distance', 'soonest', 'total', 'best'] as const) {
      expect(await find({ weekdays: 'sat' }, sort), sort).toEqual([short, long].sort());
      expect(await find({ minTotal: 10_000 }, sort), sort).toEqual([long, sunday].sort());
      expect(await find({ weekdays: 'sat', minTotal: 10_000 }, sort), sort).toEqual([long]);
      expect(await find({ weekdays: 'fri,sun' }, sort), sort).toEqual([sunday]);
    }
  });

  it('shows at most two jobs of a business in a row where others are about as near', async () => {
    const scope = app.scopeOf(await app.person());
    const near = { lat: -12.46, lng: 130.84 };
    const make = async (name: string, lat: number, count: number) => {
      const business = await makeBusiness(app.db, scope, { ...near, lat, name, area: 'Town' });
      for (let job = 0; job < count; job += 1) await makeJob(app.db, scope, business.id);
    };
    await make('Larder', -12.46, 5);
    await make('Bakery', -12.461, 1);
    await make('Cellar', -12.464, 1);
    await make('Harbour', -12.49, 1);
    const page = await app.apiAs(null).nearby.search({ ...near, widen: 'false' });
    expect(page.items.map(({ business }) => business.name)).toEqual([
      'Larder',
      'Larder',
      'Bakery',
      'Larder',
      'Larder',
      'Larder',
      'Cellar',
      'Harbour',
    ]);
  });

  it("puts jobs of a viewer's skills first within each band of distance, and marks them for that viewer", async () => {
    const scope = app.scopeOf(await app.person());
    const here = { lat: -19.26, lng: 146.81 };
    const make = async (title: string, lat: number, skills: SkillId[]) => {
      const business = await makeBusiness(app.db, scope, { ...here, lat, name: title, area: 'Town' });
      await makeJob(app.db, scope, business.id, { title, skills });
    };
    await make('Here', -19.26, ['makeup']);
    await make('Coffee', -19.263, ['barista']);
    await make('Far coffee', -19.29, ['barista']);
    const worker = await app.person();
    await worker.api.profiles.save({ skills: [{ skill: 'barista', level: null, years: null }] });
    const titles = async (person: Person | null) => {
      const api = person ? person.api : app.apiAs(null);
      const { items } = await api.nearby.search({ ...here, widen: 'false' });
      return items.map(({ title, matchesSkills }) => (matchesSkills ? `${title}, matches` : title));
    };
    expect(await titles(worker)).toEqual(['Coffee, matches', 'Here', 'Far coffee, matches']);
    expect(await titles(null)).toEqual(['Here', 'Coffee', 'Far coffee']);
  });

  it('filters by hours in the zone of the job and by length', async () => {
    const here = { lat: -23.7, lng: 133.88 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Outback', area: 'Town' });
    const make = async (startsAt: string, hours: number) =>
      (
        await makeJob(app.db, scope, business.id, {
          startsAt,
          endsAt: new Date(Date.parse(startsAt) + hours * hourMs).toISOString(),
        })
      ).id;
    // Half past nine hours ahead of UTC: 17:00 to 21:00, 22:00 to 6:00, 9:00 to 17:00 and 20:00 to midnight.
    const evening = await make('2026-11-28T07:30:00Z', 4);
    const night = await make('2026-11-28T12:30:00Z', 8);
    const morning = await make('2026-11-27T23:30:00Z', 8);
    const late = await make('2026-11-28T10:30:00Z', 4);
    const find = async (filters: object, sort: NearbyInput['sort']) => {
      const input = { ...filters, ...here, sort, widen: 'false' as const };
      return (await app.apiAs(null).nearby.search(input as never)).items.map(({ id }) => id).sort();
    };
    for (const sort of ['distance', 'soonest', 'best'] as const) {
      expect(await find({ startsFrom: 17 * 60 }, sort), sort).toEqual([evening, night, late].sort());
      expect(await find({ startsFrom: 17 * 60 + 1 }, sort), sort).toEqual([night, late].sort());
      expect(await find({ endsBy: 17 * 60 }, sort), sort).toEqual([morning]);
      expect(await find({ endsBy: 24 * 60 }, sort), sort).toEqual([evening, morning, late].sort());
      expect(await find({ maxMinutes: 240 }, sort), sort).toEqual([evening, late].sort());
    }
  });

  it('drops words that no job uses if others match, and reports it', async () => {
    const here = { lat: -41.29, lng: 174.78, limit: 1 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Kea', area: 'Karori' });
    const make = async (title: string, skills: SkillId[] = []) =>
      (await makeJob(app.db, scope, business.id, { title, skills })).id;
    const hedges = await make('Trim the hedges', ['gardener']);
    const lawns = await make('Mow the lawn', ['gardener']);
    const { search, count } = app.apiAs(null).nearby;
    const first = await search({ ...here, q: 'tuinieren €20, tomorrow' });
    expect(first.leftOut).toEqual({ words: ['€20', 'tomorrow'], searched: 'tuinieren' });
    const second = await search({ ...here, q: 'tuinieren €20, tomorrow', cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id).sort()).toEqual([hedges, lawns].sort());
    expect(await count({ ...here, radiusKm: 5, q: 'tuinieren €20' })).toMatchObject({ count: 2 });
    expect(await search({ ...here, q: 'hedges tuinieren' })).not.toHaveProperty('leftOut');
    // Jobs use each word, but not both together: words for work decide.
    await make('Sofa upstairs');
    const gardening = await search({ ...here, limit: 9, q: 'tuinieren with a sofa' });
    expect(gardening.leftOut).toEqual({ words: ['sofa'], searched: 'tuinieren' });
    expect(gardening.items.map(({ id }) => id).sort()).toEqual([hedges, lawns].sort());
    expect((await search({ ...here, limit: 9, q: 'jobs near me' })).items).toHaveLength(3);
    for (const q of ['trim sofa', 'zzyzx tomorrow', '€20'])
      expect(await search({ ...here, q }), q).toMatchObject({ items: [] });
    // The filters decide, not the words: without them each word matches.
    const filtered = { ...here, q: 'hedges €20', category: 'care' as const };
    expect(await search(filtered)).toMatchObject({ items: [] });
    expect(await count({ ...filtered, radiusKm: 5 })).toMatchObject({ count: 0 });
  });

  it('splits a query without matches into work and a place', async () => {
    const { search } = app.apiAs(null).nearby;
    const here = { lat: 61.5, lng: 23.76 };
    const split = await search({ ...here, q: 'barista Haarlem' });
    expect(split).toMatchObject({ items: [], splits: [{ what: 'barista', where: 'Haarlem' }] });
    expect(await search(here)).not.toHaveProperty('splits');
    expect((await search({ ...here, q: 'barista' })).splits).toEqual([]);
  });

  it('filters by instant hire, secured pay, verified business and hours', async () => {
    const here = { lat: 59.91, lng: 10.75 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, verified: true });
    const unknown = await makeBusiness(app.db, scope, { ...here, verified: false });
    const at = (day: number, hour: number) => new Date(Date.UTC(2026, 11, 6 + day, hour - 1)).toISOString();
    const shift = (day: number, from: number, to: number) => ({
      startsAt: at(day, from),
      endsAt: at(day, to),
    });
    const make = async (businessId: string, options: Parameters<typeof makeJob>[3]) =>
      (await makeJob(app.db, scope, businessId, options)).id;
    const morning = await make(business.id, { ...shift(1, 8, 12), instantHire: true, headCount: 1 });
    const noon = await make(unknown.id, shift(1, 10, 14));
    const night = await make(business.id, shift(1, 22, 28));
    const worker = await app.person();
    const asking = { ...here, widen: 'false' as const };
    const find = async (options: object, who = worker.api) =>
      (await who.nearby.search({ ...asking, sort: 'soonest', ...options })).items.map(({ id }) => id);
    expect(await find({})).toEqual([morning, noon, night]);
    expect(await find({ instant: 'true' })).toEqual([morning]);
    expect(await find({ funded: 'true' })).toEqual([morning]);
    expect(await find({ verified: 'true' })).toEqual([morning, night]);
    expect(await find({ evening: 'true' })).toEqual([night]);
    expect(await find({ morning: 'true' })).toEqual([morning, noon]);
    expect(await find({ afternoon: 'true' })).toEqual([]);
    expect(await find({ morning: 'true', afternoon: 'true', evening: 'true' })).toEqual([
      morning,
      noon,
      night,
    ]);
    expect(await find({ fits: 'true' })).toEqual([morning, noon, night]);
    const free = [
      { day: 'mon', part: 'morning' },
      { day: 'mon', part: 'evening' },
      { day: 'tue', part: 'night' },
    ] as const;
    await worker.api.profiles.save({ availability: [...free] });
    expect(await find({ fits: 'true' })).toEqual([morning, night]);
    expect(await find({ fits: 'true' }, app.apiAs(null))).toHaveLength(3);
    await worker.api.applications.submit({ jobId: morning, book: true });
    expect(await find({ fits: 'true' })).toEqual([night]);
    await app.db.updateTable('holds').set({ status: 'expired' }).where('jobId', '=', morning).execute();
    await app.db.updateTable('jobs').set({ status: 'open' }).where('id', '=', morning).execute();
    expect(await find({ funded: 'true' })).toEqual([]);
  });

  it('includes a job at the hours of contested work, which can be booked again (ADR 41)', async () => {
    const here = { lat: 60.17, lng: 24.94 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, countryCode: 'FI' });
    const booked = await makeJob(app.db, scope, business.id, { instantHire: true, headCount: 1 });
    const other = await makeJob(app.db, scope, business.id);
    const worker = await app.person();
    await worker.api.applications.submit({ jobId: booked.id, book: true });
    const find = async () =>
      (await worker.api.nearby.search({ ...here, fits: 'true', widen: 'false' })).items.map(({ id }) => id);
    expect(await find()).toEqual([]);
    await app.db
      .updateTable('engagements')
      .set({ status: 'contested' })
      .where('jobId', '=', booked.id)
      .execute();
    expect(await find()).toEqual([other.id]);
  });

  it("uses days in the job's zone", async () => {
    const owner = await app.person();
    const scope = app.scopeOf(owner);
    const here = { lat: 35.68, lng: 139.76 };
    const business = await makeBusiness(app.db, scope, { ...here, countryCode: 'JP' });
    const job = await makeJob(app.db, scope, business.id, {
      startsAt: '2026-12-01T16:00:00Z',
      endsAt: '2026-12-01T20:00:00Z',
    });
    expect(job).toMatchObject({ timeZone: 'Asia/Tokyo', pay: { currency: 'JPY' } });
    const on = (day: string) => app.apiAs(null).nearby.search({ ...here, from: day, to: day });
    expect((await on('2026-12-02')).items).toHaveLength(1);
    expect((await on('2026-12-01')).items).toHaveLength(0);
  });

  it('shows strangers only a blurred place and measures to it', async () => {
    const owner = await app.person();
    const scope = app.scopeOf(owner);
    const home = { lat: 48.8566, lng: 2.3522 };
    const business = await makeBusiness(app.db, scope, {
      ...home,
      privateAddress: true,
      address: 'Rue Secrète 3',
      area: 'Le Marais',
    });
    const job = await makeJob(app.db, scope, business.id);
    expect(job.place).toEqual({ ...home, label: 'Rue Secrète 3, Le Marais', blurred: false });
    const page = await app.apiAs(null).nearby.search({ ...home, radiusKm: 5 });
    const card = page.items[0];
    if (!card) throw new Error('the job should be found');
    const again = await makeJob(app.db, scope, business.id);
    const publicView = await app.apiAs(null).jobs.get({ jobId: again.id, ...home });
    expect(publicView.place).toMatchObject({ label: 'Le Marais', blurred: true });
    const toMetre = (degrees: number) => Number(degrees.toFixed(5));
    expect(card.place).toEqual({
      lat: toMetre(publicView.place.lat),
      lng: toMetre(publicView.place.lng),
      blurred: true,
    });
    const off = metresBetween(home, publicView.place);
    expect(off).toBeGreaterThan(60);
    expect(off).toBeLessThan(500);
    expect(card.distanceM).toBe(Math.round(off));
    expect(publicView.distanceM).toBe(card.distanceM);
    expect(JSON.stringify(page)).not.toContain('Secr');
    expect(JSON.stringify(publicView)).not.toContain('Secr');
    const tight = { ...home, widen: 'false' as const, radiusKm: Math.max(0.1, off / 2000) };
    expect((await app.apiAs(null).nearby.search(tight)).items).toHaveLength(0);
  });

  it('sends only what a card shows', async () => {
    const owner = await app.person();
    const scope = app.scopeOf(owner);
    const here = { lat: -45.03, lng: 168.66 };
    const business = await makeBusiness(app.db, scope, { ...here, name: 'Lake House' });
    const shift = await makeJob(app.db, scope, business.id);
    const page = await app.apiAs(null).nearby.search({ ...here, radiusKm: 1 });
    const { currency, unit } = shift.pay;
    expect(page.common).toEqual({ currency, timeZone: shift.timeZone, unit, unpaidMinutes: 30 });
    expect(page.items).toEqual([
      {
        id: shift.id,
        title: shift.title,
        category: shift.category,
        distanceM: 0,
        place: here,
        business: { name: 'Lake House', verified: true },
        pay: { minor: 1_750 },
        startsAt: shift.startsAt?.replace('.000', ''),
        endsAt: shift.endsAt?.replace('.000', ''),
      },
    ]);
    const [card] = page.items.map((item) => page.common && shownJob(item, page.common));
    const { id: _id, ...owned } = shift.business;
    const { businessFeeBasisPoints: _fee, ...pay } = shift.pay;
    expect(card).toMatchObject({ business: owned, pay, timeZone: shift.timeZone, funded: false });
    const nowhere = await app.apiAs(null).nearby.search({ lat: 0, lng: -30, widen: 'false' });
    expect([nowhere.items, nowhere.common]).toEqual([[], null]);
  });

  it('rejects an invalid point, sort or cursor', async () => {
    const guest = app.apiAs(null);
    const here = { lat: 52.37, lng: 4.89 };
    const bad = [
      { lat: 91 },
      { lat: 'x' },
      { lng: Number.NaN },
      { radiusKm: 101 },
      { sort: 'better' },
      { limit: 0 },
      { limit: 101 },
    ];
    const worse = [
      { from: '2026-02-30' },
      { minPay: -1 },
      { minPay: 1e12 },
      { category: 'x' },
      { q: 'a\u0000' },
      { q: 'a'.repeat(101) },
    ];
    for (const options of [...bad, ...worse])
      expect(
        await failure(guest.nearby.search({ ...here, ...options } as never)),
        JSON.stringify(options),
      ).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    const { nextCursor } = await guest.nearby.search({ ...here, sort: 'newest' });
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const id = '01990000-0000-7000-8000-000000000000';
    const cursors = [
      nextCursor ?? '',
      'x',
      encode([]),
      encode(['distance', 25, -1, id]),
      encode(['distance', 1e9, 1, id]),
    ];
    for (const cursor of [...cursors, encode(['distance', 25, 1, 'x']), encode(['distance', 25, '1', id])])
      expect(await failure(guest.nearby.search({ ...here, cursor })), cursor).toMatchObject({
        status: 400,
        code: 'request/bad-cursor',
      });
  });
});

describe('the best match', () => {
  const north = (place: { lat: number; lng: number }, km: number) => ({
    ...place,
    lat: place.lat + km / 111.2,
  });
  const makeAt = async (place: { lat: number; lng: number }) => {
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...place, countryCode: 'AT', verified: true });
    return async (title: string, options: Parameters<typeof makeJob>[3] = {}) =>
      (await makeJob(app.db, scope, business.id, { title, ...options })).id;
  };

  it('ranks words in the title before synonyms, then its skill, then words elsewhere', async () => {
    const here = { lat: 48.2, lng: 16.37 };
    const makeHere = await makeAt(here);
    const mentioned = await makeHere('Barista', { description: 'You also help the waiters.' });
    const skilled = await makeHere('Breakfast service', { skills: ['waiter'] });
    const makeNorth = await makeAt(north(here, 1));
    const titled = await makeNorth('Head waiter');
    const synonym = await makeNorth('Waitress for lunch');
    const makeFar = await makeAt(north(here, 7));
    const titledFar = await makeFar('Waiter');
    const find = async (options: object) =>
      (await app.apiAs(null).nearby.search({ ...here, widen: 'false', sort: 'best', ...options })).items.map(
        ({ id }) => id,
      );
    const ranked = [titled, synonym, skilled, mentioned, titledFar];
    for (const q of ['waiter', 'waiters', 'waitter']) expect(await find({ q }), q).toEqual(ranked);
    // Misspelt, but the beginning of "waitress"; Dutch for both.
    expect(await find({ q: 'waitre' })).toEqual([synonym, titled, skilled, mentioned, titledFar]);
    expect(await find({ q: 'ober' })).toEqual(ranked);
    expect(await find({ q: 'waiter lindengracht' })).toEqual(ranked);
    expect(await find({ q: 'waiter', sort: 'distance' })).toEqual(
      expect.arrayContaining([mentioned, skilled, titled, synonym, titledFar]),
    );
    expect((await find({ q: 'waiter', sort: 'distance' })).slice(0, 2).sort()).toEqual(
      [mentioned, skilled].sort(),
    );
    expect(await find({})).toHaveLength(5);
  });

  it('alternates employers among jobs that match alike', async () => {
    const here = { lat: 47.07, lng: 15.44 };
    const large = await makeAt(here);
    const small = await makeAt(north(here, 2));
    const many: string[] = [];
    for (let count = 0; count < 12; count += 1) many.push(await large('Waiter'));
    const few = [await small('Waiter'), await small('Waiter')];
    const { items } = await app.apiAs(null).nearby.search({ ...here, q: 'waiter', sort: 'best', limit: 9 });
    expect(items.map(({ id }) => id)).toEqual([many[0], few[0], many[1], few[1], ...many.slice(2, 7)]);
  });

  it('shows every job once across pages, even while jobs open and close', async () => {
    const here = { lat: 46.62, lng: 14.31 };
    const owner = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, owner, { ...here, countryCode: 'AT' });
    const { id } = await makeJob(app.db, owner, business.id, { title: 'Waiter' });
    const copies = (count: number, from: number) =>
      copyJob(app.db, id, {
        copies: count,
        changes: sql`'slug', 'best-' || ${from}::integer || '-' || n, 'business_id', (array(select id from businesses order by id limit 5))[1 + n % 5],
          'title', (array['Waiter', 'Waitress', 'Cook who helps as waiter'])[1 + n % 3],
          'public_lat', ${here.lat}::float8 + (n % 83) * 0.001, 'public_lng', ${here.lng}::float8`,
      });
    await copies(240, 0);
    const openIds = async () =>
      (
        await sql<{
          id: string;
        }>`select id from jobs where status = 'open' and abs(public_lng - ${here.lng}::float8) < 0.1
          and abs(public_lat - ${here.lat}::float8) < 1`.execute(app.db)
      ).rows.map((row) => row.id);
    const walk = async (limit: number, between: (shown: readonly string[]) => Promise<void>) => {
      const shown: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await app
          .apiAs(null)
          .nearby.search({ ...here, q: 'waiter', sort: 'best', limit, cursor });
        shown.push(...page.items.map((item) => item.id));
        cursor = page.nextCursor ?? undefined;
        await between(shown);
      } while (cursor);
      expect(new Set(shown).size).toBe(shown.length);
      return shown;
    };
    const all = await openIds();
    for (const limit of nightly ? [7, 30, 100] : [30])
      expect((await walk(limit, async () => {})).sort()).toEqual([...all].sort());

    const closed = new Set<string>();
    let opened = 0;
    const shown = await walk(30, async (soFar) => {
      const unseen = all.filter((job) => !soFar.includes(job) && !closed.has(job)).slice(0, 2);
      for (const job of [...unseen, soFar.at(-1) ?? '']) closed.add(job);
      await app.db
        .updateTable('jobs')
        .set({ status: 'closed' })
        .where('id', 'in', [...closed])
        .execute();
      opened += 1;
      if (opened < 4) await copies(3, opened);
    });
    expect(all.filter((job) => !closed.has(job) && !shown.includes(job))).toEqual([]);
  });
});

describe('the highest pay in total', () => {
  it('uses the planned minutes or the fixed price', async () => {
    const here = { lat: 43.6, lng: 3.88 };
    const scope = app.scopeOf(await app.person());
    const business = await makeBusiness(app.db, scope, { ...here, countryCode: 'FR' });
    const at = (hour: number) => new Date(Date.UTC(2026, 11, 20, hour)).toISOString();
    const make = async (options: Parameters<typeof makeJob>[3]) =>
      (await makeJob(app.db, scope, business.id, options)).id;
    const short = await make({ payMinor: 3_000, startsAt: at(8), endsAt: at(12), breakMinutes: 0 });
    const long = await make({ payMinor: 2_000, startsAt: at(8), endsAt: at(16), breakMinutes: 30 });
    const task = await make({ kind: 'task', payMinor: 14_000 });
    const find = async (sort: 'pay' | 'total') =>
      (await app.apiAs(null).nearby.search({ ...here, sort, widen: 'false' })).items.map(({ id }) => id);
    expect(await find('pay')).toEqual([short, long, task]);
    expect(await find('total')).toEqual([long, task, short]);
    const { rows } = await sql<{ totalRank: number }>`select total_rank from jobs where id = ${long}`.execute(
      app.db,
    );
    expect(rows[0]?.totalRank).toBe(payForMinutes(2_000, 450));
  });
});

describe('nearby.count', () => {
  it('counts what a search without widening finds, up to 100', async () => {
    const guest = app.apiAs(null);
    for (const [name, place] of places) {
      const options = { ...place, radiusKm: 5, q: 'helper' };
      const matches = bruteForce(options).length;
      expect(await guest.nearby.count(options), name).toEqual({
        count: Math.min(100, matches),
        more: matches > 100,
      });
    }
  });

  it('rejects an invalid filter', async () => {
    const bad = { lat: 52.37, lng: 4.89, instant: 'maybe' };
    expect(await failure(app.apiAs(null).nearby.count(bad as never))).toMatchObject({
      status: 400,
      code: 'request/invalid',
    });
  });
});
