import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';

/** The other side of the calls, in its own process. */
const file = path.resolve(import.meta.dirname, '../../../test/places-counterpart.ts');
let counterpart: ChildProcess;
let address = '';
const started = (async () => {
  counterpart = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [port] = await once(counterpart.stdout as NodeJS.ReadableStream, 'data');
  address = `http://127.0.0.1:${String(port).trim()}`;
  return address;
})();
afterAll(() => counterpart.kill());

const appWith = (settings: (base: string) => Record<string, string>) =>
  useTestApp(async () => ({
    ...settings(await started),
    GEOCODER_PER_MINUTE: '40',
    ROUTER_PER_MINUTE: '400',
  }));
const photon = appWith((base) => ({ GEOCODER_URL: `${base}/api`, ROUTER_URL: `${base}/osrm-{profile}` }));
const nominatim = appWith((base) => ({
  GEOCODER_URL: `${base}/search`,
  ROUTER_URL: `${base}/valhalla`,
  ROUTER_KIND: 'valhalla',
}));
const plain = useTestApp();

type Asked = { url: string; agent?: string; body: string }[];
const queries = async (): Promise<Asked> => (await (await fetch(`${address}/asked`)).json()) as Asked;
beforeAll(() => started);

let networks = 0;
/** A caller with an unused quota. */
const guest = () => {
  networks += 1;
  return `10.1.${Math.floor(networks / 250)}.${networks % 250}`;
};
const search = (app: typeof photon, q: string, more = '', remoteAddress = guest()) =>
  app.raw({ url: `/api/places/addresses?q=${encodeURIComponent(q)}${more}`, remoteAddress });

describe('places.addresses', () => {
  it('finds a house with Photon, and sends our user agent and an approximate location', async () => {
    const places = await photon
      .apiAs(null)
      .places.addresses({ q: 'Olympischer  Platz 3', lat: 52.5163, lng: 13.2412, language: 'de' });
    expect(places.items).toEqual([
      {
        label: 'Olympischer Platz 3',
        detail: '14053 Berlin, Germany',
        area: 'Berlin',
        address: 'Olympischer Platz 3',
        postcode: '14053',
        countryCode: 'DE',
        exact: true,
        lat: 52.51467945,
        lng: 13.239514674078611,
      },
    ]);
    const [last] = (await queries()).filter(({ url }) => url.includes('olympischer'));
    expect(last?.url).toBe('/api?q=olympischer+platz+3&limit=6&lang=de&lat=52.5&lon=13.2');
    expect(last?.agent).toMatch(/^Nearhand \(/);
  });

  it('finds a house with Nominatim, with its number in local order', async () => {
    const places = await nominatim
      .apiAs(null)
      .places.addresses({ q: '135 pilkington avenue, birmingham', lat: 52.5, lng: -1.8, language: 'nl' });
    expect(places.items).toMatchObject([
      { label: '135 Pilkington Avenue', detail: 'B72 1LH City of Birmingham, United Kingdom', exact: true },
    ]);
    const [last] = (await queries()).filter(({ url }) => url.includes('pilkington'));
    expect(last?.url).toContain('format=jsonv2&addressdetails=1&accept-language=nl&viewbox=-2.10');
  });

  it('sends one request for several callers, for a day', async () => {
    const times = async () => (await queries()).filter(({ url }) => url.includes('cached')).length;
    await Promise.all([search(photon, 'Cached street'), search(photon, 'cached  STREET')]);
    await search(photon, 'Cached Street');
    expect(await times()).toBe(1);
    photon.clock.forward({ days: 1, seconds: 1 });
    await search(photon, 'Cached Street');
    expect(await times()).toBe(2);
  });

  it.each([
    ['is slow', 'slow street', 10],
    ['fails', '500 street', 10],
    ['answers with a page', 'garbage street', 10],
    ['answers in another form', 'other street', 10],
    ['sends elsewhere', 'moved street', 10],
    ['answers without end', 'endless street', 10],
    ['wants to be left alone', '429 street', 90],
  ])(
    'reports and stops calling a geocoder that %s',
    async (_how, q, seconds) => {
      photon.clock.forward({ minutes: 15 });
      const response = await search(photon, q);
      expect(response.statusCode).toBe(503);
      expect(response.json()).toMatchObject({
        code: 'address-search/unavailable',
        data: { retryAfterSeconds: seconds },
      });
      expect(response.headers['retry-after']).toBe(String(seconds));
      const before = (await queries()).length;
      expect((await search(photon, 'another street')).statusCode).toBe(503);
      expect((await queries()).length).toBe(before);
      photon.clock.forward({ seconds: seconds + 1 });
      expect((await search(photon, `back after ${q.split(' ')[1]}`)).statusCode).toBe(200);
    },
    20_000,
  );

  it('uses its cache while the geocoder is down', async () => {
    photon.clock.forward({ minutes: 15 });
    expect((await search(photon, 'Known street')).statusCode).toBe(200);
    await search(photon, '500 again');
    expect((await search(photon, 'Known street')).statusCode).toBe(200);
  });

  it('returns nothing when there is nothing', async () => {
    photon.clock.forward({ minutes: 15 });
    expect((await search(photon, 'nowhere')).json()).toEqual({ items: [] });
  });

  it('limits each caller to a quarter of the quota, and all of them to the quota', async () => {
    photon.clock.forward({ minutes: 15 });
    const caller = guest();
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push((await search(photon, `limit ${count}`, '', caller)).statusCode);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    for (let count = 11; count < 41; count += 1) await search(photon, `limit ${count}`);
    const over = await search(photon, 'limit 41');
    expect([over.statusCode, over.json().code]).toEqual([503, 'address-search/unavailable']);
    photon.clock.forward({ minutes: 2 });
    expect((await search(photon, 'limit 42')).statusCode).toBe(200);
  });

  it.each(['q=abc', 'q=', 'q=abcd&lat=91&lng=0', 'q=abcd&language=english', `q=${'x'.repeat(2_000)}`])(
    'rejects %.40s',
    async (query) => {
      const response = await photon.raw({ url: `/api/places/addresses?${query}`, remoteAddress: guest() });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'request/invalid' });
    },
  );

  it('is off without a geocoder', async () => {
    const refused = await failure(plain.apiAs(null).places.addresses({ q: 'Westerstraat' }));
    expect(refused).toMatchObject({ status: 409, code: 'address-search/off' });
    expect(await plain.apiAs(null).places.mapSettings()).toMatchObject({ addressSearch: false });
    expect(await photon.apiAs(null).places.mapSettings()).toMatchObject({ addressSearch: true });
  });
});

