import { z } from 'zod';
import { id, instant, operation, pageInput, pageOf } from '../operation.ts';

/** A signed-in device. `device` is its browser and system; places are not stored. */
export const sessionView = z.object({
  id,
  device: z.string(),
  current: z.boolean(),
  signedInAt: instant,
  lastUsedAt: instant,
});
export type SessionView = z.infer<typeof sessionView>;

/** Kinds of sign-in events. `failed`: a wrong password or code, counted by the hour. */
export const signInEventKinds = [
  'signed-in',
  'failed',
  'password-changed',
  'password-reset',
  'email-changed',
  'email-change-undone',
  'second-step-on',
  'second-step-off',
  'recovery-codes-made',
  'recovery-code-used',
  'passkey-added',
  'passkey-removed',
] as const;
export type SignInEventKind = (typeof signInEventKinds)[number];

export const signInEvent = z.object({
  id,
  kind: z.enum(signInEventKinds),
  device: z.string(),
  /** The first sign-in with this kind of device within the history. */
  newDevice: z.boolean(),
  /** The number within the hour; more than one for `failed` only. */
  tries: z.number().int(),
  happenedAt: instant,
});
export type SignInEvent = z.infer<typeof signInEvent>;

/** The caller's sessions and sign-in history. Private to the caller; operators can only end sessions. */
export const sessions = {
  list: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/me/sessions', summary: 'List your signed-in devices, last used first' })
    .output(z.array(sessionView)),
  end: operation({
    access: 'signed-in',
    errors: ['session/not-found'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({ method: 'DELETE', path: '/me/sessions/{sessionId}', summary: 'Sign out one device' })
    .input(z.object({ sessionId: id }))
    .output(z.object({ ended: z.number().int() })),
  endOthers: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'account' })
    .route({ method: 'DELETE', path: '/me/sessions', summary: 'Sign out all your other devices' })
    .output(z.object({ ended: z.number().int() })),
  history: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/me/sign-in-history',
      summary: 'List sign-in events of your account, newest first',
    })
    .input(z.object(pageInput))
    .output(pageOf(signInEvent)),
  endOf: operation({
    access: 'operator',
    operator: { may: 'moderation', needs: 'reason' },
    errors: [],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/accounts/{accountId}/end-sessions',
      summary: 'Sign a person out everywhere, such as after their phone was stolen',
    })
    .input(z.object({ accountId: id }))
    .output(z.object({ ended: z.number().int() })),
};
