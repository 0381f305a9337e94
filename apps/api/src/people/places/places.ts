import { basename, dirname, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { minuteMs } from '@nearhand/contract/durations';
import {
  type AddressSearch,
  type FoundAddress,
  type MapSettings,
  type MapTiles,
  mapTilesPath,
  type Place,
  type Point,
  places,
  type Travel,
} from '@nearhand/contract/people/places';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import { geocoderOf } from '../../platform/config/config-places.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import {
  createOutsideSource,
  type OutsideSource,
  ServiceUnavailableError,
} from '../../platform/http-client/http-client.ts';
import { geocoderUrl, readGeocoder } from './geocoder.rules.ts';

type AnyScope = Scope<Actor | null>;

const sources = new WeakMap<Config, Map<string, OutsideSource>>();

function sourceOf({ config, clock, log }: AnyScope, name: 'geocoder' | 'router', perMinute: number) {
  const configSources = sources.get(config) ?? new Map<string, OutsideSource>();
  sources.set(config, configSources);
  const source = configSources.get(name) ?? createOutsideSource({ name, clock, log, perMinute });
  configSources.set(name, source);
  return source;
}

/** One caller's share of the external quota, so that nobody uses it up for everyone. */
const sharesOfAll = 4;
const callers = new WeakMap<Config, Map<string, number[]>>();

function acquireShare({ config, clock, actor, network }: AnyScope, name: string, perMinute: number): void {
  const callsByCaller = callers.get(config) ?? new Map<string, number[]>();
  callers.set(config, callsByCaller);
  const now = clock.now().getTime();
  for (const [caller, times] of callsByCaller)
    if ((times.at(-1) ?? 0) <= now - minuteMs) callsByCaller.delete(caller);
  const caller = `${name} ${actor?.accountId ?? network ?? ''}`;
  const times = (callsByCaller.get(caller) ?? []).filter((at) => at > now - minuteMs);
  if (times.length >= Math.max(1, Math.floor(perMinute / sharesOfAll)))
    throw new AppError('request/too-many', {
      retryAfterSeconds: Math.max(1, Math.ceil(((times[0] ?? now) + minuteMs - now) / 1_000)),
    });
  callsByCaller.set(caller, [...times, now]);
}

const userAgentOf = ({ PUBLIC_URL }: Config) => ({ 'user-agent': `Nearhand (${PUBLIC_URL})` });

/** Rounds to about ten kilometres: enough to prefer the caller's town without revealing their position. */
const roundToTown = (degrees: number): number => Math.round(degrees * 10) / 10;

/** Finds streets and postcodes through the configured geocoder. Needs no account. */
async function searchAddresses(
  _db: Db,
  scope: AnyScope,
  { q, lat, lng, language }: AddressSearch,
): Promise<{ items: FoundAddress[] }> {
  const { GEOCODER_URL: url, GEOCODER_KIND, GEOCODER_PER_MINUTE: perMinute } = scope.config;
  const base = url && geocoderOf(url, GEOCODER_KIND);
  if (!base) throw new AppError('address-search/off');
  const near =
    lat === undefined || lng === undefined ? null : { lat: roundToTown(lat), lng: roundToTown(lng) };
  const text = q.toLowerCase().replace(/\s+/g, ' ');
  const key = [base.kind, language, text, near?.lat, near?.lng].join('|');
  const init = { headers: userAgentOf(scope.config) };
  acquireShare(scope, 'geocoder', perMinute);
  try {
    const items = await sourceOf(scope, 'geocoder', perMinute).ask(
      key,
      () => ({ url: geocoderUrl(base.url, base.kind, { q: text, near, language }), init }),
      (body) => readGeocoder(base.kind, body),
    );
    return { items };
  } catch (failure) {
    throw asError('address-search/unavailable', failure);
  }
}

type Ends = { fromLat: number; fromLng: number; toLat: number; toLng: number };

/** Rounds to about ten metres, so the same door is requested once. */
const roundToDoor = (degrees: number): number => Math.round(degrees * 10_000) / 10_000;

/** Minutes on foot and by bike from the operator's router; null if there is no route. */
async function travelTimes(_db: Db, scope: AnyScope, points: Ends): Promise<Travel> {
  const { ROUTER_URL: base, ROUTER_KIND: kind, ROUTER_PER_MINUTE: perMinute } = scope.config;
  if (!base) throw new AppError('travel/off');
  const from = { lat: roundToDoor(points.fromLat), lng: roundToDoor(points.fromLng) };
  const to = { lat: roundToDoor(points.toLat), lng: roundToDoor(points.toLng) };
  acquireShare(scope, 'router', perMinute);
  const source = sourceOf(scope, 'router', perMinute);
  const minutes = (mode: TravelMode) =>
    source.ask(
      [kind, mode, from.lat, from.lng, to.lat, to.lng].join('|'),
      () => {
        const { url, init } = routeQuestion(base, kind, { mode, from, to });
        return { url, init: { ...init, headers: { ...init.headers, ...userAgentOf(scope.config) } } };
      },
      (body) => readRoute(kind, body),
    );
  try {
    const [walkMinutes, bikeMinutes] = await Promise.all([minutes('foot'), minutes('bike')]);
    return { walkMinutes, bikeMinutes };
  } catch (failure) {
    throw asError('travel/unavailable', failure);
  }
}

