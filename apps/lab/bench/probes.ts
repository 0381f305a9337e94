import type pg from 'pg';

export type Probe = { lat: number; lng: number };

export const liveCategories = [
  'hospitality',
  'retail',
  'logistics',
  'delivery',
  'events',
  'care',
  'security',
];

/** Distributed like the jobs, a few kilometres off, and one in ten out of town. Deterministic. */
export async function makeProbes(client: pg.Client, count: number): Promise<Probe[]> {
  const { rows } = await client.query<Probe>(
    `select public_lat as lat, public_lng as lng from jobs where status = 'open' order by md5(id::text) limit $1`,
    [count],
  );
  return rows.map((row, index) => near(row, index % 10 === 0 ? 0.6 : 0.03, index));
}

export async function makeCheckedProbes(client: pg.Client, count: number): Promise<Probe[]> {
  const { rows: towns } = await client.query<Probe & { km: number }>(
    'select lat, lng, km from bench_towns order by town limit 40',
  );
  return Array.from({ length: count }, (_, index) => {
    const town = towns[index % towns.length] ?? { lat: 0, lng: 0, km: 1 };
    const kind = index % 5;
    if (kind === 0) return near(town, 0.01, index);
    if (kind === 1) return near({ lat: town.lat + (town.km * 4) / 111, lng: town.lng }, 0.05, index);
    if (kind === 2) return near({ lat: -60, lng: (index * 37) % 180 }, 10, index);
    if (kind === 3) return near({ lat: -16.85, lng: index % 2 ? 179.99 : -179.99 }, 0.1, index);
    return near({ lat: 89.9, lng: (index * 53) % 180 }, 0.15, index);
  });
}

function near({ lat, lng }: Probe, spread: number, index: number): Probe {
  const shift = (salt: number) => (((index + 1) * 2_654_435_761 * salt) % 1_000) / 1_000 - 0.5;
  const wrapped = ((((lng + shift(7) * spread + 180) % 360) + 360) % 360) - 180;
  return {
    lat: Number(Math.max(-90, Math.min(90, lat + shift(3) * spread)).toFixed(5)),
    lng: Number(wrapped.toFixed(5)),
  };
}
