import type { Currency } from '@nearhand/contract/currencies';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import {
  type Failure,
  type PaymentProvider,
  type PayoutState,
  ProviderRefused,
} from '../../platform/payment-provider.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { inOwnTx, isPlain, newRef, once, requireAmount, type SandboxParts } from './sandbox.parts.ts';
import { nextBusinessDay, nextPayoutMove, type PayoutMove, payoutStart } from './sandbox.rules.ts';
import {
  findBank,
  findKey,
  findPayout,
  insertPayout,
  lockPayout,
  moveBalance,
  notBefore,
  updatePayout,
} from './sandbox.sql.ts';
import { emit } from './sandbox-events.ts';

type Row = NonNullable<Awaited<ReturnType<typeof findPayout>>>;

/** The task for a payout that moves on its own. */
export const advancePayoutTask = { name: 'sandbox.advance-payout', payload: z.object({ ref: z.string() }) };

const stateOf = (row: Row): PayoutState => ({
  ref: row.ref,
  status: row.status as PayoutState['status'],
  amountMinor: row.amountMinor,
  currency: row.currency as Currency,
  failure: row.failure as Failure | null,
  arrivesOn: row.arrivesOn as string | null,
});

/** A payout's current state, or null. */
export async function getPayout(parts: SandboxParts, ref: string): Promise<PayoutState | null> {
  const row = isPlain(ref) ? await findPayout(parts.db, ref) : undefined;
  return row ? stateOf(row) : null;
}

/** The payout made under a caller's key, or null. */
export async function findPayoutByKey(parts: SandboxParts, key: string): Promise<PayoutState | null> {
  const kept = isPlain(key) ? await findKey(parts.db, key) : undefined;
  return kept?.operation === 'payout' && kept.ref !== null ? getPayout(parts, kept.ref) : null;
}

/** Pays to a bank account from the platform's balance here; without cover it fails, as at any provider. */
export async function payOut(
  parts: SandboxParts,
  o: Parameters<PaymentProvider['payOut']>[0],
): Promise<PayoutState> {
  requireAmount(o.amountMinor);
  const ref = newRef(parts, 'po');
  const content = [o.bankRef, o.amountMinor, o.currency, o.speed];
  const done = await once(parts, { key: o.key, operation: 'payout', content, ref }, async (tx) => {
    const bank = isPlain(o.bankRef) ? await findBank(tx, o.bankRef) : undefined;
    if (!bank) throw new ProviderRefused('not_found', 'bankRef');
    const now = parts.clock.now();
    const covered = (await moveBalance(tx, o.currency, -o.amountMinor)) >= 0;
    const start = payoutStart(o, bank, covered);
    if (start.status === 'failed') await moveBalance(tx, o.currency, o.amountMinor);
    const arrives = o.speed === 'instant' ? now.toISOString().slice(0, 10) : nextBusinessDay(now);
    await insertPayout(tx, {
      ref,
      bankRef: bank.ref,
      amountMinor: o.amountMinor,
      currency: o.currency,
      speed: o.speed,
      behaviour: bank.behaviour,
      status: start.status,
      createdAt: now,
      failure: start.status === 'failed' ? start.failure : null,
      arrivesOn: start.status === 'failed' ? null : arrives,
    });
    await planNext(tx, ref);
    await emit(tx, parts, 'payout', ref);
    return undefined;
  });
  const state = 'ref' in done ? await getPayout(parts, done.ref) : null;
  if (!state) throw new Error('the payout is missing');
  return state;
}

/** Applies the moves of a payout that are due, each with an event, and schedules the next. Idempotent. */
export async function advancePayout(parts: SandboxParts, ref: string): Promise<void> {
  await inOwnTx(parts, async (tx) => {
    let row = await lockPayout(tx, ref);
    let moves = 0;
    for (; row; moves += 1) {
      const next = nextPayoutMove({ ...row, arrivesOn: row.arrivesOn as string | null });
      if (!next || next.at > parts.clock.now()) break;
      row = await move(tx, row, next.move, next.at);
    }
    await planNext(tx, ref, moves === 0);
    for (; moves > 0; moves -= 1) await emit(tx, parts, 'payout', ref);
  });
}

async function move(tx: Tx, row: Row, what: PayoutMove, at: Date): Promise<Row> {
  if (what === 'pay') return updatePayout(tx, row.ref, { status: 'paid', paidAt: at });
  await moveBalance(tx, row.currency, row.amountMinor);
  return updatePayout(tx, row.ref, {
    status: what === 'fail' ? 'failed' : 'returned',
    failure: 'bank_rejected',
  });
}

async function planNext(tx: Tx, ref: string, early = false): Promise<void> {
  const row = await findPayout(tx, ref);
  const next = row && nextPayoutMove({ ...row, arrivesOn: row.arrivesOn as string | null });
  if (!next) return;
  const runAt = early ? await notBefore(tx, next.at) : next.at;
  await enqueue(tx, advancePayoutTask, { ref }, { runAt, key: `sandbox/${ref}` });
}
