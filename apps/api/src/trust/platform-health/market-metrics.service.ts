import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { FastifyInstance } from 'fastify';
import { type Audit, lastAudits } from '../../platform/audits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { registerGauges } from '../../platform/metrics/gauges.ts';
import { countSignUps, countSpots, sumMoney } from './market-metrics.sql.ts';
import { countOpenDisputes, findPayoutsWaiting } from './platform-health.sql.ts';

/** Sums over whole tables: a scrape a minute reads them, however many ask. */
const keptMs = minuteMs;

const labelsOf = ({ name }: Audit) => ({ audit: name });

/**
 * Gauges of the marketplace as a whole: money by state, payouts, audits, sign-ups and filled spots. They come from the database, so every
 * process gives the same ones.
 */
export function registerMarketMetrics(app: FastifyInstance, db: Db, clock: Clock): void {
  const since = (ms: number) => new Date(clock.now().getTime() - ms);
  const secondsSince = (at: Date) => Math.max(0, (clock.now().getTime() - at.getTime()) / 1_000);
  registerGauges(
    app,
    { what: 'money', keptMs, find: () => sumMoney(db) },
    {
      money_minor: {
        help: 'Money in each kind of ledger account, in minor units; the sum of a currency is 0',
        labelNames: ['kind', 'currency'],
        read: (rows) => rows.map(({ kind, currency, amount }) => [{ kind, currency }, amount]),
      },
    },
  );
  registerGauges(
    app,
    { what: 'payouts', keptMs, find: () => findPayoutsWaiting(db) },
    {
      payouts_waiting: {
        help: 'Withdrawals under way',
        labelNames: ['currency'],
        read: (rows) => rows.map(({ currency, count }) => [{ currency }, count]),
      },
      payouts_oldest_waiting_seconds: {
        help: 'How long the oldest withdrawal has been under way',
        labelNames: ['currency'],
        read: (rows) => rows.map(({ currency, oldest_at }) => [{ currency }, secondsSince(oldest_at)]),
      },
    },
  );
  registerGauges(
    app,
    { what: 'audits', keptMs, find: () => lastAudits(db) },
    {
      audit_findings: {
        help: 'What the last run of a daily check found',
        labelNames: ['audit'],
        read: (audits) => audits.map((audit) => [labelsOf(audit), audit.findings]),
      },
      audit_age_seconds: {
        help: 'How long ago a daily check last ran',
        labelNames: ['audit'],
        read: (audits) => audits.map((audit) => [labelsOf(audit), secondsSince(audit.at)]),
      },
    },
  );
  registerGauges(
    app,
    {
      what: 'the marketplace',
      keptMs,
      find: async () => ({
        signUps: await countSignUps(db, since(dayMs)),
        ...(await countSpots(db, since(7 * dayMs), clock.now())),
        disputes: await countOpenDisputes(db),
      }),
    },
    {
      sign_ups_last_day: { help: 'Accounts opened in 24 hours', read: ({ signUps }) => [[{}, signUps]] },
      spots_last_week: {
        help: 'Spots of the shifts that started in 7 days',
        read: ({ spots }) => [[{}, spots]],
      },
      spots_filled_last_week: { help: 'How many of them were filled', read: ({ filled }) => [[{}, filled]] },
      disputes_open: { help: 'Disputes that are not settled', read: ({ disputes }) => [[{}, disputes]] },
    },
  );
}
