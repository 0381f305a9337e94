import { radiusInForce } from '@nearhand/api/src/hiring/nearby/nearby.ts';
import { circleAround } from '@nearhand/api/src/hiring/nearby/search-area.ts';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { metresOfChord } from '@nearhand/contract/people/great-circle';
import type pg from 'pg';
import { type Row, shownColumns, shownOf, unpaidOf } from './cards.ts';

const take = 21;
const nearest = `select ${shownColumns}, job.pos <-> $1::cube as chord
  from jobs job join businesses business on business.id = job.business_id where job.status = 'open'
  order by job.pos <-> $1::cube, job.id limit ${take}`;

export async function searchByHand(pool: pg.Pool, query: URLSearchParams): Promise<unknown> {
  const from = { lat: Number(query.get('lat')), lng: Number(query.get('lng')) };
  const { pos } = circleAround(from, nearbyLimits.radiusMaxKm);
  const result = await pool.query<Row>({ name: 'nearest', text: nearest, values: [`(${pos.join(',')})`] });
  const within = (km: number) => {
    const { chord } = circleAround(from, km);
    return result.rows.filter((row) => row.chord <= chord);
  };
  const requestedKm = nearbyLimits.radiusDefaultKm;
  let radiusKm: number = requestedKm;
  let rows = within(radiusKm);
  if (rows.length < nearbyLimits.widenBelowResults) {
    const distances = within(nearbyLimits.radiusMaxKm).map((row) => metresOfChord(row.chord));
    radiusKm = radiusInForce(requestedKm, distances);
    rows = within(radiusKm);
  }
  const items = rows.slice(0, take - 1);
  const first = items[0];
  const last = items.at(-1);
  return {
    items: items.map((row) => shownOf(row, from, items[0] as Row)),
    nextCursor:
      rows.length >= take && last
        ? Buffer.from(JSON.stringify(['distance', radiusKm, last.chord, last.id])).toString('base64url')
        : null,
    common: first
      ? {
          currency: first.currency,
          timeZone: first.time_zone,
          unit: first.pay_unit,
          unpaidMinutes: unpaidOf(first),
        }
      : null,
    radiusKm,
    widened: radiusKm > requestedKm,
    respelled: [],
  };
}
