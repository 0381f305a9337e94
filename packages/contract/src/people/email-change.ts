import { z } from 'zod';
import { limits } from '../limits.ts';
import { instant, operation } from '../operation.ts';
import { accountEmail } from './email.ts';

export const openEmailChange = z.object({
  newEmail: z.string(),
  oldConfirmed: z.boolean(),
  newConfirmed: z.boolean(),
  expiresAt: instant,
});
export type OpenEmailChange = z.infer<typeof openEmailChange>;

const tokenMax = 100;
const link = z.object({
  token: z
    .string()
    .min(1)
    .max(tokenMax)
    .regex(/^[\w-]+$/),
});

/** `waiting`: the other address has yet to confirm. */
export const emailChangeStep = z.object({
  status: z.enum(['waiting', 'done']),
  waitingFor: z.enum(['old', 'new']).nullable(),
  newEmail: z.string(),
});
export type EmailChangeStep = z.infer<typeof emailChangeStep>;

/** Changes an account's address (ADR 157). Both confirm; for `peopleLimits.emailUndoDays` the old one can undo it. */
export const emailChange = {
  current: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/me/email-change',
      summary: 'Get your open change of email, if there is one',
    })
    .output(openEmailChange.nullable()),
  start: operation({
    access: 'verified',
    errors: ['email-change/same-address', 'email-change/taken', 'email-change/too-many'],
    effects: ['guarded'],
    whileSuspended: 'account',
  })
    .route({ method: 'POST', path: '/me/email-change', summary: 'Start to change your email' })
    .input(z.object({ newEmail: accountEmail(limits.emailMax) }))
    .output(openEmailChange),
  cancel: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'account' })
    .route({ method: 'DELETE', path: '/me/email-change', summary: 'Cancel your open change of email' })
    .output(z.null()),
  confirm: operation({
    access: 'public',
    errors: [
      'email-change/not-found',
      'email-change/expired',
      'email-change/sign-in-first',
      'email-change/taken',
    ],
    effects: ['guarded:input'],
    whileSuspended: 'account',
  })
    .route({ method: 'POST', path: '/email-change/confirm', summary: 'Confirm a change by its mailed link' })
    .input(link)
    .output(emailChangeStep),
  undo: operation({
    access: 'public',
    errors: ['email-change/not-found', 'email-change/expired', 'email-change/taken'],
    effects: ['guarded:input'],
    whileSuspended: 'account',
  })
    .route({ method: 'POST', path: '/email-change/undo', summary: 'Undo a change by its mailed link' })
    .input(link)
    .output(
      z.object({
        email: z.string(),
        /** Opens `/login?reset=`: the old password no longer works. */
        resetToken: z.string(),
      }),
    ),
};
