import { minuteMs } from '@nearhand/contract/durations';
import type { AddressSearch, FoundAddress, Point, Travel } from '@nearhand/contract/people/places';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import { geocoderOf } from '../../platform/config/config-places.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import {
  createOutsideSource,
  type OutsideSource,
  OutsideUnavailable,
} from '../../platform/http-client/http-client.ts';
import { geocoderUrl, readGeocoder } from './geocoder.rules.ts';

type AnyScope = Scope<Actor | null>;

/** Per server: its own questions to each service. */
const sources = new WeakMap<Config, Map<string, OutsideSource>>();

function sourceOf({ config, clock, log }: AnyScope, name: 'geocoder' | 'router', perMinute: number) {
  const own = sources.get(config) ?? new Map<string, OutsideSource>();
  sources.set(config, own);
  const source = own.get(name) ?? createOutsideSource({ name, clock, log, perMinute });
  own.set(name, source);
  return source;
}

/** One caller's share of what may be asked outside: nobody uses it up for everyone. */
const sharesOfAll = 4;
const callers = new WeakMap<Config, Map<string, number[]>>();

function takeShare({ config, clock, actor, network }: AnyScope, name: string, perMinute: number): void {
  const asked = callers.get(config) ?? new Map<string, number[]>();
  callers.set(config, asked);
  const now = clock.now().getTime();
  for (const [caller, times] of asked) if ((times.at(-1) ?? 0) <= now - minuteMs) asked.delete(caller);
  const caller = `${name} ${actor?.accountId ?? network ?? ''}`;
  const times = (asked.get(caller) ?? []).filter((at) => at > now - minuteMs);
  if (times.length >= Math.max(1, Math.floor(perMinute / sharesOfAll)))
    throw new AppError('request/too-many', {
      retryAfterSeconds: Math.max(1, Math.ceil(((times[0] ?? now) + minuteMs - now) / 1_000)),
    });
  asked.set(caller, [...times, now]);
}

const userAgentOf = ({ PUBLIC_URL }: Config) => ({ 'user-agent': `Nearhand (${PUBLIC_URL})` });

/** A tenth of a degree, about ten kilometres: enough to prefer the caller's town, and not where they are. */
const rough = (degrees: number): number => Math.round(degrees * 10) / 10;

/**
 * Streets and postcodes from the operator's geocoder. Public.
 * @throws address-search/off, address-search/unavailable (data: retryAfterSeconds), request/too-many
 */
export async function searchAddresses(
  _db: Db,
  scope: AnyScope,
  { q, lat, lng, language }: AddressSearch,
): Promise<{ items: FoundAddress[] }> {
  const { GEOCODER_URL: url, GEOCODER_KIND, GEOCODER_PER_MINUTE: perMinute } = scope.config;
  const base = url && geocoderOf(url, GEOCODER_KIND);
  if (!base) throw new AppError('address-search/off');
  const near = lat === undefined || lng === undefined ? null : { lat: rough(lat), lng: rough(lng) };
  const text = q.toLowerCase().replace(/\s+/g, ' ');
  const key = [base.kind, language, text, near?.lat, near?.lng].join('|');
  const init = { headers: userAgentOf(scope.config) };
  takeShare(scope, 'geocoder', perMinute);
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

/** About ten metres: the same door asks once. */
const near = (degrees: number): number => Math.round(degrees * 10_000) / 10_000;

/**
 * Minutes on foot and by bike from the operator's router; null where there is no way. Public.
 * @throws travel/off, travel/unavailable (data: retryAfterSeconds), request/too-many
 */
export async function travelTimes(_db: Db, scope: AnyScope, ends: Ends): Promise<Travel> {
  const { ROUTER_URL: base, ROUTER_KIND: kind, ROUTER_PER_MINUTE: perMinute } = scope.config;
  if (!base) throw new AppError('travel/off');
  const from = { lat: near(ends.fromLat), lng: near(ends.fromLng) };
  const to = { lat: near(ends.toLat), lng: near(ends.toLng) };
  takeShare(scope, 'router', perMinute);
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
  if (!(failure instanceof OutsideUnavailable)) return failure;
  return new AppError(code, { retryAfterSeconds: failure.retryAfterSeconds });
}

type RouterKind = 'osrm' | 'valhalla';
type TravelMode = 'foot' | 'bike';

type Way = { mode: TravelMode; from: Point; to: Point };

/** Farther than anyone walks or cycles to work; it also keeps garbage out. */
const secondsMax = 86_400;

/**
 * The question for one way. An OSRM server knows one kind of traveller, so its address may name it: `{profile}` becomes `foot` or `bike`
 * (project-osrm.org/docs; valhalla.github.io/valhalla/api/turn-by-turn/api-reference).
 */
function routeQuestion(
  base: string,
  kind: RouterKind,
  { mode, from, to }: Way,
): { url: URL; init: { headers?: Record<string, string> } & RequestInit } {
  const root = base.replace('{profile}', mode).replace(/\/+$/, '');
  if (kind === 'osrm') {
    const ends = [from, to].map(({ lat, lng }) => `${lng},${lat}`).join(';');
    return { url: new URL(`${root}/route/v1/${mode}/${ends}?overview=false`), init: {} };
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
/** 442: no path; 171: no street near one end. */
const valhallaAnswer = z.union([
  z.object({ trip: z.object({ summary: z.object({ time: seconds }) }) }),
  z.object({ error_code: z.union([z.literal(442), z.literal(171)]) }),
]);

/**
 * Whole minutes of the first way; null without any.
 * @throws ZodError for anything else than an answer of this protocol
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
