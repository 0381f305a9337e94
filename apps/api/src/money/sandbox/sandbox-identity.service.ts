import { z } from 'zod';
import type { IdentityState, PaymentProvider } from '../../platform/payment-provider.ts';
import { ProviderRefused } from '../../platform/payment-provider.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { inOwnTx, isPlain, once, type SandboxParts } from './sandbox.parts.ts';
import { identityMs, identityStart } from './sandbox.rules.ts';
import { findIdentity, lockIdentity, notBefore, putIdentity } from './sandbox.sql.ts';
import { emit } from './sandbox-events.service.ts';

/** The task for a pending identity check. */
export const advanceIdentityTask = {
  name: 'sandbox.advance-identity',
  payload: z.object({ ownerId: z.string() }),
};

/** What is known about a person, or null. */
export async function getIdentity(parts: SandboxParts, ownerId: string): Promise<IdentityState | null> {
  const row = isPlain(ownerId) ? await findIdentity(parts.db, ownerId) : undefined;
  return row ? { ownerId, status: row.status as IdentityState['status'], reason: row.reason } : null;
}

/** Checks a person's identity by date of birth alone; stores nothing of the input. */
export async function checkIdentity(
  parts: SandboxParts,
  o: Parameters<PaymentProvider['checkIdentity']>[0],
): Promise<IdentityState> {
  const { key, ownerId } = o;
  if (!isPlain(ownerId)) throw new ProviderRefused('invalid', 'ownerId: 1 to 255 characters');
  const content = [ownerId, o.legalName, o.bornOn, o.country, o.address];
  await once(parts, { key, operation: 'identity', content, ref: ownerId }, async (tx) => {
    const now = parts.clock.now();
    const known = await lockIdentity(tx, ownerId);
    if (known?.status === 'verified') return undefined;
    const start = identityStart(o.bornOn);
    await putIdentity(tx, { owner_id: ownerId, ...start, asked_at: now });
    if (start.status === 'pending') {
      const runAt = new Date(now.getTime() + identityMs);
      await enqueue(tx, advanceIdentityTask, { ownerId }, { runAt, key: `sandbox/identity/${ownerId}` });
    }
    await emit(tx, parts, 'identity', ownerId);
    return undefined;
  });
  const state = await getIdentity(parts, ownerId);
  if (!state) throw new Error('the identity is missing');
  return state;
}

/** Ends a check that was pending for a minute. */
export async function advanceIdentity(parts: SandboxParts, ownerId: string): Promise<void> {
  await inOwnTx(parts, async (tx) => {
    const row = await lockIdentity(tx, ownerId);
    if (row?.status !== 'pending') return;
    const due = new Date(row.asked_at.getTime() + identityMs);
    if (due > parts.clock.now()) {
      const runAt = await notBefore(tx, due);
      await enqueue(tx, advanceIdentityTask, { ownerId }, { runAt, key: `sandbox/identity/${ownerId}` });
      return;
    }
    await putIdentity(tx, { owner_id: ownerId, status: 'verified', reason: null, asked_at: row.asked_at });
    await emit(tx, parts, 'identity', ownerId);
  });
}
