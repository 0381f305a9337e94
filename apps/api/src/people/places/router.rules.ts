import type { Point } from '@nearhand/contract/people/places';
import { z } from 'zod';

export type RouterKind = 'osrm' | 'valhalla';
export type TravelMode = 'foot' | 'bike';

type Way = { mode: TravelMode; from: Point; to: Point };

/** Farther than anyone walks or cycles to work; it also keeps garbage out. */
const secondsMax = 86_400;

/**
 * The question for one way. An OSRM server knows one kind of traveller, so its address may name it: `{profile}` becomes `foot` or `bike`
 * (project-osrm.org/docs; valhalla.github.io/valhalla/api/turn-by-turn/api-reference).
 */
export function routeQuestion(
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
export function readRoute(kind: RouterKind, body: unknown): number | null {
  const minutes = (time: number) => Math.max(1, Math.round(time / 60));
  if (kind === 'valhalla') {
    const answer = valhallaAnswer.parse(body);
    return 'trip' in answer ? minutes(answer.trip.summary.time) : null;
  }
  const answer = osrmAnswer.parse(body);
  const [route] = 'routes' in answer ? answer.routes : [];
  return route ? minutes(route.duration) : null;
}
