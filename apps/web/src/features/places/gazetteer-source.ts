import type { Point } from '@nearhand/contract/places';
import address from '../../generated/gazetteer.json?url';
import { locale } from '../../lib/format.ts';
import {
  type FoundPlace,
  type Gazetteer,
  nearestPlace,
  type Packed,
  searchGazetteer,
  unpack,
} from './gazetteer.ts';

let loading: Promise<Gazetteer> | null = null;

/** The list of places, loaded once and when it is first needed. A failed load is tried again at the next call. */
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

/** Places whose name starts so, the likely ones first. */
export async function searchPlaces(typed: string, near?: Point | null): Promise<FoundPlace[]> {
  return searchGazetteer(await loadGazetteer(), typed, { near: near ?? null, language: locale() });
}

/** What to call a point, or null in the middle of nowhere. */
export async function nameOfPoint(point: Point): Promise<string | null> {
  return nearestPlace(await loadGazetteer(), point, locale())?.label ?? null;
}
