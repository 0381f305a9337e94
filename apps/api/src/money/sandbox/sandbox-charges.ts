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
  findKey,
  findSandboxCard,
  findSandboxCharge,
  insertCharge,
  insertRefund,
  lockSandboxCharge,
  moveBalance,
  notBeforeNow,
  updateSandboxCharge,
} from './sandbox.sql.ts';
import { cleanText, emitEvent, inOwnTx, newRef, runOncePerKey, type SandboxParts } from './sandbox-events.ts';

type Row = NonNullable<Awaited<ReturnType<typeof findSandboxCharge>>>;
type Input<Name extends 'charge' | 'cancelCharge' | 'refund'> = Parameters<PaymentProvider[Name]>[0];

export const advanceChargeTask = { name: 'sandbox.advance-charge', payload: z.object({ ref: z.string() }) };

const toChargeState = (parts: SandboxParts, row: Row): ChargeState => ({
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
  const row = isPlain(ref) ? await findSandboxCharge(parts.db, ref) : undefined;
  return row ? toChargeState(parts, row) : null;
}

export async function findChargeByKey(parts: SandboxParts, key: string): Promise<ChargeState | null> {
  const keyRow = isPlain(key) ? await findKey(parts.db, key) : undefined;
  return keyRow?.operation === 'charge' && keyRow.ref !== null ? getCharge(parts, keyRow.ref) : null;
}

/** Charges a card. A declined card makes a failed charge; an unknown one is a bug in the caller. */
export async function charge(parts: SandboxParts, request: Input<'charge'>): Promise<ChargeState> {
  requireAmount(request.amountMinor);
  const ref = newRef(parts, 'ch');
  const content = [
    request.cardRef,
    request.amountMinor,
    request.currency,
    request.description,
    request.returnUrl,
  ];
  const result = await runOncePerKey(
    parts,
    { key: request.key, operation: 'charge', content, ref },
    async (tx) => {
      const card = isPlain(request.cardRef) ? await findSandboxCard(tx, request.cardRef) : undefined;
      if (!card) throw new ProviderRefusedError('not_found', 'cardRef');
      const now = parts.clock.now();
      const expiry = { month: card.expiresMonth, year: card.expiresYear };
      const behaviour = isCardExpired(expiry, now) ? 'expired' : card.behaviour;
      const start = chargeStarts[behaviour];
      await insertCharge(tx, {
        ref,
        cardRef: card.ref,
        amountMinor: request.amountMinor,
        currency: request.currency,
        behaviour,
        description: cleanText(request.description, 500),
        returnUrl: ownReturn(request.returnUrl, parts.config.PUBLIC_URL),
        status: start.status,
        failure: 'failure' in start ? start.failure : null,
        createdAt: now,
        succeededAt: start.status === 'succeeded' ? now : null,
      });
      if (start.status === 'succeeded') await moveBalance(tx, request.currency, request.amountMinor);
      await planNext(tx, ref);
      await emitEvent(tx, parts, 'charge', ref);
      return undefined;
    },
  );
  return chargeOf(parts, result);
}

/** Cancels a charge that has not succeeded; for a finished one it returns the actual state. */
export async function cancelCharge(
  parts: SandboxParts,
  request: Input<'cancelCharge'>,
): Promise<ChargeState> {
  const result = await runOncePerKey(
    parts,
    { key: request.key, operation: 'cancel', content: [request.ref], ref: request.ref },
    async (tx) => {
      const row = await requireCharge(tx, request.ref);
      if (row.status !== 'processing' && row.status !== 'requires_action') return undefined;
      await updateSandboxCharge(tx, request.ref, { status: 'cancelled' });
      await emitEvent(tx, parts, 'charge', request.ref);
      return undefined;
    },
  );
  return chargeOf(parts, result);
}

export async function refund(parts: SandboxParts, request: Input<'refund'>): Promise<ChargeState> {
  requireAmount(request.amountMinor);
  const content = [request.chargeRef, request.amountMinor];
  const result = await runOncePerKey(
    parts,
    { key: request.key, operation: 'refund', content, ref: request.chargeRef },
    async (tx) => {
      const row = await requireCharge(tx, request.chargeRef);
      if (row.status !== 'succeeded')
        throw new ProviderRefusedError('refund_refused', `the charge is ${row.status}`);
      if (row.chargebackStatus === 'open' || row.chargebackStatus === 'lost')
        throw new ProviderRefusedError('refund_refused', 'the charge is charged back');
      if (request.amountMinor > row.amountMinor - row.refundedMinor)
        throw new ProviderRefusedError('refund_refused', 'more than is left of the charge');
      await insertRefund(tx, {
        ref: newRef(parts, 're'),
        chargeRef: row.ref,
        amountMinor: request.amountMinor,
        createdAt: parts.clock.now(),
      });
      await updateSandboxCharge(tx, row.ref, { refundedMinor: row.refundedMinor + request.amountMinor });
      await moveBalance(tx, row.currency, -request.amountMinor);
      await emitEvent(tx, parts, 'charge', row.ref);
      return undefined;
    },
  );
  return chargeOf(parts, result);
}

export async function findChargeToConfirm(parts: SandboxParts, ref: string): Promise<Row | null> {
  return (isPlain(ref) ? await findSandboxCharge(parts.db, ref) : undefined) ?? null;
}

/** Applies a person's decision; a no-op unless the charge is waiting for it. */
export async function decideSandboxCharge(
  parts: SandboxParts,
  ref: string,
  approve: boolean,
): Promise<Row | null> {
  if (!isPlain(ref)) return null;
  return inOwnTx(parts, async (tx) => {
    const row = await lockSandboxCharge(tx, ref);
    if (row?.status !== 'requires_action') return row ?? null;
    const after = await updateSandboxCharge(
      tx,
      ref,
      approve
        ? { status: 'succeeded', succeededAt: parts.clock.now() }
        : { status: 'failed', failure: 'authentication_failed' },
    );
    if (approve) await moveBalance(tx, row.currency, row.amountMinor);
    await emitEvent(tx, parts, 'charge', ref);
    return after;
  });
}

/** Applies due moves of a charge, each with an event, and schedules the next. Idempotent. */
export async function advanceCharge(parts: SandboxParts, ref: string): Promise<void> {
  await inOwnTx(parts, async (tx) => {
    let row = await lockSandboxCharge(tx, ref);
    let moves = 0;
    for (; row; moves += 1) {
      const next = nextChargeMove(row);
      if (!next || next.at > parts.clock.now()) break;
      row = await moveSandboxCharge(tx, parts, row, next.move, next.at);
    }
    await planNext(tx, ref, moves === 0);
    for (; moves > 0; moves -= 1) await emitEvent(tx, parts, 'charge', ref);
  });
}

async function moveSandboxCharge(
  tx: Tx,
  parts: SandboxParts,
  row: Row,
  moveName: ChargeMove,
  at: Date,
): Promise<Row> {
  if (moveName === 'fail')
    return updateSandboxCharge(tx, row.ref, { status: 'failed', failure: 'card_declined' });
  if (moveName === 'succeed') {
    await moveBalance(tx, row.currency, row.amountMinor);
    return updateSandboxCharge(tx, row.ref, { status: 'succeeded', succeededAt: at });
  }
  if (moveName === 'charge_back') {
    const amount = row.amountMinor - row.refundedMinor;
    await moveBalance(tx, row.currency, -amount);
    return updateSandboxCharge(tx, row.ref, {
      chargebackRef: newRef(parts, 'cb'),
      chargebackMinor: amount,
      chargebackStatus: 'open',
      chargebackAt: at,
    });
  }
  if (moveName === 'win_chargeback') await moveBalance(tx, row.currency, row.chargebackMinor ?? 0);
  return updateSandboxCharge(tx, row.ref, {
    chargebackStatus: moveName === 'win_chargeback' ? 'won' : 'lost',
  });
}

async function planNext(tx: Tx, ref: string, early = false): Promise<void> {
  const row = await findSandboxCharge(tx, ref);
  const next = row && nextChargeMove(row);
  if (!next) return;
  const runAt = early ? await notBeforeNow(tx, next.at) : next.at;
  await enqueue(tx, advanceChargeTask, { ref }, { runAt, key: `sandbox/${ref}` });
}

async function requireCharge(tx: Tx, ref: string): Promise<Row> {
  const row = isPlain(ref) ? await lockSandboxCharge(tx, ref) : undefined;
  if (!row) throw new ProviderRefusedError('not_found', 'no such charge');
  return row;
}

async function chargeOf(
  parts: SandboxParts & { db: Db },
  outcome: { ref: string } | { failure: string },
): Promise<ChargeState> {
  const state = 'ref' in outcome ? await getCharge(parts, outcome.ref) : null;
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
  const publicAddress = new URL(publicUrl);
  return url.origin === publicAddress.origin && url.username === '' && url.password === '' ? url.href : home;
}
