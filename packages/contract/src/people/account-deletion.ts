import { z } from 'zod';
import { currency } from '../money.ts';
import { id, instant, operation } from '../operation.ts';
import { deletionCodeShape, deletionLimits } from './account-deletion.rules.ts';

const count = z.number().int().min(1);

/** Obstacles to deleting an account, in the order of the screens. Amounts in minor units. */
export const deletionObstacle = z.discriminatedUnion('kind', [
  /** Money that can be withdrawn, or will be soon. */
  z.object({ kind: z.literal('balance'), amountMinor: z.number().int(), currency }),
  z.object({ kind: z.literal('withdrawal'), count }),
  z.object({ kind: z.literal('work'), count }),
  z.object({ kind: z.literal('dispute'), count }),
  z.object({ kind: z.literal('offer'), count }),
  z.object({ kind: z.literal('business'), businessId: id, name: z.string() }),
  z.object({ kind: z.literal('operator') }),
]);
export type DeletionObstacle = z.infer<typeof deletionObstacle>;

/** `scheduled`: until `deleteAt` it can only read, export and undo. `postponed`: it retries daily. */
export const accountDeletionState = z.object({
  status: z.enum(['none', 'scheduled', 'postponed']),
  requestedAt: instant.nullable(),
  deleteAt: instant.nullable(),
  obstacles: z.array(deletionObstacle),
  /** Withdrawals of the last 30 days, which a bank may still return. Minor units. */
  mayReturn: z.array(z.object({ amountMinor: z.number().int(), currency })),
  confirmBy: z.enum(['password', 'code']),
  graceDays: z.number().int(),
});
export type AccountDeletionState = z.infer<typeof accountDeletionState>;

/**
 * Deletes one's own account: after a grace period, everything that identifies the person is erased (ADR 160).
 */
export const accountDeletion = {
  get: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/accounts/me/deletion',
      summary: 'Get the state of your account deletion, and its obstacles',
    })
    .output(accountDeletionState),
  sendCode: operation({
    access: 'signed-in',
    errors: ['account/has-password', 'account/too-many-codes'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/accounts/me/deletion/code',
      summary: 'Mail yourself a code that confirms the deletion, for accounts without a password',
    })
    .output(z.object({ sentTo: z.string(), expiresAt: instant })),
  request: operation({
    access: 'signed-in',
    errors: [
      'account/cannot-be-deleted',
      'account/wrong-password',
      'account/wrong-code',
      'account/too-many-tries',
      'session/password-required',
    ],
    effects: ['guarded:input'],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/accounts/me/deletion',
      summary: 'Delete your account after the days in which you can undo it; ends all your sessions',
    })
    .input(
      z.object({
        password: z.string().min(1).max(deletionLimits.password).optional(),
        code: z.string().regex(deletionCodeShape).optional(),
        /** Instead of `password` or `code`: the account was confirmed with a passkey in the last minutes. */
        byPasskey: z.literal(true).optional(),
      }),
    )
    .output(accountDeletionState),
  undo: operation({
    access: 'signed-in',
    errors: [],
    whileLeaving: true,
    effects: [],
    whileSuspended: 'account',
  })
    .route({ method: 'DELETE', path: '/accounts/me/deletion', summary: 'Keep your account' })
    .output(accountDeletionState),
};
