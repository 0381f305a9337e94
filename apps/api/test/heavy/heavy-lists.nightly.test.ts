import { writeFile } from 'node:fs/promises';
import { sumOf } from '@nearhand/contract/arithmetic';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/platform/db.ts';
import { expireAnsweredRequests } from '../../src/talk/notifications/notifications.ts';
import { type ContractOperation, workingHeaders } from '../contract-operations.ts';
import { type Person, useTestApp } from '../harness.ts';
import { type HeavyWorld, makeHeavyWorld } from './heavy-world.ts';
import { askedFor, reads } from './list-calls.ts';
import { hearPlans, type Reading, reportPlans } from './pages-of-calls.ts';

/** Lists stay cheap with tens of thousands of rows (ADR 143). `HEAVY_REPORT` names a file for a table of reads. */
const app = useTestApp();
const copies = 6_000;
/** Loading takes about a minute of CPU time, much longer on a busy machine. */
const patienceMs = 45 * 60_000;
/** Pages of 8 KB, for all statements of a call. */
const max = 2_000;

/** Lists that may read up to this many pages, and why. An exception that is not needed fails. */
const exceptions: Record<string, { upTo: number; why: string }> = {
  'applicants.ofWorker': {
    upTo: 3_500,
    why: '100 applications with all that belongs to them, 25 pages each',
  },
  'branches.list': { upTo: 2_200, why: 'counts the 6,000 open jobs of its branches' },
  'budgets.list': {
    upTo: 6_200,
    why: 'adds up the 48,000 holds of a month, and of a week in which all of them lie',
  },
  'businesses.closing': {
    upTo: 7_200,
    why: 'adds up what is held and on its way, 36,000 holds, and the 6,000 of the 100 jobs that it names',
  },
  'cases.counts': { upTo: 39_000, why: 'all 36,000 open cases of the platform; no person has them' },
  'cases.figures': { upTo: 39_000, why: 'the deadlines of all 36,000 open cases; no person has them' },
  'cases.list': {
    upTo: 67_000,
    why: 'all 36,000 open cases of the platform, sorted by deadline over every kind; by language their tickets too',
  },
  'conversations.list': {
    upTo: 145_000,
    why: 'a search without a match reads 50,000 messages (ADR 94), and names and titles of 84,000 conversations',
  },
  'dashboard.figures': {
    upTo: 60_000,
    why: 'adds up the spend of six months and the fill times of twelve on request',
  },
  'nearby.count': {
    upTo: 25_500,
    why: 'hours and length are no index: without a match all 200,000 postings in the radius',
  },
  'nearby.search': { upTo: 51_000, why: 'the same, and once more without the words that nothing matches' },
  'pools.invitees': {
    upTo: 105_000,
    why: 'a whole pool at once: 16 pages for each of 6,000 workers, of whom a pool has at most 200',
  },
  'pools.workers': { upTo: 2_200, why: '100 workers with all that their row shows, 21 pages each' },
  'rebook.candidates': {
    upTo: 3_600,
    why: 'the latest paid work, 120 known people, and all that the rows of 100 show, 20 pages each',
  },
  'reliability.ofBusiness': { upTo: 2_600, why: 'counts 42,000 open jobs, and times 200 approvals' },
  'sellerReports.mine': {
    upTo: 140_000,
    why: 'adds up 12,000 payments, with the work and the reversal of each',
  },
  'statements.year': { upTo: 23_000, why: 'adds up every entry of a year' },
  'wallet.get': { upTo: 4_400, why: 'adds up what is held and released now: 36,000 holds' },
  'workerInvoices.forBusiness': { upTo: 2_300, why: 'adds up the 12,000 invoices of a month' },
};
/** Operations on records that the fixture has no id for, and on outside services. */
const notCalled = [
  'cases.chat',
  'cases.decided',
  'cases.get',
  'cases.preview',
  'cases.viewers',
  'chargebacks.evidence',
  'operators.session',
  'payoutReviews.formerBanks',
  'payouts.quote',
  'places.addresses',
  'places.travel',
  'publicPages.job',
  'referrals.invitation',
  'secondApprovals.goodwill',
  'staffSearch.get',
  'team.opened',
];
/** Copies have the same key: counters by business, and a template by name. */
const withoutCopies = ['invoice_series', 'job_templates', 'kiosks', 'pay_receipt_counters'];

let world: HeavyWorld;
let server: { db: Db; inject: typeof app.raw };
let heard: () => Reading[];

beforeAll(async () => {
  world = await makeHeavyWorld(app, copies);
  const twoDaysOn = addMs(app.clock.now(), 2 * dayMs);
  await expireAnsweredRequests({ db: app.db, clock: { now: () => twoDaysOn } });
  await world.superuser.query('vacuum analyze notifications');
  await reportPlans(world.superuser, world.database);
  const second = await app.another();
  heard = hearPlans(second.pool);
  server = { db: second.db, inject: (request) => second.server.inject(request) };
}, patienceMs);
afterAll(() => world?.superuser.end());

