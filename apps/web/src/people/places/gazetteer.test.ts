import { beforeAll, describe, expect, it } from 'vitest';
import { namedPlaces, pack, packOtherNames } from '../../../build/gazetteer.ts';
import { fold } from './fold.ts';
import {
  foldNames,
  type Gazetteer,
  nearestPlace,
  type OtherNames,
  placeNamed,
  placesInside,
  type SearchableGazetteer,
  searchGazetteer,
  unpackGazetteer,
  unpackOtherNames,
} from './gazetteer.ts';

const dam = { lat: 52.3728, lng: 4.8936 };
const cityHallPark = { lat: 40.7127, lng: -74.0059 };
let unpacked: Gazetteer;
let list: SearchableGazetteer;
let others: OtherNames;
const names = (typed: string, near?: typeof dam) =>
  searchGazetteer(list, typed, near ? { near } : {}).map((place) => place.label);

beforeAll(async () => {
  const places = namedPlaces(1_000);
  unpacked = await unpackGazetteer(pack(places));
  list = await foldNames(unpacked);
  others = await unpackOtherNames(list, packOtherNames(places));
});

describe('fold', () => {
  it('drops case, marks and hyphens', () => {
    expect(fold('São Paulo')).toBe('sao paulo');
    expect(fold('Łódź')).toBe('lodz');
    expect(fold('Sint-Jans-Molenbeek')).toBe('sint jans molenbeek');
    expect(fold('Straße in Tromsø')).toBe('strasse in tromso');
  });
});

describe('the packed list', () => {
  it('keeps names, points and sizes', () => {
    const amsterdam = searchGazetteer(list, 'amsterdam')[0];
    expect(amsterdam).toMatchObject({ name: 'Amsterdam', country: 'Netherlands', label: 'Amsterdam' });
    expect(Math.abs((amsterdam?.lat ?? 0) - 52.374)).toBeLessThan(0.002);
    expect(Math.abs((amsterdam?.lng ?? 0) - 4.8897)).toBeLessThan(0.002);
    expect(amsterdam?.population).toBeGreaterThan(600_000);
    expect(list.population[0]).toBeGreaterThan(list.population[100] ?? 0);
  });
});

describe('searchGazetteer', () => {
  it('finds by prefix, by a later word, without marks and by local names', () => {
    expect(names('rotter', dam)[0]).toBe('Rotterdam');
    expect(names('pijp', dam)[0]).toBe('De Pijp, Amsterdam');
    expect(names('zurich')[0]).toBe('Zürich');
    expect(names('MÜNCHEN')[0]).toBe('München');
    expect(names('den haag', dam)[0]).toBe('Den Haag');
    expect(names('muenster')[0]).toBe('Münster');
    expect(names('Koeln')[0]).toBe('Köln');
    expect(names('duesseldorf germany')[0]).toBe('Düsseldorf');
  });

  it('finds places by their names in other languages and scripts, and shows their own', () => {
    const named = (typed: string, near?: typeof dam) =>
      searchGazetteer(list, typed, { others, near: near || undefined })[0]?.label;
    for (const [typed, name] of [
      ['Keulen', 'Köln'],
      ['keul', 'Köln'],
      ['Colonia', 'Köln'],
      ['Köln', 'Köln'],
      ['muenster', 'Münster'],
      ['Москва', 'Moscow'],
      ['Moskou', 'Moscow'],
      ['Luik', 'Liège'],
      ['Lüttich', 'Liège'],
      ['Rijsel', 'Lille'],
      ['Bozen', 'Bolzano'],
      ['Mailand', 'Milan'],
      ['Nizza', 'Nice'],
      ['東京', 'Tokyo'],
      ['القاهرة', 'Cairo'],
      ['القاهره', 'Cairo'],
      ['Αθήνα', 'Athens'],
      ['keulen, germany', 'Köln'],
    ])
      expect(named(typed ?? ''), typed).toBe(name);
    expect(named('Amsterdam', dam)).toBe('Amsterdam');
    expect(named('utrecht', dam)).toBe('Utrecht');
    expect(named('haarlem', dam)).toBe('Haarlem');
  });

  it('tolerates typos when nothing matches exactly', () => {
    expect(names('amstrdam', dam)[0]).toBe('Amsterdam');
    expect(names('amstredam')[0]).toBe('Amsterdam');
    expect(names('Roterdam', dam)[0]).toBe('Rotterdam');
    expect(names('utrehct', dam)[0]).toBe('Utrecht');
    expect(names('pariss, texas')[0]).toBe('Paris, TX');
    expect(names('hobokne nj')[0]).toBe('Hoboken, NJ');
    for (const typed of ['de pyp amsterdam', 'pyp amsterdam', 'pijjp, amsterdam', 'de pipj amstredam'])
      expect(names(typed, dam)[0], typed).toBe('De Pijp, Amsterdam');
    expect(names('jordan amsterdm')[0]).toBe('Jordaan, Amsterdam');
    expect(names('amsxyzdam')).toEqual([]);
  });

  it('prefers nearby places among namesakes, and large ones from far away', () => {
    expect(names('haarlem', cityHallPark)).toContain('Haarlem');
    expect(names('noord', dam)[0]).not.toBe(undefined);
    expect(names('brooklyn', cityHallPark)[0]).toMatch(/^Brooklyn/);
    expect(names('paris')[0]).toBe('Paris');
  });

  it("offers similar spellings nearby, and the user's country first", () => {
    expect(names('Jordan', dam)[0]).toBe('Jordaan, Amsterdam');
    const countries = (near: typeof dam) =>
      searchGazetteer(list, 'newport', { near }).map((place) => place.country);
    expect(countries({ lat: 51.48, lng: -3.18 })[0]).toBe('United Kingdom');
    expect(countries(cityHallPark).slice(0, 3)).toEqual(Array(3).fill('United States'));
  });

  it('reads a region, a country or a town after a comma or as last word', () => {
    expect(names('paris, texas')[0]).toBe('Paris, TX');
    expect(names('hoboken nj')[0]).toBe('Hoboken, NJ');
    expect(names('jordaan amsterdam')[0]).toBe('Jordaan, Amsterdam');
  });

  it('distinguishes namesakes', () => {
    const details = searchGazetteer(list, 'neustadt', { near: { lat: 50, lng: 9 } }).map(
      (place) => `${place.label} ${place.country} ${place.near} ${place.lat}`,
    );
    expect(new Set(details).size).toBe(details.length);
  });

  it('returns nothing for an empty query or an unknown place', () => {
    for (const typed of ['', '   ', ',', '\n', 'qqqqzzzz', '🙂', '\u0000', '(.*)'])
      expect(names(typed)).toEqual([]);
  });
});

