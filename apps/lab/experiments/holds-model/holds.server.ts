import { randomUUID } from 'node:crypto';
import { hireAtOnce } from '@nearhand/api/src/hiring/instant-hire/instant-hire.ts';
import { lockJob } from '@nearhand/api/src/hiring/jobs/job-transitions.ts';
import {
  acceptOffer,
  declineOffer,
  makeOffer,
  withdrawOffer,
} from '@nearhand/api/src/hiring/offers/offers.ts';
import { fundSpots } from '@nearhand/api/src/hiring/spots/spots.ts';
import { applyCharge } from '@nearhand/api/src/money/charges/charge-outcomes.ts';
import { refundBalance } from '@nearhand/api/src/money/charges/refunds.ts';
import { finishHold } from '@nearhand/api/src/money/holds/end-holds.ts';
import { disputeHold } from '@nearhand/api/src/money/holds/hold-transitions.ts';
import { payHold } from '@nearhand/api/src/money/holds/holds.ts';
import { agreedPayOf, requestRelease } from '@nearhand/api/src/money/holds/releases.ts';
import { applyPayout } from '@nearhand/api/src/money/payouts/withdrawal-lifecycle.ts';
import { cancelWithdrawal, withdraw } from '@nearhand/api/src/money/payouts/withdrawals.ts';
import { topUp } from '@nearhand/api/src/money/wallet/business-wallet.ts';
import { AppError } from '@nearhand/api/src/platform/app-error.ts';
import type { Database, Tx } from '@nearhand/api/src/platform/db.ts';
import type { Scope } from '@nearhand/api/src/platform/http/scope.ts';
import type { Task, TaskScope } from '@nearhand/api/src/platform/tasks/tasks.ts';
import { engagementForTimer } from '@nearhand/api/src/work/engagements/engagement-transitions.ts';
import { cancelEngagement, payeeOf, reportNoShow } from '@nearhand/api/src/work/engagements/engagements.ts';
import { coverWork } from '@nearhand/api/src/work/pay/pay.ts';
import { giveTip } from '@nearhand/api/src/work/pay/tips.ts';
import { plannedAndAgreedPay } from '@nearhand/api/src/work/settlement/pay-bounds.ts';
import { settlePay } from '@nearhand/api/src/work/settlement/settlement.ts';
import { approveWork } from '@nearhand/api/src/work/timesheets/approval.ts';
import { hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { silentMinor } from '@nearhand/contract/work/pay.rules';
import type { CastIds } from './cast-rows.ts';
import type { Command } from './commands.model.ts';
import type { Taken } from './holds-picture.ts';
import type { QueuedTask } from './light-queue.ts';
import type { ProviderDouble } from './provider-double.ts';
import type { Cast, Funding } from './world.model.ts';

export type ServerSide = {
  database: Database;
  scope: TaskScope;
  // biome-ignore lint/suspicious/noExplicitAny: a list of tasks whose payloads differ; each checks its own
  tasks: ReadonlyMap<string, Task<any>>;
  provider: ProviderDouble;
  clock: { at: number };
  cast: Cast;
  ids: CastIds;
};

export type Known = Pick<Taken, 'ids' | 'versions' | 'work'>;

const scopeOf = (side: ServerSide, accountId: string): Scope => ({
  ...side.scope,
  actor: { accountId, sessionId: accountId, emailVerified: true },
  requestId: 'experiment',
});

export async function doCommand(side: ServerSide, known: Known, command: Command): Promise<string> {
  try {
    await call(side, known, command);
    return 'done';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

export async function runTask(side: ServerSide, { name, payload }: QueuedTask): Promise<void> {
  const task = side.tasks.get(name);
  if (!task) throw new Error(`there is no task ${name}`);
  await task.run(side.scope, task.payload.parse(payload));
}

const id = (list: readonly string[], index: number): string => {
  const found = list[index];
  if (found === undefined) throw new Error(`the server has no number ${index} of ${list.length}`);
  return found;
};

async function call(side: ServerSide, known: Known, command: Command): Promise<unknown> {
  const { database, ids, scope, provider, clock } = side;
  const { db } = database;
  const owner = scopeOf(side, ids.ownerId);
  const within = <Result>(work: (tx: Tx) => Promise<Result>) => db.transaction().execute(work);
  const fundingOf = (funding: Funding) =>
    funding?.from === 'card' ? { from: 'card' as const, cardId: id(ids.cards, funding.card) } : funding;
  const { currency } = side.cast;
  switch (command.do) {
    case 'top-up':
      return within((tx) =>
        topUp(tx, owner, {
          businessId: ids.businessId,
          amountMinor: command.amount,
          currency,
          cardId: id(ids.cards, command.card),
        }),
      );
    case 'offer':
      return within((tx) => {
        const job = side.cast.jobs[Math.floor(command.slot / ids.workers.length)];
        return makeOffer(tx, owner, {
          applicationId: id(ids.applications, command.slot),
          message: '',
          ...(command.more === null || !job ? {} : { payMinor: known.work.pay(command.slot) + command.more }),
          funding: fundingOf(command.funding) ?? undefined,
        });
      });
    case 'instant':
      return within((tx) => {
        const job = Math.floor(command.slot / ids.workers.length);
        const worker = command.slot % ids.workers.length;
        return hireAtOnce(tx, scope, {
          applicationId: id(ids.applications, command.slot),
          jobId: id(ids.jobs, job),
          workerId: id(ids.workers, worker),
        });
      });
    case 'pay-hold':
      return within((tx) =>
        payHold(tx, owner, {
          holdId: id(known.ids.holds, command.hold),
          funding: fundingOf(command.funding) ?? { from: 'balance' },
        }),
      );
    case 'withdraw-offer':
    case 'decline':
    case 'accept':
      return within((tx) => answerOffer(side, known, tx, command));
    case 'refund':
      return within((tx) =>
        refundBalance(tx, owner, { businessId: ids.businessId, amountMinor: command.amount, currency }),
      );
    case 'card':
    case 'chargeback':
    case 'decided':
    case 'old-news':
      return receiveCharge(side, id(known.ids.charges, command.charge), command);
    case 'spots':
      return within(async (tx) => {
        await lockJob(tx, id(ids.jobs, command.job));
        await tx
          .updateTable('jobs')
          .set({ headCount: command.head, payMinor: command.pay, status: command.open ? 'open' : 'paused' })
          .where('id', '=', id(ids.jobs, command.job))
          .execute();
        return fundSpots(tx, owner, id(ids.jobs, command.job), { all: command.all });
      });
    case 'identity':
      return db
        .updateTable('payout_identities')
        .set({ status: command.verified ? 'verified' : 'pending' })
        .where('accountId', '=', id(ids.workers, command.worker))
        .execute();
    case 'withdraw':
    case 'cancel-withdrawal':
      return within((tx) => callOnWithdrawal(side, known, tx, command));
    case 'bank': {
      const withdrawalId = id(known.ids.withdrawals, command.withdrawal);
      provider.becomes(withdrawalId, command.becomes);
      const ref = (await provider.syncPayoutByKey(withdrawalId))?.ref;
      for (let times = 0; ref !== undefined && times < command.received; times += 1)
        await applyPayout(scope, ref);
      return;
    }
    case 'wait':
      clock.at += command.minutes * minuteMs;
      return;
    case 'tasks':
      return;
    case 'cover':
      return within((tx) =>
        coverWork(tx, owner, {
          engagementId: id(known.ids.works, command.work),
          funding: fundingOf(command.funding) ?? { from: 'balance' },
        }),
      );
    case 'tip':
      return within((tx) =>
        giveTip(tx, owner, {
          engagementId: id(known.ids.works, command.work),
          kind: command.kind,
          note: '',
          amountMinor: command.amount,
          funding: fundingOf(command.funding) ?? undefined,
        }),
      );
    default:
      return within((tx) => callOnWork(side, known, tx, command));
  }
}

type Of<Name extends Command['do']> = Extract<Command, { do: Name }>;

function answerOffer(
  side: ServerSide,
  known: Known,
  tx: Tx,
  command: Of<'withdraw-offer' | 'decline' | 'accept'>,
): Promise<unknown> {
  const offerId = id(known.ids.offers, command.offer);
  const request = { offerId, version: known.versions.offers[command.offer] ?? 0, reason: '' };
  const worker = scopeOf(side, id(side.ids.workers, known.work.workerOfOffer(command.offer)));
  if (command.do === 'withdraw-offer') return withdrawOffer(tx, scopeOf(side, side.ids.ownerId), request);
  return command.do === 'accept' ? acceptOffer(tx, worker, request) : declineOffer(tx, worker, request);
}

/** Applies a change at the provider and reports it as often as the command requires. */
async function receiveCharge(
  { provider, scope }: ServerSide,
  chargeId: string,
  command: Of<'card' | 'chargeback' | 'decided' | 'old-news'>,
): Promise<void> {
  const before = await provider.findCharge(chargeId);
  if (!before) return;
  if (command.do === 'old-news')
    return applyCharge(scope, chargeId, { ...before, status: 'processing', chargebacks: [] });
  if (command.do === 'card') provider.settle(chargeId, command.becomes);
  else if (command.do === 'chargeback') provider.chargeBack(chargeId, command.amount);
  else provider.decide(chargeId, command.won);
  const state = await provider.getCharge(before.ref);
  for (let times = 0; state && times < command.received; times += 1)
    await applyCharge(scope, chargeId, state);
}

function callOnWithdrawal(
  side: ServerSide,
  known: Known,
  tx: Tx,
  command: Of<'withdraw' | 'cancel-withdrawal'>,
): Promise<unknown> {
  const { ids } = side;
  if (command.do === 'withdraw')
    return withdraw(tx, scopeOf(side, id(ids.workers, command.worker)), {
      methodId: id(ids.banks, command.worker),
      amountMinor: command.amount,
      speed: command.instant ? 'instant' : 'standard',
    });
  const worker = scopeOf(side, id(ids.workers, known.work.workerOfWithdrawal(command.withdrawal)));
  return cancelWithdrawal(tx, worker, {
    withdrawalId: id(known.ids.withdrawals, command.withdrawal),
    version: known.versions.withdrawals[command.withdrawal] ?? 0,
  });
}

type OnWork = Extract<Command, { work: number }>;

/** Writes the steps of the work straight into its row; only their effect on money runs the server's code. */
async function callOnWork(side: ServerSide, known: Known, tx: Tx, command: OnWork): Promise<unknown> {
  const { scope, ids } = side;
  const engagementId = id(known.ids.works, command.work);
  const owner = scopeOf(side, ids.ownerId);
  const worker = scopeOf(side, id(ids.workers, known.work.workerOfWork(command.work)));
  const target = { engagementId, version: known.versions.works[command.work] ?? 0, reason: '' };
  // The job before its engagement, as everywhere that spots change.
  await lockJob(tx, id(ids.jobs, known.work.jobOfWork(command.work)));
  const row = await engagementForTimer(tx, engagementId);
  if (!row) throw new Error(`there is no engagement ${engagementId}`);
  const set = (changes: Record<string, unknown>) =>
    tx.updateTable('engagements').set(changes).where('id', '=', engagementId).execute();
  const settle = (action: Parameters<typeof settlePay>[3]['action'], amountMinor: number) => {
    const mover = { side: 'operator', accountId: ids.ownerId } as const;
    return settlePay(tx, scope, row, { action, mover, amountMinor });
  };
  /** A timer pays at most what the business agreed to (ADR 43). */
  const settleSilently = async (action: 'approve' | 'pay-recorded', wantedMinor: number) => {
    const amountMinor = silentMinor(wantedMinor, await plannedAndAgreedPay(tx, row));
    return settlePay(tx, scope, row, { action, mover: { side: 'timer' }, amountMinor });
  };
  switch (command.do) {
    case 'start':
      return set({ status: 'in_progress' });
    case 'finish':
      if (row.kind === 'task') return set({ status: 'delivered' });
      await claim(tx, side, engagementId, command.claim);
      return set({ status: 'submitted', amountMinor: command.claim });
    case 'counter': {
      await set({ status: 'counter_proposed' });
      const amountMinor = command.amount - (await agreedPayOf(tx, engagementId));
      return requestRelease(tx, scope, payeeOf(row), { kind: 'undisputed', amountMinor });
    }
    case 'pay-recorded':
      return settleSilently('pay-recorded', known.work.counterOf(command.work));
    case 'approve':
      return approveWork(tx, owner, target);
    case 'auto-approve':
      return settleSilently('approve', row.kind === 'task' ? row.terms.payTotalMinor : row.amountMinor);
    case 'dispute':
      await set({ status: 'disputed' });
      return disputeHold(tx, scope, engagementId);
    case 'settle':
      return settle('settle', command.amount);
    case 'cancel':
      return cancelEngagement(tx, command.by === 'worker' ? worker : owner, target);
    case 'no-show':
      return reportNoShow(tx, owner, target);
    case 'contest':
      return set({ status: 'contested', contest: 'I was there' });
    case 'decide':
      if (command.amount !== null) return settle('overturn', command.amount);
      await set({ status: 'no_show_reported' });
      return finishHold(tx, scope, engagementId);
    case 'finish-again':
      if (['completed', 'cancelled_by_worker', 'cancelled_by_merchant'].includes(row.status))
        await finishHold(tx, scope, engagementId);
      return;
    default:
  }
}

async function claim(tx: Tx, side: ServerSide, engagementId: string, amountMinor: number): Promise<void> {
  const now = side.scope.clock.now();
  await tx
    .insertInto('hours_claims')
    .values({
      id: randomUUID(),
      engagementId,
      round: 1,
      bySide: 'worker',
      at: now,
      startsAt: subtractMs(now, hourMs),
      endsAt: now,
      breakMinutes: 0,
      paidMinutes: 60,
      amountMinor,
    })
    .execute();
}
