import { radiusInForce } from '@nearhand/api/src/hiring/nearby/nearby.rules.ts';
import { circleAround } from '@nearhand/api/src/hiring/nearby/search-terms.service.ts';
import {
  doubtfulWords,
  respell,
  typedWords,
  wordQuery,
} from '@nearhand/api/src/hiring/nearby/search-words.rules.ts';
import { limits } from '@nearhand/contract/limits';
import { metresOfChord } from '@nearhand/contract/people/great-circle';
import type pg from 'pg';
import { type Row, shownColumns, shownOf, unpaidOf } from './cards.ts';

/** What the statements below read; the same result as a search of the contract for these parameters only. */
type Search = { lat: number; lng: number; category: string | null; minPay: number | null; sort: string };
type After = [value: string | number, id: string] | null;

const take = 21;
const cards = `select ${shownColumns}, job.pay_rank, job.pos <-> $1::cube as chord`;
const open = `from jobs job join businesses business on business.id = job.business_id where job.status = 'open'`;
const nearestFirst = `order by job.pos <-> $1::cube, job.id limit ${take}`;

/** A page of open jobs as our server answers it, by one statement for each radius that has to be looked at. */
export async function searchByHand(pool: pg.Pool, query: URLSearchParams): Promise<unknown> {
  const from = { lat: Number(query.get('lat')), lng: Number(query.get('lng')) };
  const minPay = query.get('minPay');
  const search: Search = {
    ...from,
    category: query.get('category'),
    minPay: minPay === null ? null : Number(minPay),
    sort: query.get('sort') ?? 'distance',
  };
  const words = await wordsByHand(pool, query.get('q'));
  const cursor = query.get('cursor');
  const [, kept, ...last] = cursor ? JSON.parse(Buffer.from(cursor, 'base64url').toString()) : [];
  const after: After = cursor ? last : null;
  const asked = limits.radiusDefaultKm;
  const within = (rows: Row[], km: number) => {
    const { chord } = circleAround(from, km);
    return rows.filter((row) => row.chord <= chord);
  };

  let radiusKm: number = kept ?? asked;
  let rows: Row[];
  // The nearest of everything show the radius in force too.
  const whole = words.query === null && search.sort === 'distance';
  const found = await find(pool, search, whole ? limits.radiusMaxKm : radiusKm, words.query, after);
  rows = within(found, radiusKm);
  if (!cursor && rows.length < limits.widenBelowResults) {
    const all = whole
      ? found
      : await find(pool, { ...search, sort: 'distance' }, limits.radiusMaxKm, words.query, null);
    const nearest = within(all, limits.radiusMaxKm);
    radiusKm = radiusInForce(
      asked,
      nearest.map((row) => metresOfChord(row.chord)),
    );
    rows =
      search.sort === 'distance'
        ? within(nearest, radiusKm)
        : await find(pool, search, radiusKm, words.query, null);
  }
  const items = rows.slice(0, take - 1);
  const first = items[0];
  const end = items.at(-1);
  const value = end && { distance: end.chord, newest: end.published_at, pay: end.pay_rank }[search.sort];
  return {
    items: items.map((row) => shownOf(row, from, items[0] as Row)),
    nextCursor:
      rows.length >= take && end
        ? Buffer.from(JSON.stringify([search.sort, radiusKm, value, end.id])).toString('base64url')
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
    widened: radiusKm > asked,
    respelled: words.respelled,
  };
}

/** The best statement for these filters; those whose plan depends on a value are planned each time. */
async function find(
  pool: pg.Pool,
  search: Search,
  km: number,
  words: string | null,
  after: After,
): Promise<Row[]> {
  const { pos, chord, squares } = circleAround(search, km);
  const point = `(${pos.join(',')})`;
  const run = async (text: string, values: unknown[], name?: string) =>
    (await pool.query<Row>({ text, values, ...(name ? { name } : {}) })).rows;
  if (search.sort !== 'distance') {
    const column = search.sort === 'newest' ? 'published_at' : 'pay_rank';
    const text = `${cards} ${open} and job.pos <@ cube_enlarge($1::cube, $2::float8 + 0.01, 3) and job.pos <-> $1::cube <= $2
      order by job.${column} desc, job.id desc limit ${take}`;
    return run(text, [point, chord], `by ${column}`);
  }
  if (words !== null) {
    const here = `(${squares.map((square) => `'@${square}'`).join(' | ')})`;
    const text = `${cards} ${open} and job.words @@ ($3::tsquery && to_tsquery('nearhand', $4)) and job.pos <-> $1::cube <= $2 ${nearestFirst}`;
    return run(text, [point, chord, here, words]);
  }
  if (search.minPay !== null)
    return run(`${cards} ${open} and job.pay_rank >= $2 ${nearestFirst}`, [point, search.minPay]);
  if (search.category !== null)
    return run(
      `${cards} ${open} and job.category = $2 ${nearestFirst}`,
      [point, search.category],
      'in a category',
    );
  if (after === null) return run(`${cards} ${open} ${nearestFirst}`, [point], 'nearest');
  const later = `and (job.pos <-> $1::cube, job.id) > ($2::float8, $3::uuid)`;
  return run(`${cards} ${open} ${later} ${nearestFirst}`, [point, ...after], 'later page');
}

/** Typed words by the rules of our search; misspelt ones are looked up in one statement. */
async function wordsByHand(pool: pg.Pool, typed: string | null) {
  if (typed === null) return { query: null, respelled: [] };
  const doubtful = doubtfulWords(typed);
  if (doubtful.length === 0) return { query: wordQuery(typed), respelled: [] };
  const { rows } = await pool.query({
    name: 'neighbours',
    text: `select typed, exists (select from search_words where word >= typed and word < typed || chr(1114111)) as begins,
      coalesce((select jsonb_agg(jsonb_build_object('word', word, 'jobs', jobs)) from search_words where near && near_spellings(typed)), '[]') as known
      from unnest($1::text[]) as typed`,
    values: [doubtful],
  });
  const last = typedWords(typed).at(-1)?.toLowerCase();
  const respelled = rows.flatMap(({ typed: word, begins, known }) =>
    word === last && begins && !known.some((one: { word: string }) => one.word === word)
      ? []
      : (respell(word, known) ?? []),
  );
  return { query: wordQuery(typed, respelled), respelled };
}
