import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeApplication } from '@nearhand/api/src/hiring/applications/applications.fixtures.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { setLimit } from '@nearhand/api/src/money/credit-limits/credit-limits.ts';
import { makeBank, payWorker } from '@nearhand/api/src/money/payouts/payouts.fixtures.ts';
import { compareBooks } from '@nearhand/api/src/money/provider/books.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { type Step, steps } from '@nearhand/api/src/platform/crash-points.ts';
import type { StripeDouble } from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { type Prepared, prepareWork, type Session, type Work } from './money/prepared-work.ts';
import { addFault, type Faults, newFaults, signalFaults } from './money/release-faults.ts';
import { call, mayAskAgain, tokenOf } from './money/release-stream.ts';
import { type ServerProcess, serverProcess } from './money/server-process.ts';
import { openServices, type Services, secret, withProvider } from './money/services.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';

type Flow = {
  path: string;
  by: Session;
  body: unknown;
  /** `done`, `refunded`, or the fault in words. */
  outcome: () => Promise<string>;
};

const flows = {
  'offer-by-card': ['fund/created', 'fund/charged', 'fund/posted', 'fund/sent'],
  'offer-from-balance': ['fund/created', 'fund/posted'],
  'offer-on-credit': ['fund/drawn', 'fund/posted'],
  'top-up': ['fund/created', 'fund/charged', 'fund/posted'],
  approve: ['release/posted', 'release/recorded'],
  withdraw: ['withdraw/requested', 'withdraw/processing', 'withdraw/sent', 'withdraw/posted'],
} as const satisfies Record<string, readonly Step[]>;
type FlowName = keyof typeof flows;
type ExitCase = readonly [flow: FlowName, at: Step];

const exitCases: readonly ExitCase[] = Object.entries(flows).flatMap(([flow, labels]) =>
  labels.map((label) => [flow as FlowName, label] as const),
);

export type ExitOptions = {
  cases: readonly ExitCase[];
  port?: number;
  forgetKeys?: boolean;
  double?: StripeDouble;
};

/**
 * `npm run experiments -- exit-at [--at LABEL] [--provider stripe] [--break forget-keys]`
 * A server exits at a labelled step of a money flow and restarts; each flow must complete or be refunded once.
 */
