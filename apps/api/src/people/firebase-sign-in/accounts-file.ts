import { z } from 'zod';

const base64 = z.string().regex(/^[\w+/=-]*$/, 'base64');

/** Ways to sign in that both sides know, by Firebase's name. */
export const socialProviders = {
  'google.com': 'google',
  'facebook.com': 'facebook',
  'apple.com': 'apple',
} as const;

/** One account in the JSON file of `firebase auth:export` and `auth:import`; what we don't use is left out. */
export const accountInFile = z.object({
  localId: z.string().min(1).max(128),
  email: z.string().optional(),
  emailVerified: z.boolean().optional(),
  passwordHash: base64.optional().catch(undefined),
  salt: base64.optional().catch(undefined),
  displayName: z.string().optional(),
  createdAt: z.string().optional(),
  disabled: z.boolean().optional(),
  providerUserInfo: z
    .array(
      z.object({ providerId: z.string(), rawId: z.string(), email: z.string().optional() }).partial({
        rawId: true,
      }),
    )
    .optional(),
});

export type AccountInFile = z.output<typeof accountInFile>;

/** The whole file. */
export const accountsFile = z.object({ users: z.array(accountInFile) });
