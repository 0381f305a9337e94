import { balanceOf, postEntry } from '@nearhand/api/src/money/ledger/ledger.ts';
import { compareBooks } from '@nearhand/api/src/money/provider/books.fixtures.ts';
import { auditProvider } from '@nearhand/api/src/money/provider/provider-books.ts';
import { reconcile } from '@nearhand/api/src/money/provider/reconciliation.ts';
import { AppError } from '@nearhand/api/src/platform/app-error.ts';
import type { PaymentProvider } from '@nearhand/api/src/platform/payment-provider.ts';
import { runDueTasks } from '@nearhand/api/src/platform/tasks/due-tasks.ts';
import type { Task, TaskScope } from '@nearhand/api/src/platform/tasks/tasks.ts';
import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type pg from 'pg';
import { actionsOf, makeCast, type Stage } from './cast.ts';
import { type Chances, chancesOf } from './chances.ts';
import { createTraffic } from './traffic.ts';

export type WebhookStage = Stage & {
  pool: pg.Pool;
  taskScope: TaskScope;
  // biome-ignore lint/suspicious/noExplicitAny: a list of tasks whose payloads differ
  tasks: readonly Task<any>[];
  post(headers: Record<string, string>, body: string): Promise<number>;
};

/** Runs money flows under faults until nothing is pending at the provider, then reconciles. */
export async function runWebhooks(
  stage: WebhookStage,
  options: { actions: number; seed: number; businesses?: number; workers?: number },
) {
  const chances = chancesOf(options.seed);
  const { db, clock, pool, provider, bank, post, taskScope } = stage;
  const traffic = createTraffic({ chances, clock, bank, post, lostShare: 0.1 });
  bank.sendsTo(traffic.send);
  const cast = await makeCast(stage, { businesses: options.businesses ?? 4, workers: options.workers ?? 6 });
  const act = actionsOf(stage, cast, chances);
  const faults = injectFaults(provider, chances);
  const done = new Map<string, number>();
  const count = (name: string) => done.set(name, (done.get(name) ?? 0) + 1);
  let killed = 0;
  const tick = async (ms: number) => {
    clock.forward(ms);
    bank.advance();
    await runDueTasks(pool, stage.tasks, taskScope);
    await traffic.deliver();
    if (faults.on && chances.happens(0.1)) killed += await killTasks(pool);
    await runDueTasks(pool, stage.tasks, taskScope);
  };
  faults.on = true;
  for (let action = 0; action < options.actions; action += 1) {
    try {
      count(await act());
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      count(`refused: ${error.code}`);
    }
    if (chances.happens(0.4)) await tick(chances.between(1, 90) * minuteMs);
  }
  faults.on = false;
  for (let hours = 0; hours < 24 * 14; hours += 6) await tick(6 * hourMs);
  await traffic.deliver(true);
  await runDueTasks(pool, stage.tasks, taskScope);
  const scope = { ...taskScope, provider };
  const before = await compareBooks(db, scope);
  // Several minutes: an event of an unknown charge is stored for ten.
  for (let run = 0; run < 6; run += 1) {
    await reconcile(scope);
    await runDueTasks(pool, stage.tasks, taskScope);
    clock.forward(3 * minuteMs);
  }
  await auditProvider(scope);
  const after = [
    ...(await compareBooks(db, scope)),
    ...(await strangers(stage, traffic.ids)),
    ...traffic.tally.wrong,
  ];
  return { before, after, done, traffic: traffic.tally, faults: faults.tally, killed };
}

/** The control: a misplaced cent must be found. */
export async function findsACent(stage: WebhookStage): Promise<boolean> {
  const had = await balanceOf(stage.db, { kind: 'platform_losses' }, 'EUR');
  await stage.db.transaction().execute((tx) =>
    postEntry(tx, stage.taskScope, {
      key: `control/${stage.clock.now().getTime()}/${had}`,
      kind: 'top_up',
      currency: 'EUR',
      about: null,
      lines: [
        { account: { kind: 'provider_clearing' }, amountMinor: -1 },
        { account: { kind: 'platform_losses' }, amountMinor: 1 },
      ],
    }),
  );
  return (await compareBooks(stage.db, { ...stage.taskScope, provider: stage.provider })).length > 0;
}

async function strangers({ pool, bank }: WebhookStage, sentIds: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; handled: boolean }>(
    'select id, handled_at is not null as handled from provider_events',
  );
  const receivedIds = new Set(rows.map(({ id }) => id));
  return [
    ...rows.filter(({ id }) => !sentIds.has(id)).map(({ id }) => `event ${id} is not the provider's`),
    ...rows.filter(({ handled }) => !handled).map(({ id }) => `event ${id} was never handled`),
    ...(await bank.listed())
      .filter((id) => !receivedIds.has(id))
      .map((id) => `event ${id} was never heard of`),
  ];
}

async function killTasks(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from graphile_worker._private_jobs job using graphile_worker._private_tasks task
     where task.id = job.task_id and task.identifier in ('payments.charge', 'payments.refund', 'payments.event')`,
  );
  return rowCount ?? 0;
}

function injectFaults(provider: PaymentProvider, chances: Chances) {
  const state = { on: false, tally: { before: 0, after: 0 } };
  const broken =
    <Input, Answer>(call: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      const fate = state.on ? chances.next() : 1;
      if (fate < 0.05) {
        state.tally.before += 1;
        throw new TypeError('fetch failed');
      }
      const answer = await call(input);
      if (fate < 0.1) {
        state.tally.after += 1;
        throw new TypeError('connection reset');
      }
      return answer;
    };
  for (const name of ['charge', 'refund', 'payOut', 'cancelCharge', 'getCharge', 'syncPayout'] as const)
    provider[name] = broken(provider[name] as never) as never;
  return state;
}
