import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Place, Point } from '@nearhand/contract/people/places';
import { editsBetween, errorsForgiven } from '@nearhand/contract/people/spelling.rules';
import { fold } from './fold.ts';

/** The number of matches that are ranked; more with a qualifier such as a country, which few of them meet. */
const hitsMax = 400;
const qualifiedHitsMax = 4_000;

export type Packed = { groups: string; names: string; lat: string; lng: string; size: string };

/** The unpacked list: columns by rank, the largest place first. */
export type Gazetteer = {
  names: string[];
  lat: Float32Array;
  lng: Float32Array;
  population: Float64Array;
  quarter: Uint8Array;
  group: Uint16Array;
  groups: { country: string; admin: string }[];
  /** The packed row of each row. */
  packedRow: Uint32Array;
};

/** Folded names in blocks of up to `blockRows` rows, separated by line breaks. */
type Folded = { blocks: string[] };

/** The list with its folded names, which take longer than all the rest. A map draws names without them. */
export type SearchableGazetteer = Gazetteer & Folded;

export type PackedOtherNames = { rows: string; names: string };

/** Names in other languages, as blocks like the list's, with the row that each one names. */
export type OtherNames = Folded & { row: Uint32Array };

/** A place with what distinguishes it from places of the same name. */
export type FoundPlace = Place & {
  name: string;
  country: string;
  near: string | null;
  quarter: boolean;
  population: number;
};

const blockRows = 8_192;
const smallest = 35;
const quarterStep = 80;

const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Unpacks in slices of about ten milliseconds, to keep typing responsive. */
export async function unpackGazetteer(packed: Packed): Promise<Gazetteer> {
  const names = packed.names.split('\n');
  const count = names.length;
  const groups: Gazetteer['groups'] = [];
  const groupOf = new Uint16Array(count);
  let row = 0;
  for (const entry of packed.groups.split(' ')) {
    const [country = '', admin = '', rows = '0'] = entry.split('.');
    groups.push({ country, admin });
    groupOf.fill(groups.length - 1, row, row + Number(rows));
    row += Number(rows);
  }
  await pause();
  const lat = column(packed.lat, count);
  await pause();
  const lng = column(packed.lng, count);
  await pause();

  const classOf = (at: number) => (packed.size.charCodeAt(at) - smallest) % quarterStep;
  const perClass = new Uint32Array(quarterStep + 1);
  for (let at = 0; at < count; at += 1)
    perClass[quarterStep - classOf(at)] = itemAt(perClass, quarterStep - classOf(at)) + 1;
  for (let place = 1; place <= quarterStep; place += 1) {
    perClass[place] = itemAt(perClass, place) + itemAt(perClass, place - 1);
  }
  const order = new Uint32Array(count);
  for (let at = count - 1; at >= 0; at -= 1) {
    const slot = quarterStep - classOf(at);
    perClass[slot] = itemAt(perClass, slot) - 1;
    order[itemAt(perClass, slot)] = at;
  }

  return {
    names: Array.from(order, (at) => names[at] ?? ''),
    lat: Float32Array.from(order, (at) => itemAt(lat, at)),
    lng: Float32Array.from(order, (at) => itemAt(lng, at)),
    population: Float64Array.from(order, (at) => Math.round(2 ** (classOf(at) / 3))),
    quarter: Uint8Array.from(order, (at) => (packed.size.charCodeAt(at) - smallest >= quarterStep ? 1 : 0)),
    group: Uint16Array.from(order, (at) => itemAt(groupOf, at)),
    groups,
    packedRow: order,
  };
}

/** Folds the names of the list for searches. */
export async function foldNames(list: Gazetteer): Promise<SearchableGazetteer> {
  return { ...list, blocks: await blocksOf(list.names) };
}

async function blocksOf(names: readonly string[]): Promise<string[]> {
  const blocks: string[] = [];
  for (let start = 0; start < names.length; start += blockRows) {
    await pause();
    blocks.push(`\n${fold(names.slice(start, start + blockRows).join('\n'))}\n`);
  }
  return blocks;
}

