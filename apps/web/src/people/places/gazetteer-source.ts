import type { Point } from '@nearhand/contract/people/places';
import address from '../../generated/gazetteer.json?url';
import { locale } from '../../lib/words/format.ts';
import {
  type FoundPlace,
  type Gazetteer,
  nearestCountry,
  nearestPlace,
  type Packed,
  searchGazetteer,
  unpack,
} from './gazetteer.ts';

let loading: Promise<Gazetteer> | null = null;

/** Loads the list of places once, on first use. A failed load is retried at the next call. */
export function loadGazetteer(): Promise<Gazetteer> {
  loading ??= fetch(address)
    .then(async (response) => {
      if (!response.ok) throw new Error(`The list of places answered ${response.status}`);
      return unpack((await response.json()) as Packed);
    })
    .catch((failure: unknown) => {
      loading = null;
      throw failure;
    });
  return loading;
}

export async function searchPlaces(typed: string, near?: Point | null): Promise<FoundPlace[]> {
  return searchGazetteer(await loadGazetteer(), typed, { near: near ?? null, language: locale() });
}

export async function nameOfPoint(point: Point): Promise<string | null> {
  return nearestPlace(await loadGazetteer(), point, locale())?.label ?? null;
}

export const countryOfPoint = async (point: Point): Promise<string | null> =>
  nearestCountry(await loadGazetteer(), point);
