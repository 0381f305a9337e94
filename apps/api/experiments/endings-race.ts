import { parseArgs } from 'node:util';
import type pg from 'pg';
import { createApp } from '../src/app.ts';
import { makeAccount } from '../src/features/accounts/accounts.fixtures.ts';
import { makeBusiness } from '../src/features/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../src/features/engagements/engagements.fixtures.ts';
import { auditLedger } from '../src/features/ledger/ledger.service.ts';
import { createSandbox } from '../src/features/sandbox/sandbox.service.ts';
import { systemClock } from '../src/platform/clock.ts';
import { readConfig } from '../src/platform/config.ts';
import { type Db, openPool } from '../src/platform/db.ts';
import { createLog } from '../src/platform/log.ts';
import { createSign } from '../src/platform/sign.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';
import { withoutLocks } from './without-locks.ts';
import { withoutVersions } from './without-versions.ts';

const secret = 'the secret of the experiments, thirty-two and more';
const config = readConfig({
  NODE_ENV: 'test',
  SECRET: secret,
  READS_PER_MINUTE: '1000000',
  WRITES_PER_MINUTE: '1000000',
  CLEARING_DAYS: '0',
});
const sign = createSign(secret);
/** The price of each task, and a tenth. */
const [payMinor, feeMinor] = [12_000, 1_200];

/**
 * `npm run experiments -- endings [--engagements 1000]`: on each of 1,000 tasks the worker calls off, the business calls off, the worker delivers, the business approves
 * twice, and both open a dispute, at the same moment and each again until it is refused. Each ends in one way, pays for exactly that, gives the rest back, and the books
 * are whole. Then the same without row locks and without versions, where the check must fail.
 */
export async function endingsRace(say: (line: string) => void): Promise<boolean> {
  const options = { engagements: { type: 'string', default: '1000' } } as const;
  const { values } = parseArgs({ args: process.argv.slice(3), options });
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const database = openPool(url, 40, () => {});
    database.pool.options.connectionTimeoutMillis = 60_000;
    const { db, pool } = database;
    try {
      const real = await races(db, pool, Number(values.engagements), say);
      say(told('as it is', real));
      const control = await races(
        db.withPlugin(withoutLocks).withPlugin(withoutVersions),
        pool,
        40,
        () => {},
      );
      say(told('negative control, no locks and no versions', control));
      right =
        real.faulty.length === 0 &&
        real.deadlocks === 0 &&
        real.findings === 0 &&
        real.ends.size > 2 &&
        control.faulty.length > 0;
    } finally {
      await database.close();
    }
  });
  say(right ? 'endings: as it must be' : 'endings: NOT as it must be');
  return right;
}

type Result = Awaited<ReturnType<typeof races>>;
const told = (name: string, { count, faulty, ends, deadlocks, findings, seconds }: Result) =>
  `endings, ${name}: ${count} engagements (${[...ends].map(([end, times]) => `${end} ${times}`).join(', ')}), ${faulty.length} faulty, ${deadlocks} deadlocks, ` +
  `${findings} findings of the auditor, ${seconds.toFixed(1)} s${faulty[0] ? `; the first: ${faulty[0]}` : ''}`;

/** What an engagement came to. */
type End = {
  status: string;
  hold: string;
  left: number;
  paid: number;
  fees: number;
  back: number;
  amount: number;
  compensation: number | null;
  agreed: number;
  ends: number;
};

/** What must hold of each; empty when it does. The negative control shows that this can fail. */
function faultsOf(end: End): string[] {
  const compensation = end.compensation ?? 0;
  const whole = { paid: 0, fees: 0, back: 0, left: payMinor + feeMinor };
  const wanted: Record<string, Partial<End>> = {
    completed: { paid: end.amount, fees: Math.round(end.amount / 10), left: 0, agreed: end.amount, ends: 1 },
    cancelled_by_worker: { ...whole, left: 0, back: payMinor + feeMinor, agreed: 0, ends: 1 },
    cancelled_by_merchant: {
      ...{ paid: compensation, fees: 0, left: 0, agreed: compensation, ends: 1 },
      back: payMinor + feeMinor - compensation,
    },
    disputed: { ...whole, agreed: 0, ends: 0, hold: 'disputed' },
    delivered: { ...whole, agreed: 0, ends: 0, hold: 'held' },
  };
  const want = wanted[end.status];
  if (!want) return [`it is ${end.status}`];
  return Object.entries(want)
    .filter(([name, value]) => end[name as keyof End] !== value)
    .map(([name, value]) => `${end.status}: ${name} ${end[name as keyof End]} and not ${value}`);
}

