import type { PaymentFailure } from '@nearhand/contract/money/charges';
import type { WithdrawalStatus } from '@nearhand/contract/money/payouts';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import { crashPoint } from '../../platform/crash-points.ts';
import type { Tx } from '../../platform/db.ts';
import {
  PayeeNotReadyError,
  type PayoutState,
  ProviderRefusedError,
} from '../../platform/payment-provider.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { eraseFormerBank } from './former-payouts.ts';
import { applyIdentity } from './identities.ts';
import { dayOf } from './payouts.rules.ts';
import {
  findBankRef,
  findIdByRef,
  isPayeeWaiting,
  lockWithdrawal,
  updateWithdrawal,
  type WithdrawalRow,
} from './payouts.sql.ts';
import {
  moveWithdrawal,
  postPaid,
  postReturned,
  sendKey,
  sendWithdrawalTask,
  unreserveMoney,
} from './withdrawal-transitions.ts';
import { movesTowards } from './withdrawals.rules.ts';

type Heard = Omit<PayoutState, 'ref'> & { ref: string | null };

/** Sends a marked withdrawal outside any transaction under its own id; a rerun pays once (docs/payments.md). */
export async function sendWithdrawal(scope: TaskScope, withdrawalId: string): Promise<void> {
  const row = await scope.db.transaction().execute((tx) => claimWithdrawal(tx, scope, withdrawalId));
  if (!row) return;
  crashPoint('withdraw/processing');
  const state = await payOut(scope, row);
  crashPoint('withdraw/sent');
  if (state) await applyState(scope, row.id, state);
}

/** Applies a provider event about a payout. Unknown payouts are left to reconciliation. */
export async function applyPayout(scope: TaskScope, ref: string): Promise<void> {
  // The ref is not a UUID, so it can't be ours.
  if (ref.includes('\u0000')) return;
  const withdrawalId = await findIdByRef(scope.db, ref);
  if (withdrawalId === undefined) return;
  const state = await scope.provider.syncPayout(ref);
  if (state) await applyState(scope, withdrawalId, state);
}

/** Moves a withdrawal through every state up to the provider's. Idempotent, in any order. */
export async function applyState(scope: TaskScope, withdrawalId: string, state: Heard): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockWithdrawal(tx, withdrawalId);
    if (!row) return;
    const fault = findMismatch(row, state);
    if (fault) return scope.log.error({ withdrawalId, ref: state.ref }, `payout does not match: ${fault}`);
    const moves = movesTowards(row.status, state.status);
    const reported = { providerRef: state.ref, arrivesOn: state.arrivesOn ?? row.arrivesOn };
    const [first] = moves;
    if (first === undefined) {
      const isOver = row.status === 'paid' || row.status === 'failed' || row.status === 'returned';
      if (!isOver && (row.providerRef !== reported.providerRef || row.arrivesOn !== reported.arrivesOn))
        await updateWithdrawal(tx, row.id, reported);
      return;
    }
    let current: WithdrawalRow = { ...row, ...reported };
    for (const move of moves) current = await effects[move](tx, scope, current, state);
  });
}

type Effect = (tx: Tx, scope: TaskScope, row: WithdrawalRow, state: Heard) => Promise<WithdrawalRow>;

const effects: Record<ReturnType<typeof movesTowards>[number], Effect> = {
  accept: async (tx, scope, row) => {
    const { providerRef, arrivesOn } = row;
    await notifyWorker(tx, scope, row, 'withdrawal-sent', { by: arrivesOn });
    return moveWithdrawal(tx, scope, row, {
      action: 'accept',
      who: 'timer',
      changes: {
        providerRef,
        arrivesOn,
      },
    });
  },
  pay: async (tx, scope, row) => {
    const paidEntry = await postPaid(tx, scope, row);
    crashPoint('withdraw/posted');
    await notifyWorker(tx, scope, row, 'withdrawal-paid', {});
    await eraseFormerBank(tx, scope, row.accountId);
    const arrivesOn = dayOf(scope.clock.now());
    return moveWithdrawal(tx, scope, row, {
      action: 'pay',
      who: 'timer',
      changes: {
        providerRef: row.providerRef,
        arrivesOn,
        paidEntry,
      },
    });
  },
  fail: async (tx, scope, row, state) => {
    const failure = reasonOf(state);
    await unreserveMoney(tx, scope, row);
    await notifyWorker(tx, scope, row, 'withdrawal-failed', { variant: failure });
    return moveWithdrawal(tx, scope, row, {
      action: 'fail',
      who: 'timer',
      changes: {
        providerRef: row.providerRef,
        arrivesOn: null,
        failure,
      },
    });
  },
  return: async (tx, scope, row, state) => {
    const failure = reasonOf(state);
    await postReturned(tx, scope, row);
    await notifyWorker(tx, scope, row, 'withdrawal-returned', { variant: failure });
    return moveWithdrawal(tx, scope, row, { action: 'return', who: 'timer', changes: { failure } });
  },
};

