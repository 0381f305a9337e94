import { z } from 'zod';
import { currency } from '../money.ts';
import { id, instant, operation, pageInput, pageOf } from '../operation.ts';
import { dailyChecks } from './platform-health.rules.ts';

const count = z.number().int();

/** A day of the platform, in UTC. */
export const healthDay = z.object({
  day: z.iso.date(),
  signUps: count,
  disputes: count,
  /** Spots of the shifts that started on this day, and how many were filled. */
  spots: count,
  filled: count,
});
export type HealthDay = z.infer<typeof healthDay>;

/** Figures of the platform, without names. Amounts in minor units. */
export const platformHealthView = z.object({
  /** The last `healthLimits.days` days, oldest first; today is incomplete. */
  days: z.array(healthDay),
  disputesOpen: count,
  payoutsWaiting: z.array(z.object({ currency, count, amountMinor: z.number().int(), oldestAt: instant })),
  /** The last run of each daily check of the books and of the log; one that never ran is missing. */
  audits: z.array(
    z.object({
      name: z.enum(dailyChecks),
      at: instant,
      /** Entries or rows; null if not counted. */
      checked: count.nullable(),
      findings: count,
      first: z.array(z.string()),
    }),
  ),
  /** Tasks that failed at every attempt; only an operator can restart them. */
  failedTasks: count,
});
export type PlatformHealth = z.infer<typeof platformHealthView>;

export const failedTask = z.object({
  id: z.string(),
  name: z.string(),
  attempts: count,
  error: z.string(),
  failedAt: instant,
});
export type FailedTask = z.infer<typeof failedTask>;

/** A refund that a card's bank refused, at once or days later. Its money is in the balance of the business again. */
export const failedRefund = z.object({
  id,
  business: z.object({
    id,
    name: z.string(),
    /** Money of a closed business is a case of unclaimed money. */
    isClosed: z.boolean(),
  }),
  /** The amount in minor units of `currency`. */
  amountMinor: z.number().int(),
  currency,
  card: z.object({ brand: z.string(), last4: z.string() }),
  failedAt: instant,
});
export type FailedRefund = z.infer<typeof failedRefund>;

/** Figures for operators, failed refunds, and failed tasks. The ages of the queue are in `cases.counts`. */
export const platformHealth = {
  get: operation({ access: 'operator', operator: { may: 'health', needs: 'nothing' }, errors: [] })
    .route({
      method: 'GET',
      path: '/operators/health',
      summary: 'Sign-ups, disputes, filled spots, payouts waiting and failed tasks',
    })
    .output(platformHealthView),
  failedTasks: operation({
    access: 'operator',
    operator: { may: 'tasks', needs: 'nothing' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/failed-tasks',
      summary: 'Tasks that are not tried any more, newest first',
    })
    .input(z.object(pageInput))
    .output(pageOf(failedTask)),
  failedRefunds: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'nothing' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/failed-refunds',
      summary: 'Refunds that a card’s bank refused, newest first',
    })
    .input(z.object(pageInput))
    .output(pageOf(failedRefund)),
  retryTask: operation({
    access: 'operator',
    operator: { may: 'tasks', needs: 'nothing' },
    errors: ['task/not-found'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/failed-tasks/{taskId}/retry',
      summary: 'Run a failed task again, with all its tries',
    })
    .input(z.object({ taskId: z.string().regex(/^\d{1,18}$/) }))
    .output(z.object({ id: z.string() })),
};
