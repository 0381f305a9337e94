import type pg from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { type Mailer, MailRefusedError, MailUnconfirmedError } from '../mail/mail.ts';
import type { PushPort } from '../push/push-port.ts';

/** Counts mails as sent, failed (retried), refused (no such address) or unconfirmed (abandoned). */
export function countMail(metrics: Registry, mailer: Mailer): Mailer {
  const outcomes = ['sent', 'failed', 'refused', 'unconfirmed'];
  const mails = counterOf(metrics, 'mails_total', 'Mails by outcome', outcomes);
  return {
    async send(mail) {
      try {
        await mailer.send(mail);
        mails.inc({ outcome: 'sent' });
      } catch (error) {
        mails.inc({ outcome: failureKind(error) });
        throw error;
      }
    },
  };
}

function failureKind(error: unknown): string {
  if (error instanceof MailUnconfirmedError) return 'unconfirmed';
  return error instanceof MailRefusedError ? 'refused' : 'failed';
}

export function countPush(metrics: Registry, push: PushPort): PushPort {
  const outcomes = ['sent', 'gone', 'later', 'refused', 'not-set-up'];
  const pushes = counterOf(metrics, 'pushes_total', 'Pushes by outcome', outcomes);
  return {
    async send(target, what, pace) {
      const result = await push.send(target, what, pace);
      pushes.inc({ outcome: result.outcome });
      return result;
    },
  };
}

/** Starts every outcome at 0, which an alert on an increase needs. */
function counterOf(metrics: Registry, name: string, help: string, outcomes: readonly string[]) {
  const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [metrics] });
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return counter;
}

type PoolCounts = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;

export function watchPools(metrics: Registry, pools: Readonly<Record<string, PoolCounts>>): void {
  const gauge = (name: string, help: string, read: (pool: PoolCounts) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [metrics],
      collect() {
        for (const [pool, counts] of Object.entries(pools)) this.set({ pool }, read(counts));
      },
    });
  gauge('database_connections', 'Open connections of this process', (pool) => pool.totalCount);
  gauge('database_connections_busy', 'Connections in use', (pool) => pool.totalCount - pool.idleCount);
  gauge('database_connections_max', 'Connections it may open', (pool) => pool.options.max ?? 0);
  gauge(
    'database_connection_waiters',
    'Calls and tasks that wait for a connection',
    (pool) => pool.waitingCount,
  );
}
