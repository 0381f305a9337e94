import { isCardExpired } from '@nearhand/contract/money/cards.rules';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import {
  type ChargeState,
  type Failure,
  isPlain,
  type PaymentProvider,
  ProviderRefusedError,
  requireAmount,
} from '../../platform/payment-provider.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { type ChargeMove, chargeStarts, nextChargeMove } from './sandbox.rules.ts';
import {
  findCard,
  findCharge,
  findKey,
  insertCharge,
  insertRefund,
  lockCharge,
  moveBalance,
  notBefore,
  updateCharge,
} from './sandbox.sql.ts';
import { cleanText, emit, inOwnTx, newRef, once, type SandboxParts } from './sandbox-events.ts';
import type { CardBehaviour } from './sandbox-numbers.rules.ts';

type Row = NonNullable<Awaited<ReturnType<typeof findCharge>>>;
type Input<Name extends 'charge' | 'cancelCharge' | 'refund'> = Parameters<PaymentProvider[Name]>[0];

export const advanceChargeTask = { name: 'sandbox.advance-charge', payload: z.object({ ref: z.string() }) };

const stateOf = (parts: SandboxParts, row: Row): ChargeState => ({
  ref: row.ref,
  status: row.status,
  amountMinor: row.amountMinor,
  currency: row.currency,
  failure: row.failure as Failure | null,
  actionUrl:
    row.status === 'requires_action' ? `${parts.config.PUBLIC_URL}/sandbox/confirm/${row.ref}` : null,
  refundedMinor: row.refundedMinor,
  failedRefunds: [],
  chargebacks:
    row.chargebackRef === null
      ? []
      : [
          {
            ref: row.chargebackRef,
            amountMinor: row.chargebackMinor ?? 0,
            status: row.chargebackStatus as 'open' | 'won' | 'lost',
          },
        ],
});

export async function getCharge(parts: SandboxParts, ref: string): Promise<ChargeState | null> {
  const row = isPlain(ref) ? await findCharge(parts.db, ref) : undefined;
  return row ? stateOf(parts, row) : null;
}

export async function findChargeByKey(parts: SandboxParts, key: string): Promise<ChargeState | null> {
  const keyRow = isPlain(key) ? await findKey(parts.db, key) : undefined;
  return keyRow?.operation === 'charge' && keyRow.ref !== null ? getCharge(parts, keyRow.ref) : null;
}

/** Charges a card. A declined card makes a failed charge; an unknown one is a bug in the caller. */
export async function charge(parts: SandboxParts, o: Input<'charge'>): Promise<ChargeState> {
  requireAmount(o.amountMinor);
  const ref = newRef(parts, 'ch');
  const content = [o.cardRef, o.amountMinor, o.currency, o.description, o.returnUrl];
  const result = await once(parts, { key: o.key, operation: 'charge', content, ref }, async (tx) => {
    const card = isPlain(o.cardRef) ? await findCard(tx, o.cardRef) : undefined;
    if (!card) throw new ProviderRefusedError('not_found', 'cardRef');
    const now = parts.clock.now();
    const expiry = { month: card.expiresMonth, year: card.expiresYear };
    const behaviour = isCardExpired(expiry, now) ? 'expired' : card.behaviour;
    const start = chargeStarts[behaviour as CardBehaviour];
    await insertCharge(tx, {
      ref,
      cardRef: card.ref,
      amountMinor: o.amountMinor,
      currency: o.currency,
      behaviour,
      description: cleanText(o.description, 500),
      returnUrl: ownReturn(o.returnUrl, parts.config.PUBLIC_URL),
      status: start.status,
      failure: 'failure' in start ? start.failure : null,
      createdAt: now,
      succeededAt: start.status === 'succeeded' ? now : null,
    });
    if (start.status === 'succeeded') await moveBalance(tx, o.currency, o.amountMinor);
    await planNext(tx, ref);
    await emit(tx, parts, 'charge', ref);
    return undefined;
  });
  return chargeOf(parts, result);
}

/** Cancels a charge that has not succeeded; for a settled one it returns the actual state. */
export async function cancelCharge(parts: SandboxParts, o: Input<'cancelCharge'>): Promise<ChargeState> {
  const result = await once(
    parts,
    { key: o.key, operation: 'cancel', content: [o.ref], ref: o.ref },
    async (tx) => {
      const row = await requireCharge(tx, o.ref);
      if (row.status !== 'processing' && row.status !== 'requires_action') return undefined;
      await updateCharge(tx, o.ref, { status: 'cancelled' });
      await emit(tx, parts, 'charge', o.ref);
      return undefined;
    },
  );
  return chargeOf(parts, result);
}