export async function unpackOtherNames(list: Gazetteer, packed: PackedOtherNames): Promise<OtherNames> {
  const ofPacked = new Uint32Array(list.packedRow.length);
  for (const [row, packedRow] of list.packedRow.entries()) ofPacked[packedRow] = row;
  const nameLines = packed.names.split('\n').map((line) => line.split('|'));
  let packedRow = 0;
  const rows = packed.rows.split(' ').flatMap((step, at) => {
    packedRow += Number.parseInt(step, 36);
    return (nameLines[at] ?? []).map(() => itemAt(ofPacked, packedRow));
  });
  return { blocks: await blocksOf(nameLines.flat()), row: Uint32Array.from(rows) };
}

const itemAt = (list: ArrayLike<number>, index: number): number => list[index] ?? 0;

function column(text: string, count: number): Float32Array {
  const values = new Float32Array(count);
  let sum = 0;
  let row = 0;
  for (const step of text.split(' ')) {
    sum += Number.parseInt(step, 36);
    values[row] = sum / 500;
    row += 1;
  }
  return values;
}

type Match = { row: number; whole: boolean; starts: boolean; edits?: number; other?: true };

function matches(list: Folded, nameText: string, limit: number): Match[] {
  const results: Match[] = [];
  for (let block = 0; block < list.blocks.length && results.length < limit; block += 1) {
    const text = list.blocks[block] ?? '';
    const rows = new Map<number, { whole: boolean; starts: boolean }>();
    for (const before of ['\n', ' '] as const) {
      let lines = 0;
      let nameCount = 0;
      for (let at = text.indexOf(before + nameText); at >= 0; at = text.indexOf(before + nameText, at + 1)) {
        const isLineStart = before === '\n';
        // The number of preceding line breaks is the row.
        const end = isLineStart ? at + 1 : at;
        for (; nameCount < end; nameCount += 1) if (text.charCodeAt(nameCount) === 10) lines += 1;
        const row = block * blockRows + lines - 1;
        if (!rows.has(row))
          rows.set(row, {
            whole: isLineStart && text[at + 1 + nameText.length] === '\n',
            starts: isLineStart,
          });
      }
    }
    for (const [row, kind] of [...rows].sort((a, b) => a[0] - b[0])) results.push({ row, ...kind });
  }
  return results;
}

/** Names that begin like the text, with typing errors; the first word may be an article, as in "De Pijp". */
function closeMatches(list: Folded, text: string, limit: number, moreErrors = 0): Match[] {
  const forgiven = errorsForgiven(text);
  const results: Match[] = [];
  if (forgiven === 0) return results;
  const maxErrors = forgiven + moreErrors;
  let row = 0;
  for (const block of list.blocks)
    for (const name of block.slice(1, -1).split('\n')) {
      let edits = editsBetween(text, name, maxErrors, { start: true });
      const starts = edits <= maxErrors;
      const space = starts ? -1 : name.indexOf(' ');
      if (space > 0) edits = editsBetween(text, name.slice(space + 1), maxErrors, { start: true });
      if (edits <= maxErrors)
        results.push({
          row,
          edits,
          starts,
          whole: starts && Math.abs(name.length - text.length) <= maxErrors,
        });
      if (results.length >= limit) return results;
      row += 1;
    }
  return results;
}

/** Forgives one more error, for names within a named town or country, of which there are few. */
const looseMatches = (list: Folded, text: string, limit: number): Match[] =>
  closeMatches(list, text, limit, 1);

const pointOf = (list: Gazetteer, row: number): Point => ({
  lat: itemAt(list.lat, row),
  lng: itemAt(list.lng, row),
});

const regionNames = new Map<string, Intl.DisplayNames>();
function countryName(code: string, language: string): string {
  const names = regionNames.get(language) ?? new Intl.DisplayNames([language], { type: 'region' });
  regionNames.set(language, names);
  return names.of(code) ?? code;
}

/** Only some countries have region codes people use, as in "Springfield, IL". */
function region(list: Gazetteer, row: number): string | null {
  const group = list.groups[itemAt(list.group, row)];
  return group && group.country === 'US' && /^[A-Z]{2}$/.test(group.admin) ? group.admin : null;
}

const country = (list: Gazetteer, row: number): string => list.groups[itemAt(list.group, row)]?.country ?? '';