async function endOf(pool: pg.Pool, engagementId: string): Promise<End> {
  const { rows } = await pool.query<End>(
    `with hold as (select * from holds where engagement_id = $1),
      mine as (select entry.id, entry.kind from ledger_entries entry
        where entry.about in (select id from hold) or entry.about in (select id from releases where engagement_id = $1)),
      money as (select posting.account_id, posting.amount, mine.kind from mine join ledger_postings posting on posting.entry_id = mine.id)
    select work.status, hold.status as hold, work.amount_minor::int as amount, work.compensation_minor::int as compensation,
      coalesce((select sum(amount) from money where account_id like 'hold:%'), 0)::int as left,
      coalesce((select sum(amount) from money where account_id like 'worker_%'), 0)::int as paid,
      coalesce((select sum(amount) from money where account_id like 'platform_fees%'), 0)::int as fees,
      coalesce((select sum(amount) from money where account_id like 'business_balance%' and kind = 'hold_returned'), 0)::int as back,
      coalesce((select sum(amount_minor) from releases where engagement_id = $1), 0)::int as agreed,
      (select count(*)::int from engagement_moves where engagement_id = $1 and action in ('complete', 'cancel')) as ends
    from engagements work join hold on true where work.id = $1`,
    [engagementId],
  );
  return rows[0] as End;
}

async function races(db: Db, pool: pg.Pool, count: number, say: (line: string) => void) {
  const clock = systemClock;
  const log = createLog({ LOG_LEVEL: 'silent' });
  const mailer = { send: async () => {} };
  // No file is stored in a race.
  const fileStore = null as never;
  const provider = createSandbox({ db, clock, secret, config, log });
  const server = await createApp({
    ...{ config, secret, log, db, clock, mailer, fileStore, provider },
    webFolder: null,
  });
  try {
    await server.ready();
    const scopeOf = (accountId: string) => ({
      actor: { accountId, sessionId: accountId, emailVerified: true },
      ...{ clock, config, fileStore, log, provider, sign },
      requestId: 'experiment',
    });
    const owner = await makeAccount(db, clock, secret);
    const business = await makeBusiness(db, scopeOf(owner.accountId));
    const faulty: string[] = [];
    const ends = new Map<string, number>();
    const started = performance.now();
    for (let done = 0; done < count; done += 1) {
      const worker = await makeAccount(db, clock, secret);
      const work = await makeEngagement(
        db,
        { worker: scopeOf(worker.accountId), recruiter: scopeOf(owner.accountId) },
        business.id,
        { kind: 'task', headCount: 1, payMinor },
      );
      const call = async (token: string, path: string, body: unknown) => {
        const response = await server.inject({
          method: body === undefined ? 'GET' : 'POST',
          url: `/api/engagements/${work.id}${path}`,
          headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
          ...(body === undefined ? {} : { payload: body as object }),
        });
        return { code: response.statusCode, body: response.json() as { version: number } };
      };
      /** Looks, acts on what was seen, and once more where somebody else was faster. */
      const insist = async (token: string, path: string, body: object, tries: number) => {
        for (let again = 0; again < tries; again += 1) {
          const { version } = (await call(token, '', undefined)).body;
          const { code } = await call(token, path, { ...body, version });
          if (code < 300) return;
        }
      };
      const acts = [
        () => insist(worker.token, '/delivery', { note: 'Done', fileIds: [] }, 1),
        () => insist(owner.token, '/approve', {}, 3),
        () => insist(owner.token, '/approve', {}, 3),
        () => insist(worker.token, '/dispute', { reason: 'No', amountMinor: payMinor }, 2),
        () => insist(owner.token, '/cancel', { reason: 'Closed' }, 1 + (done % 2)),
        () => insist(worker.token, '/cancel', { reason: 'Ill' }, 1),
        () => insist(owner.token, '/dispute', { reason: 'No', amountMinor: 5_000 }, 2),
      ];
      if (done % 2 === 0) await insist(worker.token, '/start', {}, 1);
      // On every third the work was delivered before.
      if (done % 3 === 0) await insist(worker.token, '/delivery', { note: 'Done', fileIds: [] }, 1);
      const order = acts.map((_, index) => acts[(index + done) % acts.length] as (typeof acts)[number]);
      await Promise.all(order.map((act) => act()));
      const end = await endOf(pool, work.id);
      ends.set(end.status, (ends.get(end.status) ?? 0) + 1);
      const faults = faultsOf(end);
      if (faults.length > 0) faulty.push(faults.join(', '));
      if ((done + 1) % 250 === 0) say(`endings: ${done + 1} so far`);
    }
    const seconds = (performance.now() - started) / 1_000;
    const { findings } = await auditLedger(db, { clock, sign });
    const { rows } = await pool.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    return {
      ...{ count, faulty, ends, seconds },
      findings: findings.length,
      deadlocks: Number(rows[0].deadlocks),
    };
  } finally {
    await server.close();
  }
}
