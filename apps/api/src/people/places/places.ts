import { basename, dirname, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import {
  type MapSettings,
  type MapTiles,
  mapTilesPath,
  type Place,
  places,
} from '@nearhand/contract/people/places';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { searchAddresses, travelTimes } from './outside-places.ts';

/** Where the map starts for a guest without a position: the operator's town. */
export function townOf(config: Pick<Config, 'MAP_START'>): Place {
  const [lat = '', lng = '', ...label] = config.MAP_START.split(',');
  return { label: label.join(','), lat: Number(lat), lng: Number(lng) };
}

/** How a map is drawn and where it starts without a position, from the configuration. Public. */
async function mapSettings(_db: Db, { config }: Scope<Actor | null>): Promise<MapSettings> {
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

export const placesRoutes = {
  mapSettings: read(places.mapSettings, mapSettings),
  addresses: read(places.addresses, searchAddresses),
  travel: read(places.travel, travelTimes),
};

/** More than any directory or tile of an archive takes; a town's whole file has hundreds of megabytes. */
const rangeBytesMax = 4 * 1024 * 1024;

/** Whether a `Range` header asks for one bounded piece of at most `rangeBytesMax`. */
export function isShortRange(range: string | undefined): boolean {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined) return false;
  const bytes = Number(last) - Number(first) + 1;
  return bytes > 0 && bytes <= rangeBytesMax;
}

/**
 * `GET /places/map-tiles.pmtiles`: the configured PMTiles archive in ranges, outside the contract since it isn't JSON. Anyone may read it, a piece
 * at a time: nobody makes this server send the whole file. Without such a file the path does not exist.
 */
export const registerMapTiles: PlainRoutes = (api, { scopeOf, limitReads }) => {
  void api.register(async (site) => {
    await site.register(fastifyStatic, { root: '/', serve: false });
    site.get(mapTilesPath, { onRequest: limitReads }, (request, reply) => {
      const { MAP_TILES: source } = scopeOf(request).config;
      if (source?.kind !== 'file') throw new AppError('request/unknown-operation');
      if (request.method === 'GET' && !isShortRange(request.headers.range))
        throw new AppError('request/invalid', { issues: [] });
      // Of another version than this the sender would get the whole file; they see by its ETag that the piece is newer.
      delete request.raw.headers['if-range'];
      const path = resolve(source.at);
      return reply.header('content-type', 'application/vnd.pmtiles').sendFile(basename(path), dirname(path), {
        acceptRanges: true,
        cacheControl: true,
        contentType: false,
        etag: true,
        lastModified: true,
        maxAge: '1d',
      });
    });
  });
};
