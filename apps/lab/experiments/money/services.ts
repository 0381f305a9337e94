import '@nearhand/api/src/register-hooks.ts';
import { createSandbox, providerAt } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { type Clock, createMovableClock, systemClock } from '@nearhand/api/src/platform/clock.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import { openPool } from '@nearhand/api/src/platform/db.ts';
import type { Scope } from '@nearhand/api/src/platform/http/scope.ts';
import { createLog } from '@nearhand/api/src/platform/log.ts';
import type { PaymentProvider } from '@nearhand/api/src/platform/payment-provider.ts';
import { createSign } from '@nearhand/api/src/platform/sign.ts';
import {
  type StripeDouble,
  startStripeDouble,
  stripeSettings,
} from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { createTestStripe } from '@nearhand/api/test/stripe-double/test-stripe.ts';

export const secret = 'the secret of the experiments, thirty-two and more';

/** Settings of the services here and of a server process; no limit gets in the way. */
export const environment = {
  NODE_ENV: 'test',
  SECRET: secret,
  DEMO: 'false',
  READS_PER_MINUTE: '1000000',
  WRITES_PER_MINUTE: '1000000',
  CALLS_AT_ONCE: '10000',
  APPLICATIONS_PER_DAY: '10000',
  TOP_UP_DAY_VERIFIED_MINOR: '1000000000',
  WITHDRAWALS_PER_DAY: '100',
  PAYOUT_METHOD_HOLD_DAYS: '0',
  // A killed server's tasks are soon taken over.
  TASK_LEASE_SECONDS: '1',
} as const;

/** Runs with the provider of that name: the sandbox, or Stripe's stand-in. */
export async function withProvider<Result>(
  name: string | undefined,
  work: (double: StripeDouble | undefined) => Promise<Result>,
): Promise<Result> {
  if (name !== 'stripe') return work(undefined);
  const double = await startStripeDouble({ now: systemClock.now });
  try {
    return await work(double);
  } finally {
    await double.close();
  }
}

export type Services = ReturnType<typeof openServices>;

/** @param options.double the stand-in for Stripe, which replaces the sandbox */
export function openServices(
  url: string,
  { connections = 8, double }: { connections?: number; double?: StripeDouble } = {},
) {
  const settings: Record<string, string> = double ? stripeSettings(double) : {};
  const config = readConfig({ ...environment, ...settings });
  const database = openPool(url, connections, () => {});
  database.pool.options.connectionTimeoutMillis = 60_000;
  // Tens of thousands of rows are prepared in one statement, and a whole ledger is read in another.
  database.pool.options.statement_timeout = 0;
  const { db, pool } = database;
  const log = createLog({ LOG_LEVEL: 'silent' });
  const sign = createSign(secret);
  const clock = createMovableClock();
  // Webhooks are left to the server's own runner.
  double?.follow(clock);
  const sandbox = createSandbox({ db, clock, secret, config, log, send: async () => 200 });
  const provider: PaymentProvider = double ? createTestStripe(double, { db, clock, log, config }) : sandbox;
  const fileStore = null as never;
  const mailer = { send: async () => {} };
  return {
    db,
    pool,
    config,
    /** The settings of a server process that uses the same provider. */
    settings,
    log,
    sign,
    clock,
    provider,
    mailer,
    fileStore,
    close: database.close,
    taskScope: { db, clock, config, log, mailer, fileStore, provider, sign },
    /** `at` moves the clock of this scope. */
    scopeOf: (accountId: string, at: Clock = clock): Scope => ({
      actor: { accountId, sessionId: accountId, emailVerified: true },
      clock: at,
      config,
      fileStore,
      log,
      sign,
      provider: at === clock ? provider : providerAt(provider, { clock: at }),
      requestId: 'experiment',
    }),
  };
}
