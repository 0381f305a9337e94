import { coarse, placeCookie } from '@nearhand/contract/people/coarse-place';
import type { Place } from '@nearhand/contract/people/places';
import { isNative } from '../../lib/device/platform.ts';
import { readStored, writeStored } from '../../lib/device/stored.ts';
import { session } from '../../lib/session.ts';
import { createStore } from '../../lib/store.ts';

/** The place of a job search: the device's location, a chosen place, or the home area. */
export type Here = Place & { source: 'device' | 'chosen' | 'home' };

const key = 'nearhand-place';

function isHere(value: unknown): value is Here {
  if (typeof value !== 'object' || value === null) return false;
  const { label, lat, lng, source } = value as Record<string, unknown>;
  return (
    typeof label === 'string' &&
    isLatitude(lat) &&
    isLongitude(lng) &&
    (source === 'device' || source === 'chosen')
  );
}

const isLatitude = (value: unknown): value is number =>
  typeof value === 'number' && value >= -90 && value <= 90;
const isLongitude = (value: unknown): value is number =>
  typeof value === 'number' && value >= -180 && value <= 180;

function readHere(): Here | null {
  try {
    const stored: unknown = JSON.parse(readStored(key) ?? 'null');
    return isHere(stored) ? stored : null;
  } catch {
    return null;
  }
}

const here = createStore(readHere());

export function rememberPlace(next: Here | null): void {
  writeStored(key, next && JSON.stringify(next));
  setPlaceCookie(next);
  here.set(next);
}

const yearSeconds = 31_536_000;

/**
 * Sends a chosen place to the server, so that the page includes its jobs (ADR 221); never the device's own location.
 */
function setPlaceCookie(next: Here | null): void {
  if (isNative()) return;
  const value = next?.source === 'chosen' ? `${coarse(next.lat)},${coarse(next.lng)}` : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari 15.
  document.cookie = `${placeCookie}=${value}; path=/; max-age=${value ? yearSeconds : 0}; samesite=lax`;
}

let signedIn = session.user() !== null;
// Cleared at sign-out; a guest's choice stays.
session.subscribe(() => {
  const isSignedIn = session.user() !== null;
  if (signedIn && !isSignedIn) rememberPlace(null);
  signedIn = isSignedIn;
});

export const useRememberedPlace = here.useValue;