export async function exitAt(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { port: text, at: text, provider: text, break: text },
  });
  const cases = exitCases.filter(([, label]) => values.at === undefined || label === values.at);
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const forgetKeys = values.break === 'forget-keys';
    const port = values.port ? { port: Number(values.port) } : {};
    const faults = await withProvider(values.provider, (double) =>
      exitAtOn(url, { cases, forgetKeys, ...port, double }, say),
    );
    const tried: readonly Step[] = exitCases.map(([, label]) => label);
    for (const step of steps) if (!tried.includes(step)) addFault(faults, 'step never tried', step);
    right = faults.size > 0 === (values.break !== undefined);
  });
  say(
    `exit-at: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function exitAtOn(
  url: string,
  options: ExitOptions,
  say: (line: string) => void,
): Promise<Faults> {
  const { double } = options;
  const services = openServices(url, { double });
  const { port } = options;
  const server = await serverProcess({ databaseUrl: url, port, settings: services.settings });
  /** Time for the server, in which banks answer too. */
  const pass = async (seconds: number) => {
    for (const payout of double?.all('payout') ?? [])
      if (payout.status === 'pending' || payout.status === 'in_transit')
        double?.movePayout(payout.id, 'paid');
    await letPass(server, seconds);
  };
  const faults = newFaults();
  const outcomes = new Map<string, number>();
  const started = performance.now();
  try {
    const stage = {
      services,
      prepared: await prepareWork(services, { count: 4, workers: 4, step: 'submitted' }),
    };
    for (const [index, [name, label]] of options.cases.entries()) {
      const what = `${name} ended at ${label}`;
      const flow = await makeFlow(stage, name, index);
      const outcome = await endAt({ server, pass }, flow, label, async () => {
        if (!options.forgetKeys) return;
        await services.pool.query(
          "update sandbox_keys set key = key || '/forgotten' where key !~ '/forgotten$'",
        );
        await services.pool.query(
          "delete from stripe_calls where key in (select id::text from charges where status = 'created')",
        );
        double?.forgetKeys();
      });
      // The provider remembers keys again before the books are compared.
      await services.pool.query(
        `delete from sandbox_keys old using sandbox_keys new where old.key = new.key || '/forgotten'`,
      );
      await services.pool.query("update sandbox_keys set key = left(key, -10) where key ~ '/forgotten$'");
      const came = outcome ?? (await flow.outcome());
      outcomes.set(came, (outcomes.get(came) ?? 0) + 1);
      if (came !== 'done' && came !== 'refunded') addFault(faults, what, came);
      // A finding is reported for the first case that leads to it.
      for (const finding of await compareBooks(services.db, services))
        if (![...faults.values()].some(({ first }) => first === finding))
          addFault(faults, `${what}: books`, finding);
    }
    const seconds = (performance.now() - started) / 1_000;
    const came = [...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(', ');
    say(
      `exit-at: ${options.cases.length} ends at ${new Set(options.cases.map(([, label]) => label)).size} labels, in ${seconds.toFixed(0)} s: ${came}; ${faults.size} kinds of fault`,
    );
    for (const line of signalFaults(faults)) say(line);
    return faults;
  } finally {
    await server.kill();
    await services.close();
  }
}

/** Seconds: tasks in progress, reconciliation (every ten minutes), a checkout (fifteen). */
const moments = [40, 130, 660, 720, 1_500];

/**
 * Starts a flow on a server that exits at a step, then restarts it.
 * @returns the fault, or null
 */
async function endAt(
  { server, pass }: { server: ServerProcess; pass: (seconds: number) => Promise<void> },
  flow: Flow,
  label: Step,
  between: () => Promise<void>,
): Promise<string | null> {
  const key = crypto.randomUUID();
  const token = tokenOf(flow.by);
  const ask = async () => call(`${server.url}${flow.path}`, { token: await token(), key, body: flow.body });
  await server.start({ EXIT_AT: label });
  const first = server.isRunning() ? await ask() : null;
  for (const ahead of [0, ...moments]) {
    for (let waited = 0; waited < 1_000 && server.isRunning(); waited += 50) await wait(50);
    if (server.isRunning() && ahead > 0) await pass(ahead);
  }
  if (server.isRunning()) {
    await server.kill();
    return 'the step was never reached';
  }
  const code = await server.ended();
  if (code !== 137) return `ended by itself with ${code}: ${server.said()}`;
  await between();
  await server.start();
  let answer = await ask();
  for (let tries = 0; mayAskAgain(answer) && tries < 50; tries += 1) {
    await wait(100);
    answer = await ask();
  }
  for (const ahead of moments) await pass(ahead);
  await server.stop();
  if (answer.status >= 300 || answer.status === 0)
    return `refused when asked again: ${answer.status} ${answer.code}`;
  if (first && first.status > 0 && first.status < 300 && first.body !== answer.body && !answer.replayed)
    return 'what was answered before the end was done again';
  return null;
}

/** The server may exit in the meantime, which is intended. */
async function letPass(server: ServerProcess, aheadSeconds: number): Promise<void> {
  await fetch(`${server.url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ aheadSeconds }),
  }).then(
    (answer) => answer.body?.cancel(),
    () => {},
  );
  // Due work may have caused webhooks, which the runner handles.
  await wait(150);
}

type Stage = { services: Services; prepared: Prepared };

async function makeFlow(stage: Stage, name: FlowName, index: number): Promise<Flow> {
  if (name === 'offer-by-card' || name === 'offer-from-balance')
    return offerFlow(stage, name === 'offer-by-card');
  if (name === 'offer-on-credit') return offerFlow(await onCredit(stage), false);
  if (name === 'top-up') return topUpFlow(stage, 10_000 + index);
  if (name === 'approve') return approveFlow(stage, stage.prepared.works[index % 4] as Work);
  return withdrawFlow(stage);
}

/** A business with nothing but a credit limit. */
async function onCredit({ services, prepared }: Stage): Promise<Stage> {
  const { db } = services;
  const scope = services.scopeOf(prepared.owner.accountId);
  const { id: businessId } = await makeBusiness(db, scope, { funded: false });
  await db.transaction().execute((tx) =>
    setLimit(tx, scope, {
      id: crypto.randomUUID(),
      businessId,
      limitMinor: 10_000_000,
      currency: 'EUR',
      reason: 'They pay by invoice.',
      setBy: prepared.owner.accountId,
      approvedBy: null,
    }),
  );
  return { services, prepared: { ...prepared, businessId } };
}

