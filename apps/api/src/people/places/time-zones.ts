import type { Point } from '@nearhand/contract/people/places';
import zoneOf from '@photostructure/tz-lookup';

/** Canonicalizes aliases: the map and the runtime disagree on Asia/Kolkata and Asia/Calcutta. */
const canonical = (zone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;

const zonesByCountry = new Map<string, Set<string>>();

function zonesOf(country: string): Set<string> {
  let zones = zonesByCountry.get(country);
  if (!zones) {
    // TypeScript's types lack `getTimeZones`.
    const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
      getTimeZones(): string[] | undefined;
    };
    zones = new Set((locale.getTimeZones() ?? []).map(canonical));
    zonesByCountry.set(country, zones);
  }
  return zones;
}

const kmPerDegree = 111;
/** The zone map is off by a few kilometres at borders; at sea the country's land may be 200 away. */
const ringsKm = [3, 6, 12, 25, 50, 100, 200];
const directions = Array.from({ length: 16 }, (_, at) => (at * Math.PI) / 8);

/** Corrects the zone map at borders with the country (ISO 3166-1), unless the place is far outside it. */
export function zoneAt({ lat, lng }: Point, country: string | null): string {
  const zone = zoneOf(lat, lng);
  const zones = country === null ? new Set<string>() : zonesOf(country);
  if (zones.size === 0 || zones.has(canonical(zone))) return zone;
  for (const km of ringsKm)
    for (const direction of directions) {
      const north = lat + (km * Math.cos(direction)) / kmPerDegree;
      const east = lng + (km * Math.sin(direction)) / (kmPerDegree * Math.cos((lat * Math.PI) / 180));
      if (Math.abs(north) > 90 || Math.abs(east) > 180) continue;
      const near = zoneOf(north, east);
      if (zones.has(canonical(near))) return near;
    }
  const [first] = zones;
  // At sea the zone map has only offsets.
  return zone.startsWith('Etc/') && first ? first : zone;
}