const ends = { fromLat: 52.517037, fromLng: 13.38886, toLat: 52.529407, toLng: 13.397634 };
const island = { ...ends, fromLat: 1, fromLng: 1 };

describe('places.travel', () => {
  it('returns minutes on foot and by bike, with OSRM', async () => {
    expect(await photon.apiAs(null).places.travel(ends)).toEqual({ walkMinutes: 12, bikeMinutes: 12 });
    const urls = (await queries()).map(({ url }) => url).filter((url) => url.startsWith('/osrm'));
    expect(urls).toContain('/osrm-foot/route/v1/foot/13.3889,52.517;13.3976,52.5294?overview=false');
    expect(urls).toContain('/osrm-bike/route/v1/bike/13.3889,52.517;13.3976,52.5294?overview=false');
  });

  it('returns them with Valhalla', async () => {
    expect(await nominatim.apiAs(null).places.travel(ends)).toEqual({ walkMinutes: 16, bikeMinutes: 16 });
    const bodies = (await queries()).filter(({ url }) => url === '/valhalla/route').map(({ body }) => body);
    expect(bodies.some((body) => body.includes('"costing":"pedestrian"'))).toBe(true);
    expect(bodies.some((body) => body.includes('"costing":"bicycle"'))).toBe(true);
  });

  it('returns null minutes when there is no route', async () => {
    for (const app of [photon, nominatim]) {
      expect(await app.apiAs(null).places.travel(island)).toEqual({ walkMinutes: null, bikeMinutes: null });
      expect((await app.apiAs(null).places.travel(ends)).walkMinutes).not.toBeNull();
    }
  });

  it('is off without a router, and rejects what is no place', async () => {
    expect(await failure(plain.apiAs(null).places.travel(ends))).toMatchObject({ code: 'travel/off' });
    const response = await photon.raw({ url: '/api/places/travel?fromLat=x&fromLng=0&toLat=0&toLng=0' });
    expect(response.statusCode).toBe(400);
  });
});
