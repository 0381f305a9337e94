import type { MapSettings } from '@nearhand/contract/people/places';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';

/** How a map is drawn and where it starts without a position, from the configuration. Public. */
export async function mapSettings(_db: Db, { config }: Scope<Actor | null>): Promise<MapSettings> {
  const [lat = '', lng = '', ...label] = config.MAP_START.split(',');
  return {
    styleUrl: config.MAP_STYLE_URL ?? null,
    start: { label: label.join(','), lat: Number(lat), lng: Number(lng) },
  };
}
