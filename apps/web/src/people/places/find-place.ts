import type { Home, Place, Point } from '@nearhand/contract/people/places';
import { api } from '../../lib/api/api.ts';

const coordinates = ({ lat, lng }: Point): string => `${lat.toFixed(3)}, ${lng.toFixed(3)}`;

/** The country (ISO 3166-1) of a pin; null far from any place, undefined until the list of places is loaded. */
export async function pinCountry(point: Point): Promise<string | null | undefined> {
  try {
    const { countryOfPoint } = await import('./gazetteer-source.ts');
    return await countryOfPoint(point);
  } catch {
    return;
  }
}

/** A text in the form of a postcode: 1012 AB, 80331, 00-950, SW1A 1AA, K1A 0B1. */
const looksLikePostcode = (text: string): boolean =>
  /^(\d{4,6}|\d{4} ?[a-z]{2}|\d{2,3}-\d{2,4}|[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}|[a-z]\d[a-z] ?\d[a-z]\d)$/i.test(
    text.trim(),
  );

/** The centre of a postcode by the operator's geocoder; null for one that it doesn't know. */
async function placeOfPostcode(postcode: string, near: Point): Promise<Place | null> {
  const squeezed = (text: string) => text.replace(/\s/g, '').toLowerCase();
  const { items } = await api.places.addresses({ q: postcode, lat: near.lat, lng: near.lng });
  const match = items.find((item) => squeezed(item.postcode ?? '').startsWith(squeezed(postcode)));
  return match
    ? { label: [postcode, match.area].filter(Boolean).join(', '), lat: match.lat, lng: match.lng }
    : null;
}

/**
 * Returns the first split whose `where` is a place; null if there is none or the list of places is
 * unavailable.
 */
export async function splitByPlace<Split extends { where: string }>(
  splits: readonly Split[],
  near: Point,
  { addressSearch }: { addressSearch: boolean },
): Promise<(Split & { place: Place }) | null> {
  try {
    const { findPlaceNamed } = await import('./gazetteer-source.ts');
    for (const split of splits) {
      const place =
        addressSearch && looksLikePostcode(split.where)
          ? await placeOfPostcode(split.where, near)
          : await findPlaceNamed(split.where, near);
      if (place) return { ...split, place: { label: place.label, lat: place.lat, lng: place.lng } };
    }
  } catch {
    // If the list of places can't load, the words are searched as text.
  }
  return null;
}

/** Adds the country of a new home, which decides its time zone at a border. */
export async function withHomeCountry<Input extends { home?: Home | null }>(input: Input): Promise<Input> {
  const countryCode = input.home && (await pinCountry(input.home));
  return countryCode ? { ...input, home: { ...input.home, countryCode } } : input;
}

export async function labelOfPoint(point: Point): Promise<string> {
  try {
    const { nameOfPoint } = await import('./gazetteer-source.ts');
    return (await nameOfPoint(point)) ?? coordinates(point);
  } catch {
    return coordinates(point);
  }
}
