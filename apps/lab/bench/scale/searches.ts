import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { nearbyJobs } from '@nearhand/api/src/hiring/nearby/nearby.service.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import type { Actor, Scope } from '@nearhand/api/src/platform/http/scope.ts';
import { nearbyInput } from '@nearhand/contract/hiring/nearby';
import pg from 'pg';
import { startBenchServer } from '../database.ts';
import { makeProbes } from '../probes.ts';

/**
 * `node apps/lab/bench/scale/searches.ts [--jobs 1000000] [--places 200] [--port 22100] [--url URL [--closing task]] [--only "a kind"]`: what one search costs
 * the database, by kind: processor time of its connection, which other work on the machine disturbs less than waiting times, pages of 8 KB, and the time
 * until it has answered (docs/benchmarks.md). `--url` names a loaded database on this machine instead of the benchmark's own. `--closing` first closes all
 * open jobs of a kind in it, for good, so that nobody finds what is searched for: use a copy. `--only` measures the searches whose name contains this.
 */
const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000000' },
    places: { type: 'string', default: '200' },
    port: { type: 'string', default: '22100' },
    url: { type: 'string' },
    closing: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

const inTurn = (words: readonly string[]) => (index: number) => ({ q: words[index % words.length] });
const kinds: Record<string, (index: number) => Record<string, string | undefined>> = {
  'no words': () => ({}),
  'one word': inTurn(['barista', 'waiter', 'guard', 'cook', 'packer', 'nurse']),
  'two words': inTurn(['old town barista', 'night guard', 'kitchen porter', 'cook old']),
  'a rare word': () => ({ q: 'falconer' }),
  'two letters': inTurn(['ba', 'wa', 'co', 'pa']),
  newest: () => ({ sort: 'newest' }),
  'by pay': () => ({ sort: 'pay' }),
  'one word, newest': (index) => ({
    ...inTurn(['barista', 'waiter', 'guard', 'cook'])(index),
    sort: 'newest',
  }),
  'a kind': () => ({ kind: 'task' }),
  'a kind, newest': () => ({ kind: 'task', sort: 'newest' }),
  'a kind and category': () => ({ kind: 'task', category: 'technology' }),
  'rare pay': () => ({ minPay: '9000' }),
  'rare pay, newest': () => ({ minPay: '9000', sort: 'newest' }),
};

const own = values.url
  ? null
  : await startBenchServer(
      path.resolve(import.meta.dirname, '../../../../data/bench/postgres'),
      (line) => console.log(line),
      Number(values.port),
    );
try {
  await measure(values.url ?? (await own?.databaseOf(Number(values.jobs))) ?? '');
} finally {
  await own?.stop();
}

async function measure(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  if (values.closing !== undefined && values.url !== undefined) {
    await client.query(`update jobs set status = 'closed' where status = 'open' and kind = $1`, [
      values.closing,
    ]);
    await client.query('vacuum analyze jobs');
  }
  const places = await makeProbes(client, Number(values.places));
  await client.end();
  const { db, pool, close } = openPool(url, 1, () => {});
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [backend] = rows;
  const cpuMs = () => Number(readFileSync(`/proc/${backend?.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  const pagesRead = async () => {
    await pool.query('select pg_stat_force_next_flush()');
    const counted = await pool.query<{ pages: string }>(
      'select sum(hits + reads) as pages from pg_stat_get_backend_io(pg_backend_pid())',
    );
    return Number(counted.rows[0]?.pages);
  };
  // A guest: nothing else of the scope is read.
  const guest = { actor: null } as Scope<Actor | null>;
  console.log(
    '| search | found on the first page | CPU p50, ms | p90 | p99 | pages p50 | p99 | answered p50, ms | p99 |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|');
  const asked = Object.entries(kinds).filter(([name]) => name.includes(values.only));
  for (const [name, inputOf] of asked) {
    const cpu: number[] = [];
    const pages: number[] = [];
    const answered: number[] = [];
    let found = 0;
    for (let round = 0; round < 2; round += 1)
      for (const [index, { lat, lng }] of places.entries()) {
        const input = nearbyInput.parse({ lat: String(lat), lng: String(lng), ...inputOf(index) });
        const countingPages = round === 0 ? 0 : -(await pagesRead()) + (await pagesRead());
        const pagesBefore = round === 0 ? 0 : await pagesRead();
        const [cpuBefore, before] = [cpuMs(), performance.now()];
        const page = await nearbyJobs(db, guest, input);
        // The first round reads from disk and plans.
        if (round === 0) continue;
        answered.push(performance.now() - before);
        cpu.push(cpuMs() - cpuBefore);
        pages.push((await pagesRead()) - pagesBefore - countingPages);
        found += page.items.length;
      }
    const cells = [
      (found / places.length).toFixed(1),
      ...[0.5, 0.9, 0.99].map((share) => at(cpu, share)),
      ...[0.5, 0.99].map((share) => at(pages, share, 0)),
      at(answered, 0.5),
      at(answered, 0.99),
    ];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  await close();
}

function at(all: readonly number[], share: number, digits = 1): string {
  return (all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? Number.NaN).toFixed(digits);
}