async function offerFlow({ services, prepared }: Stage, byCard: boolean): Promise<Flow> {
  const { db, pool, clock } = services;
  const worker = await makeAccount(db, clock, secret, { name: 'Applicant' });
  const job = await makeJob(db, services.scopeOf(prepared.owner.accountId), prepared.businessId);
  const { id } = await makeApplication(db, services.scopeOf(worker.accountId), job.id);
  const cardId = await cardOf(services, prepared.businessId);
  return {
    path: `/api/applications/${id}/offers`,
    by: prepared.owner,
    body: { message: '', funding: byCard ? { from: 'card', cardId } : { from: 'balance' } },
    outcome: async () => {
      const { rows } = await pool.query<{
        offer: string;
        hold: string;
        held: number;
        due: number;
        landed: string;
      }>(
        `select offer.status as offer, hold.status as hold, hold.pay_minor + hold.fee_minor as due,
           (select coalesce(sum(amount), 0)::bigint from ledger_postings where account_id = 'hold:' || hold.id || ':EUR') as held,
           (select string_agg(status || ' to ' || coalesce(landed, 'nothing'), ', ') from charges where subject_id = hold.id) as landed
         from offers offer join holds hold on hold.offer_id = offer.id where offer.application_id = $1`,
        [id],
      );
      const [row] = rows;
      if (rows.length !== 1 || !row) return `${rows.length} offers`;
      const charges = byCard ? ['succeeded to subject', 'succeeded to balance'] : [null, null];
      if (row.offer === 'sent' && row.hold === 'held' && row.held === row.due && row.landed === charges[0])
        return 'done';
      if (row.offer === 'expired' && row.hold === 'expired' && row.held === 0 && row.landed === charges[1])
        return 'refunded';
      return JSON.stringify(row);
    },
  };
}

async function topUpFlow({ services, prepared }: Stage, amountMinor: number): Promise<Flow> {
  const cardId = await cardOf(services, prepared.businessId);
  return {
    path: `/api/businesses/${prepared.businessId}/top-ups`,
    by: prepared.owner,
    body: { amountMinor, currency: 'EUR', cardId },
    outcome: async () => {
      // The amount identifies this case.
      const { rows } = await services.pool.query<{ status: string; entries: number }>(
        `select charge.status, (select count(*)::int from ledger_entries entry where entry.about = charge.id) as entries
         from charges charge where charge.amount_minor = $1 and charge.purpose = 'top_up'`,
        [amountMinor],
      );
      const [row] = rows;
      return rows.length === 1 && row?.status === 'succeeded' && row.entries === 1
        ? 'done'
        : JSON.stringify(rows);
    },
  };
}

async function approveFlow({ services, prepared }: Stage, work: Work): Promise<Flow> {
  return {
    path: `/api/engagements/${work.engagementId}/approve`,
    by: prepared.owner,
    body: { version: work.version },
    outcome: async () => {
      const { rows } = await services.pool.query<{
        status: string;
        hold: string;
        entries: number;
        gets: number;
      }>(
        `select engagement.status, hold.status as hold, count(entry.id)::int as entries,
           (select sum(balance)::bigint from ledger_accounts where id ^@ 'worker_' and split_part(id, ':', 2) = engagement.worker_id::text) as gets
         from engagements engagement join holds hold on hold.engagement_id = engagement.id
         left join releases release on release.engagement_id = engagement.id left join ledger_entries entry on entry.about = release.id and entry.kind = 'release'
         where engagement.id = $1 group by engagement.id, hold.id`,
        [work.engagementId],
      );
      const [row] = rows;
      const isPaidOnce = row?.status === 'completed' && row.hold === 'released' && row.entries === 1;
      return isPaidOnce && row.gets === work.getsMinor ? 'done' : JSON.stringify(row);
    },
  };
}

async function withdrawFlow({ services }: Stage): Promise<Flow> {
  const { db, pool, clock } = services;
  const worker = await makeAccount(db, clock, secret, { name: 'Withdrawer' });
  const scope = services.scopeOf(worker.accountId);
  const { id: methodId } = await makeBank(db, scope);
  await payWorker(db, scope, worker.accountId, 10_000, { atOnce: true });
  return {
    path: '/api/withdrawals',
    by: worker,
    body: { methodId, amountMinor: 3_000, speed: 'instant' },
    outcome: async () => {
      const { rows } = await pool.query<{ status: string; has: number; kept: number }>(
        `select withdrawal.status, (select balance from ledger_accounts where id = 'worker_available:' || $1::text || ':EUR') as has,
           (select balance from ledger_accounts where id = 'worker_reserved:' || $1::text || ':EUR') as kept
         from withdrawals withdrawal where account_id = $1::uuid`,
        [worker.accountId],
      );
      const [row] = rows;
      if (rows.length !== 1 || !row || row.kept !== 0) return JSON.stringify(rows);
      if (row.status === 'paid' && row.has === 7_000) return 'done';
      return row.status === 'failed' && row.has === 10_000 ? 'refunded' : JSON.stringify(rows);
    },
  };
}

async function cardOf({ pool }: Services, businessId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from cards where business_id = $1 and is_default and removed_at is null',
    [businessId],
  );
  return rows[0]?.id ?? '';
}