type Call = { name: string; who: string; asked: string; status: number; pages: number; worst: string };
const sum = (readings: readonly Reading[]) => sumOf(readings, (reading) => reading.pages);
const readsTooMuch = ({ name, pages }: Pick<Call, 'name' | 'pages'>) =>
  pages > (exceptions[name]?.upTo ?? max);

const reportOf = (calls: readonly Call[]) =>
  calls
    .toSorted((a, b) => b.pages - a.pages)
    .map(({ name, who, asked, pages }) => `| ${name} | ${who} | ${asked} | ${pages} |\n`)
    .join('');

async function call(
  [who, person]: readonly [string, Person],
  { name, method, path }: ContractOperation,
  asked: Record<string, string>,
): Promise<Call & { next: string | null }> {
  const others: Record<string, Record<string, string>> = {
    'jobs.series': { jobId: world.series.id },
    'statements.businessLine': { entryId: world.businessEntryId },
    'staffSearch.timeline': { kind: 'person', id: world.worker.accountId },
  };
  const ids: Record<string, unknown> = { ...world.ids, ...others[name] };
  const url = path.replace(/\{(\w+)\}/g, (_, key: string) => String(ids[key]));
  const authorization = `Bearer ${await world.tokenOf(person)}`;
  heard();
  const response = await server.inject({
    method: method as 'GET',
    url: `/api${url}?${new URLSearchParams(asked)}`,
    headers: { authorization, ...(who === 'operator' ? workingHeaders : {}) },
  });
  const readings = heard();
  const { pages: worstPages, text } = readings.toSorted((a, b) => b.pages - a.pages)[0] ?? {
    pages: 0,
    text: '',
  };
  return {
    name,
    who,
    asked: JSON.stringify(asked),
    status: response.statusCode,
    pages: sum(readings),
    worst: `${worstPages} by ${text.trim().replace(/\s+/g, ' ').slice(0, 160)}`,
    next: response.statusCode === 200 ? (response.json()?.nextCursor ?? null) : null,
  };
}

describe('with tens of thousands of conversations, notices, applications and postings', () => {
  it('fill the lists of the business and the worker', async () => {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*) from conversations where business_id = ${world.ids.businessId}) as of_business,
        (select count(*) from conversations where worker_id = ${world.worker.accountId}) as of_worker,
        (select count(*) from applications where business_id = ${world.ids.businessId}) as applications,
        (select count(*) from applications where job_id = ${world.ids.jobId}) as of_one_job,
        (select count(*) from notifications where account_id in (${world.worker.accountId}, ${world.owner.accountId})) as notices,
        (select count(*) from ledger_postings) as postings`.execute(app.db);
    const [counted] = rows;
    expect(counted?.ofBusiness).toBeGreaterThan(60_000);
    expect(counted?.ofWorker).toBeGreaterThan(30_000);
    expect(counted?.applications).toBeGreaterThan(50_000);
    expect(counted?.ofOneJob).toBeGreaterThan(6_000);
    expect(counted?.notices).toBeGreaterThan(100_000);
    expect(counted?.postings).toBeGreaterThan(200_000);
  });

  it('include thousands of every copied record', async () => {
    const small: string[] = [];
    for (const table of world.copied) {
      const { rows } = await world.superuser.query(`select count(*)::int as count from "${table}"`);
      if (rows[0].count < copies) small.push(table);
    }
    expect(small).toEqual(withoutCopies);
  });

  it(
    'reads at most 2,000 pages in every call, with any filter',
    async () => {
      const calls: Call[] = [];
      const called = reads.filter(({ name }) => !notCalled.includes(name));
      for (const entry of called) {
        const { access } = entry.meta;
        const owner = ['owner', world.owner] as const;
        const worker = ['worker', world.worker] as const;
        // Whom they may be offered is read by branch for them, and by business for others (ADR 166).
        const branchRecruiter = ['branch recruiter', world.branchRecruiter] as const;
        const members = entry.name === 'rebook.candidates' ? [owner, branchRecruiter] : [owner];
        const users = access.startsWith('member') ? members : [owner, worker];
        const callers = access === 'operator' ? [['operator', world.operator] as const] : users;
        for (const who of callers)
          for (const input of askedFor(entry, world.ids)) {
            const first = await call(who, entry, input);
            calls.push(first);
            if (first.next) calls.push(await call(who, entry, { ...input, cursor: first.next }));
          }
      }
      if (process.env.HEAVY_REPORT) await writeFile(process.env.HEAVY_REPORT, reportOf(calls));
      const answered = new Set(calls.filter(({ status }) => status === 200).map(({ name }) => name));
      expect(called.map(({ name }) => name).filter((name) => !answered.has(name))).toEqual([]);
      expect(calls.filter(readsTooMuch)).toEqual([]);
      const needed = new Set(calls.filter(({ pages }) => pages > max / 2).map(({ name }) => name));
      expect(Object.keys(exceptions).filter((name) => !needed.has(name))).toEqual([]);
    },
    patienceMs,
  );

  it('detects one that reads more', async () => {
    heard();
    await sql`select count(*) from notifications where data::text like '%nobody%'`.execute(server.db);
    expect(readsTooMuch({ name: 'control', pages: sum(heard()) })).toBe(true);
  });
});
