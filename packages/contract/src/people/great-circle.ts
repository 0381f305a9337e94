import type { Point } from './places.ts';

/** Mean radius of the earth in metres (IUGG), used for every distance. */
export const earthRadiusM = 6_371_008.8;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Great-circle metres between two points, exact across the date line and at the poles. */
export function metresBetween(a: Point, b: Point): number {
  const [ax, ay, az] = onSphere(a);
  const [bx, by, bz] = onSphere(b);
  return metresOfChord(Math.hypot(ax - bx, ay - by, az - bz));
}

/** A point on the sphere in metres from its centre: straight-line distances grow with great-circle distances. */
export function onSphere({ lat, lng }: Point): [number, number, number] {
  const phi = radians(lat);
  const lambda = radians(lng);
  return [
    earthRadiusM * Math.cos(phi) * Math.cos(lambda),
    earthRadiusM * Math.cos(phi) * Math.sin(lambda),
    earthRadiusM * Math.sin(phi),
  ];
}

/** The chord length of a great-circle distance, both in metres. */
export const chordOfMetres = (metres: number): number =>
  2 * earthRadiusM * Math.sin(Math.min(metres, Math.PI * earthRadiusM) / (2 * earthRadiusM));

/** The great-circle distance of a chord, both in metres. */
export const metresOfChord = (chord: number): number =>
  2 * earthRadiusM * Math.asin(Math.min(1, chord / (2 * earthRadiusM)));

/**
 * Time zones of the countries with miles on road signs: the United States, the United Kingdom, Liberia and
 * Myanmar.
 */
const mileZones =
  /^(US\/.+|GB|America\/(New_York|Detroit|Chicago|Denver|Boise|Phoenix|Los_Angeles|Anchorage|Juneau|Sitka|Metlakatla|Yakutat|Nome|Adak|Menominee|Louisville|Indianapolis|Indiana\/.+|Kentucky\/.+|North_Dakota\/.+)|Pacific\/Honolulu|Europe\/(London|Belfast|Jersey|Guernsey|Isle_of_Man)|Africa\/Monrovia|Asia\/(Yangon|Rangoon))$/;

/** Returns whether roads at a place of this time zone are signed in miles (ADR 20). */
export const hasMileSigns = (timeZone: string): boolean => mileZones.test(timeZone);
