import { z } from 'zod';
import { operation } from '../operation.ts';

/** Which sign-in providers are configured: their buttons show only where they work. */
export const signInOptions = z.object({
  provider: z.enum(['built-in', 'firebase']),
  google: z.boolean(),
  facebook: z.boolean(),
  /** Where development mail can be read; null in production. */
  mailboxPath: z.string().nullable(),
});
export type SignInOptions = z.infer<typeof signInOptions>;

/** What a client needs before anyone is signed in; signing in itself is the provider's (ADR 0010). */
export const signIn = {
  options: operation({ access: 'public', errors: [] })
    .route({
      method: 'GET',
      path: '/accounts/sign-in-options',
      summary: 'Configured sign-in methods',
    })
    .output(signInOptions),
};
