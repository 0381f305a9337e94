import { createHmac } from 'node:crypto';
import type { Point } from '@nearhand/contract/people/places';

const metresPerDegree = 111_195;
/** Side of the squares an exact place is rounded to first, in degrees of latitude: about 110 m. */
const grain = 0.001;
const leastM = 150;
const mostM = 400;

/**
 * Where a private address is shown: its square, moved by 150 to 400 m in a direction derived from the business's salt, so within about 500
 * m of the exact place and never on it. The same square always gives the same point, so neither another job at the address nor a pin a few
 * metres off gives a second point to average with (ADR 8).
 */
export function publicPlace(salt: string, place: Point & { privateAddress: boolean }): Point {
  if (!place.privateAddress) return { lat: place.lat, lng: place.lng };
  // Within a square of a pole longitude means nothing; the last whole square is used.
  const lat = clamp(Math.round(place.lat / grain) * grain, -89.9, 89.9);
  const narrow = Math.cos((lat * Math.PI) / 180);
  const lngGrain = grain / narrow;
  const lng = Math.round(place.lng / lngGrain) * lngGrain;
  const hash = createHmac('sha256', salt)
    .update(`${lat.toFixed(3)} ${lng.toFixed(6)}`)
    .digest();
  const angle = (hash.readUInt32BE(0) / 2 ** 32) * 2 * Math.PI;
  // The square root spreads the points evenly over the ring's area.
  const share = hash.readUInt32BE(4) / 2 ** 32;
  const metres = Math.sqrt(leastM ** 2 + share * (mostM ** 2 - leastM ** 2));
  return {
    lat: round(lat + (metres * Math.cos(angle)) / metresPerDegree),
    lng: round(wrap(lng + (metres * Math.sin(angle)) / (metresPerDegree * narrow))),
  };
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
const round = (degrees: number) => Number(degrees.toFixed(5));
const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);