function asError(code: 'address-search/unavailable' | 'travel/unavailable', failure: unknown): unknown {
  if (!(failure instanceof ServiceUnavailableError)) return failure;
  return new AppError(code, { retryAfterSeconds: failure.retryAfterSeconds });
}

type RouterKind = 'osrm' | 'valhalla';
type TravelMode = 'foot' | 'bike';

type Way = { mode: TravelMode; from: Point; to: Point };

/** Longer than any commute; rejects invalid values. */
const secondsMax = 86_400;

/** An OSRM server has one profile, so the URL may name it: `{profile}` becomes `foot` or `bike`. */
function routeQuestion(
  base: string,
  kind: RouterKind,
  { mode, from, to }: Way,
): { url: URL; init: { headers?: Record<string, string> } & RequestInit } {
  const root = base.replace('{profile}', mode).replace(/\/+$/, '');
  if (kind === 'osrm') {
    const points = [from, to].map(({ lat, lng }) => `${lng},${lat}`).join(';');
    return { url: new URL(`${root}/route/v1/${mode}/${points}?overview=false`), init: {} };
  }
  const body = JSON.stringify({
    locations: [from, to].map(({ lat, lng }) => ({ lat, lon: lng })),
    costing: mode === 'foot' ? 'pedestrian' : 'bicycle',
    directions_type: 'none',
  });
  const headers = { 'content-type': 'application/json' };
  return { url: new URL(`${root}/route`), init: { method: 'POST', body, headers } };
}

const seconds = z.number().min(0).max(secondsMax);
const osrmAnswer = z.union([
  z.object({ code: z.literal('Ok'), routes: z.array(z.object({ duration: seconds })).min(1) }),
  z.object({ code: z.enum(['NoRoute', 'NoSegment']) }),
]);
/** 442: no path. 171: no street near one end. */
const valhallaAnswer = z.union([
  z.object({ trip: z.object({ summary: z.object({ time: seconds }) }) }),
  z.object({ error_code: z.union([z.literal(442), z.literal(171)]) }),
]);

/**
 * Whole minutes of the first route; null if there is none.
 * @throws ZodError for an invalid response
 */
function readRoute(kind: RouterKind, body: unknown): number | null {
  const minutes = (time: number) => Math.max(1, Math.round(time / 60));
  if (kind === 'valhalla') {
    const answer = valhallaAnswer.parse(body);
    return 'trip' in answer ? minutes(answer.trip.summary.time) : null;
  }
  const answer = osrmAnswer.parse(body);
  const [route] = 'routes' in answer ? answer.routes : [];
  return route ? minutes(route.duration) : null;
}

/** The place where the map begins, from MAP_START: `lat,lng,label`. */
export function townOf(config: Pick<Config, 'MAP_START'>): Place {
  const [lat = '', lng = '', ...label] = config.MAP_START.split(',');
  return { label: label.join(','), lat: Number(lat), lng: Number(lng) };
}

/** The configured map style and start position. For anyone. */
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

/** More than any directory or tile of an archive; a town's whole file has hundreds of megabytes. */
const rangeBytesMax = 4 * 1024 * 1024;

/** Returns whether a Range header asks for one bounded part, which is all that the map's reader sends. */
export function isShortRange(range: string | undefined): boolean {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined) return false;
  const bytes = Number(last) - Number(first) + 1;
  return bytes > 0 && bytes <= rangeBytesMax;
}

/** Serves the configured PMTiles archive in ranges, never as a whole. Public; not JSON. */
export const registerMapTiles: PlainRoutes = (api, { scopeOf, limitReads }) => {
  void api.register(async (site) => {
    await site.register(fastifyStatic, { root: '/', serve: false });
    site.get(mapTilesPath, { onRequest: limitReads }, (request, reply) => {
      const { MAP_TILES: source } = scopeOf(request).config;
      if (source?.kind !== 'file') throw new AppError('request/unknown-operation');
      if (request.method === 'GET' && !isShortRange(request.headers.range))
        throw new AppError('request/invalid', { issues: [] });
      // With an old ETag, If-Range would send the whole file; clients detect a new version by the ETag.
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

export const placesRoutes = {
  mapSettings: read(places.mapSettings, mapSettings),
  addresses: read(places.addresses, searchAddresses),
  travel: read(places.travel, travelTimes),
};
