import { z } from 'zod';
import { operation } from '../operation.ts';

/** The Firebase project of the sign-in, as its SDK needs it; nothing here is secret. */
export const firebaseApp = z.object({
  projectId: z.string(),
  apiKey: z.string(),
  authDomain: z.string(),
  emulator: z.string().nullable(),
});
export type FirebaseApp = z.infer<typeof firebaseApp>;

export const signInOptions = z.object({
  provider: z.enum(['built-in', 'firebase']),
  google: z.boolean(),
  facebook: z.boolean(),
  apple: z.boolean(),
  /** Another OpenID provider, with the name on its button. */
  openId: z.object({ name: z.string() }).nullable(),
  firebase: firebaseApp.nullable(),
  /** The development mailbox; null in production. */
  mailboxPath: z.string().nullable(),
});
export type SignInOptions = z.infer<typeof signInOptions>;

/** `on` means that signing in requires a code of an authenticator app. Turning it on or off requires the password. */
export const secondStepView = z.object({ on: z.boolean(), hasPassword: z.boolean() });
export type SecondStep = z.infer<typeof secondStepView>;

/** Proofs beyond the password: a code of an authenticator app, or a passkey. */
export const secondFactors = ['code', 'passkey'] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** Settings for clients before sign-in, which itself is the provider's (ADR 10). */
export const signIn = {
  options: operation({ access: 'public', errors: [] })
    .route({
      method: 'GET',
      path: '/accounts/sign-in-options',
      summary: 'Configured sign-in methods',
    })
    .output(signInOptions),
  secondStep: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/me/second-step',
      summary: 'Check whether your sign-in asks for a second step',
    })
    .output(secondStepView),
};
