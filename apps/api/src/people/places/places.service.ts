import { type MapSettings, type MapTiles, mapTilesPath, type Place } from '@nearhand/contract/people/places';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';

/** Where the map starts for a guest without a position: the operator's town. */
export function townOf(config: Pick<Config, 'MAP_START'>): Place {
  const [lat = '', lng = '', ...label] = config.MAP_START.split(',');
  return { label: label.join(','), lat: Number(lat), lng: Number(lng) };
}

/** How a map is drawn and where it starts without a position, from the configuration. Public. */
export async function mapSettings(_db: Db, { config }: Scope<Actor | null>): Promise<MapSettings> {
  return {
    styleUrl: config.MAP_STYLE_URL ?? null,
    tiles: tilesOf(config.MAP_TILES),
    addressSearch: config.GEOCODER_URL !== undefined,
    travelTimes: config.ROUTER_URL !== undefined,
    start: townOf(config),
  };
}

function tilesOf(source: Config['MAP_TILES']): MapTiles | null {
  if (!source) return null;
  return source.kind === 'file'
    ? { kind: 'pmtiles', url: mapTilesPath }
    : { kind: source.kind, url: source.at };
}