function describe(list: Gazetteer, row: number, language: string, beside = false): FoundPlace {
  const name = list.names[row] ?? '';
  const town = list.quarter[row] ? townOf(list, pointOf(list, row), row) : null;
  const parent = town === null ? null : (list.names[town] ?? null);
  const near = beside && town === null ? nearLarger(list, row) : null;
  const short = [name, parent ?? region(list, row)].filter(Boolean).join(', ');
  return {
    ...pointOf(list, row),
    label: short,
    name,
    country: countryName(country(list, row), language),
    near: near === null ? null : (list.names[near] ?? null),
    quarter: list.quarter[row] === 1,
    population: itemAt(list.population, row),
  };
}

/** The radius of a town by population, in metres, at 3,000 people per square kilometre. */
const reachM = (population: number): number => Math.sqrt(population / 3_000 / Math.PI) * 1_000;

/** The row with the lowest score in a box of this many degrees, or null. */
function best(
  list: Gazetteer,
  near: Point,
  degrees: number,
  score: (row: number, metres: number) => number | null,
): number | null {
  const lngDegrees = Math.min(180, degrees / Math.max(0.02, Math.cos((near.lat * Math.PI) / 180)));
  let nearest: number | null = null;
  let minMetres = Number.POSITIVE_INFINITY;
  for (let row = 0; row < list.lat.length; row += 1) {
    if (Math.abs(itemAt(list.lat, row) - near.lat) > degrees) continue;
    const apart = Math.abs(itemAt(list.lng, row) - near.lng);
    if (Math.min(apart, 360 - apart) > lngDegrees) continue;
    const value = score(row, metresBetween(near, pointOf(list, row)));
    if (value !== null && value < minMetres) {
      minMetres = value;
      nearest = row;
    }
  }
  return nearest;
}

/** The town at or near a point; a town's size extends its reach. */
function townOf(list: Gazetteer, near: Point, except = -1): number | null {
  for (const degrees of [0.4, 2]) {
    const row = best(list, near, degrees, (candidate, metres) =>
      list.quarter[candidate] || candidate === except
        ? null
        : metres / (reachM(itemAt(list.population, candidate)) + 400),
    );
    if (row !== null) return row;
  }
  return null;
}

function nearLarger(list: Gazetteer, row: number): number | null {
  const here = country(list, row);
  return best(list, pointOf(list, row), 1, (candidate, metres) =>
    candidate === row ||
    list.quarter[candidate] ||
    country(list, candidate) !== here ||
    itemAt(list.population, candidate) < Math.max(50_000, 2 * itemAt(list.population, row))
      ? null
      : metres,
  );
}

type SearchOptions = {
  near?: Point | null;
  others?: OtherNames | null;
  limit?: number;
  language?: string;
};

/**
 * Ranks by match, size, country and distance; "paris, texas" narrows it. Names with typing errors count if no
 * name, or none nearby, is spelt as typed: "Jordan" in Amsterdam is also Jordaan.
 */
export function searchGazetteer(
  list: SearchableGazetteer,
  typed: string,
  { near = null, others = null, limit = 8, language = 'en' }: SearchOptions = {},
): FoundPlace[] {
  const [first = '', ...rest] = fold(typed)
    .replace(/\s+/g, ' ')
    .split(',')
    .map((part) => part.trim());
  if (first === '') return [];
  const qualifier = rest.join(' ').trim();
  const space = first.lastIndexOf(' ');
  const ways: [name: string, qualifier: string][] = [[first, qualifier]];
  if (qualifier === '' && space >= 0) ways.push([first.slice(0, space), first.slice(space + 1)]);
  for (const find of [matches, closeMatches, looseMatches])
    for (const [name, within] of ways) {
      if (find === looseMatches && within === '') continue;
      const places = ranked(list, find, name, within, { near, others, limit, language });
      if (places.length > 0) return places;
    }
  return [];
}

function scoreOf(
  list: Gazetteer,
  { row, whole, starts, edits = 0, other }: Match,
  near: Point | null,
  homeCountry: string | null = null,
): number {
  const metres = near ? metresBetween(near, pointOf(list, row)) : Number.POSITIVE_INFINITY;
  return (
    Math.log10(itemAt(list.population, row)) +
    (whole ? 1 : 0) +
    (starts ? 1.2 : 0) +
    (country(list, row) === homeCountry ? 1.5 : 0) +
    3.5 / (1 + metres / 30_000) -
    2 * edits -
    (other ? 1.5 : 0)
  );
}

