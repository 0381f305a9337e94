import { tasks } from '@nearhand/api/src/app.ts';
import { isSandbox } from '@nearhand/api/src/money/sandbox/sandbox.ts';
import { useTestApp } from '@nearhand/api/test/harness.ts';
import {
  type StripeDouble,
  startStripeDouble,
  stripeSettings,
} from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { createTestStripe } from '@nearhand/api/test/stripe-double/test-stripe.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { sandboxBank, stripeBank } from '../experiments/webhooks/banks.ts';
import { findsACent, runWebhooks } from '../experiments/webhooks/webhooks-run.ts';

const settings = { WITHDRAWALS_PER_DAY: '100', PAYOUT_METHOD_HOLD_DAYS: '0' };

describe.each(['the sandbox', 'stripe'])(
  'random movements of money with unreliable webhooks of %s',
  { timeout: 240_000 },
  (name) => {
    let double: StripeDouble | undefined;
    const app = useTestApp(async () => {
      if (name !== 'stripe') return settings;
      double = await startStripeDouble({ now: () => app.clock.now() });
      return { ...settings, ...stripeSettings(double) };
    });
    afterAll(() => double?.close());

    it("end in the provider's state once reconciliation has run, and not before", async () => {
      const { clock } = app;
      const { log } = app.scopeOf({ accountId: 'nobody' });
      const provider = double
        ? createTestStripe(double, { db: app.db, clock, log, config: app.config })
        : app.provider;
      const stage = {
        db: app.db,
        pool: app.pool,
        secret: app.secret,
        provider,
        bank: isSandbox(provider)
          ? sandboxBank(provider, app.secret)
          : stripeBank(double as StripeDouble, clock),
        tasks,
        scopeOf: (accountId: string) => ({ ...app.scopeOf({ accountId }), provider }),
        clock: { now: clock.now, forward: (ms: number) => clock.forward({ seconds: ms / 1_000 }) },
        taskScope: {
          ...app.scopeOf({ accountId: 'nobody' }),
          provider,
          db: app.db,
          mailer: { send: async () => {} },
        },
        post: async (headers: Record<string, string>, payload: string) =>
          (await app.raw({ method: 'POST', url: '/api/webhooks/payments', headers, payload })).statusCode,
      };
      const result = await runWebhooks(stage, { actions: 80, seed: 4, businesses: 2, workers: 2 });
      expect(result.after).toEqual([]);
      expect(result.before).not.toEqual([]);
      expect(result.traffic.lost).toBeGreaterThan(0);
      expect(result.traffic.forged + result.traffic.stale).toBeGreaterThan(0);
      expect(await findsACent(stage)).toBe(true);
    });
  },
);
