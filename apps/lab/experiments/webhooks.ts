import { parseArgs } from 'node:util';
import { createApp, tasks } from '@nearhand/api/src/app.ts';
import { createSandbox } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { type StripeDouble, stripeSettings } from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { createTestStripe } from '@nearhand/api/test/stripe-double/test-stripe.ts';
import { withProvider } from './money/services.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';
import { sandboxBank, stripeBank } from './webhooks/banks.ts';
import { findsACent, runWebhooks, type WebhookStage } from './webhooks/webhooks-run.ts';

const secret = 'the secret of the experiments, thirty-two and more';

/**
 * `npm run experiments -- webhooks [--seeds 3] [--actions 400] [--seed N] [--provider stripe]`
 * Random money flows while webhooks are lost, repeated, shuffled and forged, and
 * tasks die; after reconciliation our books must equal the provider's. Controls:
 * the check finds differences before reconciliation, and a single misplaced cent.
 */
export async function webhooksExperiment(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { seeds: text, actions: text, seed: text, provider: text },
  });
  const seeds = Number(values.seeds ?? 3);
  const actions = Number(values.actions ?? 400);
  const first = Number(values.seed ?? 1);
  let right = true;
  for (let seed = first; seed < first + seeds; seed += 1)
    await onThrowAwayDatabase(async (url) => {
      const isRight = await withProvider(values.provider, (double) =>
        oneSeed(url, { seed, actions, double }, say),
      );
      right = isRight && right;
    });
  say(right ? 'webhooks: as it must be' : 'webhooks: NOT as it must be');
  return right;
}

async function oneSeed(
  url: string,
  { seed, actions, double }: { seed: number; actions: number; double: StripeDouble | undefined },
  say: (line: string) => void,
): Promise<boolean> {
  const started = performance.now();
  const config = readConfig({
    NODE_ENV: 'test',
    SECRET: secret,
    WITHDRAWALS_PER_DAY: '100',
    PAYOUT_METHOD_HOLD_DAYS: '0',
    READS_PER_MINUTE: '1000000',
    WRITES_PER_MINUTE: '1000000',
    ...(double ? stripeSettings(double) : {}),
  });
  const database = openPool(url, 8, () => {});
  const { db, pool } = database;
  let now = Date.parse('2026-11-21T09:00:00Z');
  const clock = {
    now: () => new Date(now),
    forward: (ms: number) => {
      now += ms;
    },
  };
  // Deliberate failures would be logged as errors.
  const log = createLog({ LOG_LEVEL: 'silent' });
  const mailer = { send: async () => {} };
  const fileStore = null as never;
  double?.follow(clock);
  const sandbox = createSandbox({ db, clock, secret, config, log, send: async () => 200 });
  const provider = double ? createTestStripe(double, { db, clock, log, config }) : sandbox;
  const bank = double ? stripeBank(double, clock) : sandboxBank(sandbox, secret);
  const server = await createApp({
    config,
    secret,
    log,
    db,
    clock,
    mailer,
    fileStore,
    provider,
    webFolder: null,
  });
  try {
    await server.ready();
    const base = { clock, config, fileStore, log, provider, sign: createSign(secret) };
    const stage: WebhookStage = {
      db,
      pool,
      clock,
      secret,
      provider,
      bank,
      tasks,
      taskScope: { ...base, db, mailer },
      scopeOf: (accountId) => ({
        ...base,
        actor: { accountId, sessionId: accountId, emailVerified: true },
        requestId: 'experiment',
      }),
      post: async (headers, payload) =>
        (await server.inject({ method: 'POST', url: '/api/webhooks/payments', headers, payload })).statusCode,
    };
    const result = await runWebhooks(stage, { actions, seed });
    const ends = await endStates(stage);
    const cent = await findsACent(stage);
    const { traffic, faults, killed, before, after } = result;
    const seconds = (performance.now() - started) / 1_000;
    say(`webhooks, seed ${seed}: ${countsText(result.done)}; ${seconds.toFixed(1)} s`);
    say(`  ended as: ${ends}`);
    say(
      `  ${traffic.events} webhooks, ${traffic.lost} lost, the rest delivered ${traffic.delivered} times; ${traffic.forged} forged and ${traffic.stale} stale, ` +
        `${traffic.wrong.length} answered wrongly; ${faults.before} calls lost, ${faults.after} answers lost, ${killed} tasks killed`,
    );
    say(
      `  differences: ${before.length} before reconciliation (control: must be some), ${after.length} after it; a cent too many ${cent ? 'is found' : 'is NOT found'}`,
    );
    for (const finding of after.slice(0, 10)) say(`  ${finding}`);
    return after.length === 0 && before.length > 0 && cent;
  } finally {
    await server.close();
    await database.close();
  }
}

async function endStates({ pool }: WebhookStage): Promise<string> {
  const { rows } = await pool.query<{ what: string; times: number }>(
    `select purpose || ' ' || status || coalesce(', chargeback ' || chargeback, '') || case when purpose <> 'top_up' and landed = 'balance' then ', to the balance' else '' end
        as what, count(*)::int as times from charges group by 1
     union all select 'refund ' || status, count(*)::int from card_refunds group by 1
     union all select 'withdrawal ' || status, count(*)::int from withdrawals group by 1
     order by 1`,
  );
  return rows.map(({ what, times }) => `${times} ${what}`).join('; ');
}

const countsText = (map: ReadonlyMap<string, number>) =>
  [...map]
    .sort((a, b) => b[1] - a[1])
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