/** Removes umlauts: "muenster" is Münster, and Muenster in Texas. */
const withoutUmlauts = (text: string): string => text.replace(/(?<!q)([aou])e/g, '$1');
/** Other ways to write a name. In Dutch, "pyp" is "pijp". */
const otherSpellings = (text: string): string[] =>
  [withoutUmlauts(text), text.replaceAll('y', 'ij')].filter((spelling) => spelling !== text);

/** A small place farther away than this is more likely an ordinary word with the same spelling. */
const namedNearM = 150_000;
const namedFarPopulation = 100_000;

/** The place of exactly this name, in any language: a large one, or any nearby. Null if there is none. */
export function placeNamed(
  list: SearchableGazetteer,
  name: string,
  { near, others, language = 'en' }: { near: Point; others: OtherNames | null; language?: string },
): FoundPlace | null {
  const text = fold(name).replace(/\s+/g, ' ').trim();
  const hits: Match[] = [text, withoutUmlauts(text)].flatMap((spelling) => matches(list, spelling, hitsMax));
  if (others)
    for (const hit of matches(others, text, hitsMax))
      hits.push({ ...hit, row: itemAt(others.row, hit.row), other: true });
  const [best] = hits
    .filter(({ row, whole }) => {
      const isLarge = itemAt(list.population, row) >= namedFarPopulation && !list.quarter[row];
      return whole && (isLarge || metresBetween(near, pointOf(list, row)) <= namedNearM);
    })
    .sort((a, b) => scoreOf(list, b, near) - scoreOf(list, a, near) || a.row - b.row);
  return best ? describe(list, best.row, language) : null;
}

function ranked(
  list: SearchableGazetteer,
  find: typeof matches,
  text: string,
  qualifier: string,
  { near, others, limit, language }: Required<SearchOptions>,
): FoundPlace[] {
  // If a short text matches thousands, near places are searched separately.
  const hits = find(list, text, qualifier ? qualifiedHitsMax : hitsMax);
  for (const spelling of find === matches ? otherSpellings(text) : []) {
    const rows = new Set(hits.map((hit) => hit.row));
    hits.push(...find(list, spelling, hitsMax).filter((hit) => !rows.has(hit.row)));
  }
  if (others && find === matches)
    for (const hit of matches(others, text, hitsMax))
      hits.push({ ...hit, row: itemAt(others.row, hit.row), other: true });
  if (near && hits.length >= hitsMax && !qualifier) {
    const rows = new Set(hits.map((hit) => hit.row));
    hits.push(...matchesNear(list, text, near).filter((hit) => !rows.has(hit.row)));
  }
  const isNear = ({ row }: Match) => near !== null && metresBetween(near, pointOf(list, row)) <= namedNearM;
  if (near && find === matches && !qualifier && hits.length > 0 && !hits.some(isNear))
    hits.push(...closeMatches(list, text, hitsMax).filter(isNear));
  const homeCountry = near && nearestCountry(list, near);
  const sorted = hits
    .map((hit) => ({ row: hit.row, score: scoreOf(list, hit, near, homeCountry) }))
    .sort((a, b) => b.score - a.score || a.row - b.row);
  const qualifies = qualifier ? qualifierTest(list, qualifier, language, find !== matches) : () => true;
  const pickedRows: number[] = [];
  for (const { row } of sorted) {
    if (pickedRows.length >= limit) break;
    const { lat, lng } = pointOf(list, row);
    if (pickedRows.some((picked) => itemAt(list.lat, picked) === lat && itemAt(list.lng, picked) === lng))
      continue;
    if (!qualifies(row)) continue;
    pickedRows.push(row);
  }
  const namesakes = (row: number) =>
    pickedRows.filter(
      (candidate) =>
        list.names[candidate] === list.names[row] &&
        list.group[candidate] !== undefined &&
        country(list, candidate) === country(list, row),
    ).length > 1;
  return pickedRows.map((row) => describe(list, row, language, namesakes(row)));
}

function matchesNear(list: Gazetteer, text: string, near: Point): Match[] {
  const results: Match[] = [];
  for (let row = 0; row < list.lat.length; row += 1) {
    if (Math.abs(itemAt(list.lat, row) - near.lat) > 0.5 || Math.abs(itemAt(list.lng, row) - near.lng) > 0.8)
      continue;
    const name = fold(list.names[row] ?? '');
    const starts = name.startsWith(text);
    if (starts || name.includes(` ${text}`)) results.push({ row, starts, whole: name === text });
  }
  return results;
}