describe('placeNamed', () => {
  const named = (name: string, near = dam) => placeNamed(list, name, { near, others })?.label ?? null;

  it('finds a place by its whole name, in any language', () => {
    for (const [name, label] of [
      ['haarlem', 'Haarlem'],
      ['The Hague', 'The Hague'],
      ['den haag', 'Den Haag'],
      ['Koeln', 'Köln'],
      ['Keulen', 'Köln'],
      ['Jordaan', 'Jordaan, Amsterdam'],
      ['New York', 'New York, NY'],
    ] as const)
      expect(named(name), name).toBe(label);
    for (const name of ['haarl', 'Haarlem Noord West', '']) expect(named(name), name).toBeNull();
  });

  it('skips a small place far away', () => {
    expect(named('Baker')).toBeNull();
    expect(named('Baker', { lat: 30.45, lng: -91.15 })).toBe('Baker, LA');
    expect(named('Jordaan', cityHallPark)).toBeNull();
  });
});

describe('nearestPlace', () => {
  it('returns the quarter, the town or nothing', () => {
    expect(nearestPlace(list, { lat: 52.3752, lng: 4.8812 })?.label).toBe('Jordaan, Amsterdam');
    expect(nearestPlace(list, cityHallPark)?.label).toMatch(/New York City/);
    expect(nearestPlace(list, { lat: 52.3808, lng: 4.6368 })?.label).toBe('Haarlem');
    expect(nearestPlace(list, { lat: 0, lng: -150 })).toBeNull();
    expect(nearestPlace(list, { lat: 89.9, lng: 10 })).toBeNull();
  });

  it('works across the date line', () => {
    expect(nearestPlace(list, { lat: -16.8, lng: -179.99 })).not.toBeUndefined();
  });
});

describe('placesInside', () => {
  it('returns the largest, apart from each other, without waiting for folded names', () => {
    expect(unpacked).not.toHaveProperty('blocks');
    const inside = placesInside(
      unpacked,
      { west: 4.8, south: 52.33, east: 5, north: 52.42 },
      { limit: 12, apartM: 900, quarters: true },
    );
    expect(inside[0]?.name).toBe('Amsterdam');
    expect(inside.length).toBeGreaterThan(8);
  });
});
