import { z } from 'zod';
import { limits } from './limits.ts';
import { id, instant, line, memberRoles, operation } from './operation.ts';
import { intents } from './profile-choices.ts';

/** Version of the terms and conditions in force (`/toc`); accepting any other is refused. */
export const termsInForce = '2026-11-01';

/** The business as its member sees it in menus. */
export const membership = z.object({
  businessId: id,
  name: z.string(),
  role: z.enum(memberRoles),
  status: z.string(),
  logoPath: z.string().nullable(),
});
export type Membership = z.infer<typeof membership>;

/** The signed-in account as it sees itself. */
export const account = z.object({
  id,
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  intent: z.enum(intents).nullable(),
  createdAt: instant,
  /** The newest terms accepted, and the version in force. */
  termsAccepted: z.string().nullable(),
  termsInForce: z.string(),
  memberships: z.array(membership),
  /** Without those of messages, which `chat.unread` counts. */
  unreadNotifications: z.number().int(),
  photoPath: z.string().nullable(),
});
export type Account = z.infer<typeof account>;

/** Which sign-in providers are configured: their buttons show only where they work. */
export const signInOptions = z.object({
  provider: z.enum(['built-in', 'firebase']),
  google: z.boolean(),
  facebook: z.boolean(),
  /** Where development mail can be read; null in production. */
  mailboxPath: z.string().nullable(),
});
export type SignInOptions = z.infer<typeof signInOptions>;

/** The signed-in account; signing in itself is the provider's (ADR 0010). */
export const accounts = {
  signInOptions: operation({ access: 'public', errors: [] })
    .route({
      method: 'GET',
      path: '/accounts/sign-in-options',
      summary: 'Ways to sign in that are configured',
    })
    .output(signInOptions),
  me: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'GET', path: '/accounts/me', summary: 'The signed-in account' })
    .output(account),
  update: operation({ access: 'verified', errors: [] })
    .route({ method: 'PATCH', path: '/accounts/me', summary: 'Change name or what brings you here' })
    .input(z.object({ name: line(limits.nameMax).optional(), intent: z.enum(intents).optional() }))
    .output(account),
  acceptTerms: operation({ access: 'verified', errors: ['request/invalid'] })
    .route({ method: 'POST', path: '/accounts/me/terms', summary: 'Accept the terms in force' })
    .input(z.object({ version: z.string().max(40) }))
    .output(account),
};