/** The test for places in a state, country or town that is named as typed, or with typing errors. */
function qualifierTest(
  list: SearchableGazetteer,
  qualifier: string,
  language: string,
  forgives: boolean,
): (row: number) => boolean {
  const maxErrors = forgives ? errorsForgiven(qualifier) : 0;
  const isNamed = (name: string) =>
    name.startsWith(qualifier) ||
    (maxErrors > 0 && editsBetween(qualifier, name, maxErrors, { start: true }) <= maxErrors);
  const towns = matches(list, qualifier, hitsMax);
  if (forgives) towns.push(...closeMatches(list, qualifier, hitsMax));
  // To find a quarter's town takes a pass over the list, so it is done near towns of that name only.
  const isNearTown = (point: Point) =>
    towns.some(
      ({ row }) =>
        Math.abs(itemAt(list.lat, row) - point.lat) < 0.5 && Math.abs(itemAt(list.lng, row) - point.lng) < 1,
    );
  return (row) => {
    const code = country(list, row).toLowerCase();
    const admin = region(list, row)?.toLowerCase();
    if (qualifier === code || (admin && qualifier === admin)) return true;
    if (admin && (stateCodes[qualifier] ?? '').toLowerCase() === admin) return true;
    if (isNamed(fold(countryName(country(list, row), language)))) return true;
    if (!list.quarter[row] || !isNearTown(pointOf(list, row))) return false;
    const town = townOf(list, pointOf(list, row), row);
    return town !== null && isNamed(fold(list.names[town] ?? ''));
  };
}

const stateCodes: Record<string, string> = {
  texas: 'TX',
  california: 'CA',
  'new york': 'NY',
  'new jersey': 'NJ',
  florida: 'FL',
  illinois: 'IL',
  ohio: 'OH',
  georgia: 'GA',
  michigan: 'MI',
  oregon: 'OR',
  washington: 'WA',
  massachusetts: 'MA',
  maine: 'ME',
  missouri: 'MO',
  kentucky: 'KY',
  pennsylvania: 'PA',
  virginia: 'VA',
  connecticut: 'CT',
  tennessee: 'TN',
  indiana: 'IN',
};

/** A name for a point: "Jordaan, Amsterdam", "Hoboken, NJ", or null far from any place. */
export function nearestPlace(list: Gazetteer, near: Point, language = 'en'): FoundPlace | null {
  const quarter = best(list, near, 0.05, (row, metres) =>
    list.quarter[row] && metres < 1_800 ? metres : null,
  );
  const row = quarter ?? townOf(list, near);
  if (row === null) return null;
  const metres = metresBetween(near, pointOf(list, row));
  return metres > Math.max(60_000, 2 * reachM(itemAt(list.population, row)))
    ? null
    : describe(list, row, language);
}

/** The country (ISO 3166-1) of the place nearest to a point. Close to a border it can be the neighbour's. */
export function nearestCountry(list: Gazetteer, near: Point): string | null {
  for (const degrees of [0.1, 0.6]) {
    const row = best(list, near, degrees, (_row, metres) => metres);
    if (row !== null) return country(list, row) || null;
  }
  return null;
}

/** Labels for a map: up to `limit` of the largest places in a box, at least `apartM` apart. */
export function placesInside(
  list: Gazetteer,
  box: { west: number; south: number; east: number; north: number },
  {
    limit,
    apartM,
    quarters,
    towns = true,
  }: { limit: number; apartM: number; quarters: boolean; towns?: boolean },
): { name: string; lat: number; lng: number; quarter: boolean }[] {
  const labels: { name: string; lat: number; lng: number; quarter: boolean }[] = [];
  for (let row = 0; row < list.lat.length && labels.length < limit; row += 1) {
    const point = pointOf(list, row);
    if (point.lat < box.south || point.lat > box.north || point.lng < box.west || point.lng > box.east)
      continue;
    const isQuarter = list.quarter[row] === 1;
    if (isQuarter && !quarters) continue;
    // Zoomed in to neighbourhoods, the city's own name would cover one of them.
    if (!isQuarter && !towns && list.population[row] !== undefined && itemAt(list.population, row) > 150_000)
      continue;
    if (labels.some((label) => metresBetween(label, point) < apartM)) continue;
    labels.push({ name: list.names[row] ?? '', ...point, quarter: isQuarter });
  }
  return labels;
}