const reasonOf = (state: Heard): PaymentFailure => state.failure ?? 'processing_error';

/** A marked row without a provider ref is sent again. One whose worker can't be paid yet waits (`applyAccount`). */
async function claimWithdrawal(
  tx: Tx,
  scope: TaskScope,
  withdrawalId: string,
): Promise<WithdrawalRow | null> {
  const row = await lockWithdrawal(tx, withdrawalId);
  if (row && (await isPayeeWaiting(tx, row.accountId))) return null;
  if (row?.status === 'processing' && row.providerRef === null) return row;
  if (row?.status !== 'requested') return null;
  if (row.cancelBy !== null && scope.clock.now() < row.cancelBy) {
    await enqueue(
      tx,
      sendWithdrawalTask,
      { withdrawalId },
      { runAt: row.cancelBy, key: sendKey(withdrawalId) },
    );
    return null;
  }
  return moveWithdrawal(tx, scope, row, { action: 'send', who: 'timer' });
}

/** @returns null if the withdrawal waits until the provider pays this worker again */
async function payOut(scope: TaskScope, row: WithdrawalRow): Promise<Heard | null> {
  const { id, currency, speed } = row;
  const amountMinor = row.amountMinor - row.feeMinor;
  const bankRef = await findBankRef(scope.db, row.methodId);
  try {
    return await scope.provider.payOut({ key: id, bankRef, amountMinor, currency, speed });
  } catch (error) {
    if (error instanceof PayeeNotReadyError) {
      scope.log.info({ err: error, withdrawalId: id }, 'a withdrawal waits for its worker');
      await applyIdentity(scope, row.accountId);
      return null;
    }
    // A rejection is final. After any other error the payout may exist, so the task retries with the same key.
    if (!(error instanceof ProviderRefusedError) || error.problem === 'key_reused') throw error;
    scope.log.error({ err: error, withdrawalId: id }, 'the provider rejects the payout');
    const before = await scope.provider.syncPayoutByKey(id);
    if (before) return before;
    return { ref: null, status: 'failed', amountMinor, currency, failure: 'bank_rejected', arrivesOn: null };
  }
}

const neverSent: readonly WithdrawalStatus[] = ['requested', 'in_review', 'cancelled', 'refused'];

function findMismatch(row: WithdrawalRow, state: Heard): string | null {
  if (neverSent.includes(row.status)) return `the withdrawal is ${row.status}`;
  if (row.providerRef !== null && state.ref !== row.providerRef) return 'another payout';
  if (state.amountMinor !== row.amountMinor - row.feeMinor || state.currency !== row.currency)
    return `${state.amountMinor} ${state.currency}`;
  return null;
}

async function notifyWorker(
  tx: Tx,
  scope: TaskScope,
  row: WithdrawalRow,
  topic: Extract<NotificationTopic, `withdrawal-${string}`>,
  more: Record<string, string | null>,
): Promise<void> {
  const isReturned = topic === 'withdrawal-failed' || topic === 'withdrawal-returned';
  await notify(tx, scope, {
    accountId: row.accountId,
    topic,
    data: {
      amountMinor: isReturned ? row.amountMinor : row.amountMinor - row.feeMinor,
      currency: row.currency,
      ...more,
    },
    path: '/withdraw',
    dedupeKey: `${topic}/${row.id}`,
  });
}