export async function refund(parts: SandboxParts, o: Input<'refund'>): Promise<ChargeState> {
  requireAmount(o.amountMinor);
  const content = [o.chargeRef, o.amountMinor];
  const result = await once(
    parts,
    { key: o.key, operation: 'refund', content, ref: o.chargeRef },
    async (tx) => {
      const row = await requireCharge(tx, o.chargeRef);
      if (row.status !== 'succeeded')
        throw new ProviderRefusedError('refund_refused', `the charge is ${row.status}`);
      if (row.chargebackStatus === 'open' || row.chargebackStatus === 'lost')
        throw new ProviderRefusedError('refund_refused', 'the charge is charged back');
      if (o.amountMinor > row.amountMinor - row.refundedMinor)
        throw new ProviderRefusedError('refund_refused', 'more than is left of the charge');
      await insertRefund(tx, {
        ref: newRef(parts, 're'),
        chargeRef: row.ref,
        amountMinor: o.amountMinor,
        createdAt: parts.clock.now(),
      });
      await updateCharge(tx, row.ref, { refundedMinor: row.refundedMinor + o.amountMinor });
      await moveBalance(tx, row.currency, -o.amountMinor);
      await emit(tx, parts, 'charge', row.ref);
      return undefined;
    },
  );
  return chargeOf(parts, result);
}

export async function confirmation(parts: SandboxParts, ref: string): Promise<Row | null> {
  return (isPlain(ref) ? await findCharge(parts.db, ref) : undefined) ?? null;
}

/** Applies a person's decision; a no-op unless the charge is waiting for it. */
export async function decide(parts: SandboxParts, ref: string, approve: boolean): Promise<Row | null> {
  if (!isPlain(ref)) return null;
  return inOwnTx(parts, async (tx) => {
    const row = await lockCharge(tx, ref);
    if (row?.status !== 'requires_action') return row ?? null;
    const after = await updateCharge(
      tx,
      ref,
      approve
        ? { status: 'succeeded', succeededAt: parts.clock.now() }
        : { status: 'failed', failure: 'authentication_failed' },
    );
    if (approve) await moveBalance(tx, row.currency, row.amountMinor);
    await emit(tx, parts, 'charge', ref);
    return after;
  });
}

/** Applies due moves of a charge, each with an event, and schedules the next. Idempotent. */
export async function advanceCharge(parts: SandboxParts, ref: string): Promise<void> {
  await inOwnTx(parts, async (tx) => {
    let row = await lockCharge(tx, ref);
    let moves = 0;
    for (; row; moves += 1) {
      const next = nextChargeMove(row);
      if (!next || next.at > parts.clock.now()) break;
      row = await move(tx, parts, row, next.move, next.at);
    }
    await planNext(tx, ref, moves === 0);
    for (; moves > 0; moves -= 1) await emit(tx, parts, 'charge', ref);
  });
}

async function move(tx: Tx, parts: SandboxParts, row: Row, what: ChargeMove, at: Date): Promise<Row> {
  if (what === 'fail') return updateCharge(tx, row.ref, { status: 'failed', failure: 'card_declined' });
  if (what === 'succeed') {
    await moveBalance(tx, row.currency, row.amountMinor);
    return updateCharge(tx, row.ref, { status: 'succeeded', succeededAt: at });
  }
  if (what === 'charge_back') {
    const amount = row.amountMinor - row.refundedMinor;
    await moveBalance(tx, row.currency, -amount);
    return updateCharge(tx, row.ref, {
      chargebackRef: newRef(parts, 'cb'),
      chargebackMinor: amount,
      chargebackStatus: 'open',
      chargebackAt: at,
    });
  }
  if (what === 'win_chargeback') await moveBalance(tx, row.currency, row.chargebackMinor ?? 0);
  return updateCharge(tx, row.ref, { chargebackStatus: what === 'win_chargeback' ? 'won' : 'lost' });
}

async function planNext(tx: Tx, ref: string, early = false): Promise<void> {
  const row = await findCharge(tx, ref);
  const next = row && nextChargeMove(row);
  if (!next) return;
  const runAt = early ? await notBefore(tx, next.at) : next.at;
  await enqueue(tx, advanceChargeTask, { ref }, { runAt, key: `sandbox/${ref}` });
}

async function requireCharge(tx: Tx, ref: string): Promise<Row> {
  const row = isPlain(ref) ? await lockCharge(tx, ref) : undefined;
  if (!row) throw new ProviderRefusedError('not_found', 'no such charge');
  return row;
}

async function chargeOf(
  parts: SandboxParts & { db: Db },
  done: { ref: string } | { failure: string },
): Promise<ChargeState> {
  const state = 'ref' in done ? await getCharge(parts, done.ref) : null;
  if (!state) throw new Error('the charge is missing');
  return state;
}

export const appScheme = 'nearhand:';

const returnUrlMax = 1_000;

/** Returns the caller's address if it is ours, otherwise our front page, to prevent open redirects. */
export function ownReturn(returnUrl: string, publicUrl: string): string {
  const home = `${publicUrl}/`;
  if (
    returnUrl.length > returnUrlMax ||
    /[\p{Cc}\s\\]/u.test(returnUrl) ||
    !returnUrl.isWellFormed() ||
    !URL.canParse(returnUrl)
  )
    return home;
  const url = new URL(returnUrl);
  if (url.protocol === appScheme) return url.href;
  const ours = new URL(publicUrl);
  return url.origin === ours.origin && url.username === '' && url.password === '' ? url.href : home;
}
