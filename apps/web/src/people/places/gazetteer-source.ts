import type { Point } from '@nearhand/contract/people/places';
import address from '../../generated/gazetteer.json?url';
import otherNamesAddress from '../../generated/other-names.json?url';
import { locale } from '../../lib/words/format.ts';
import {
  type FoundPlace,
  foldNames,
  type Gazetteer,
  nearestCountry,
  nearestPlace,
  type OtherNames,
  type Packed,
  type PackedOtherNames,
  placeNamed,
  type SearchableGazetteer,
  searchGazetteer,
  unpackGazetteer,
  unpackOtherNames,
} from './gazetteer.ts';

let loading: Promise<Gazetteer> | null = null;
let folding: Promise<SearchableGazetteer> | null = null;
let loadingOthers: Promise<OtherNames | null> | null = null;

/** Loads the list of places once, on first use. A failed load is retried at the next call. */
export function loadGazetteer(): Promise<Gazetteer> {
  loading ??= fetch(address)
    .then(async (response) => {
      if (!response.ok) throw new Error(`The list of places answered ${response.status}`);
      return unpackGazetteer((await response.json()) as Packed);
    })
    .catch((failure: unknown) => {
      loading = null;
      throw failure;
    });
  return loading;
}

/** The list for searches by name, which are the only ones to need its names folded. */
function loadSearchable(): Promise<SearchableGazetteer> {
  folding ??= loadGazetteer()
    .then(foldNames)
    .catch((failure: unknown) => {
      folding = null;
      throw failure;
    });
  return folding;
}

/** Names in other languages, for searches only. Without them, places are found by their own names. */
function loadOtherNames(): Promise<OtherNames | null> {
  loadingOthers ??= Promise.all([
    loadGazetteer(),
    fetch(otherNamesAddress).then((response) => response.json() as Promise<PackedOtherNames>),
  ])
    .then(([list, packed]) => unpackOtherNames(list, packed))
    .catch(() => {
      loadingOthers = null;
      return null;
    });
  return loadingOthers;
}

export async function searchPlaces(typed: string, near: Point | null = null): Promise<FoundPlace[]> {
  const [list, otherNames] = await Promise.all([loadSearchable(), loadOtherNames()]);
  return searchGazetteer(list, typed, { near, others: otherNames, language: locale() });
}

export async function findPlaceNamed(name: string, near: Point): Promise<FoundPlace | null> {
  const [list, otherNames] = await Promise.all([loadSearchable(), loadOtherNames()]);
  return placeNamed(list, name, { near, others: otherNames, language: locale() });
}

export async function nameOfPoint(point: Point): Promise<string | null> {
  return nearestPlace(await loadGazetteer(), point, locale())?.label ?? null;
}

export const countryOfPoint = async (point: Point): Promise<string | null> =>
  nearestCountry(await loadGazetteer(), point);
