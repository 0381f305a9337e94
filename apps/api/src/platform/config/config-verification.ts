import { z } from 'zod';
import { appleKey } from './apple-key.ts';
import { isLoopback, wholeNumber } from './config-shapes.ts';

const address = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.startsWith('https:') || isLoopback(url), 'an https address')
  .transform((url) => url.replace(/\/+$/, ''));

export const openIdSettings = {
  APPLE_CLIENT_ID: {
    shape: z.string().min(1).optional(),
    doc: 'Services ID of the website at Apple. Shows the Apple button, with the three settings below (docs/identity.md).',
  },
  APPLE_TEAM_ID: { shape: z.string().min(1).optional(), doc: 'Team ID at Apple that the key belongs to.' },
  APPLE_KEY_ID: { shape: z.string().min(1).optional(), doc: 'Key ID of the key for Sign in with Apple.' },
  APPLE_PRIVATE_KEY: {
    shape: appleKey.optional(),
    secret: true,
    doc: 'Text of the .p8 file of that key, on one line with \\n for its line breaks.',
  },
  APPLE_URL: { shape: address.default('https://appleid.apple.com'), doc: 'Where Apple signs people in.' },
  OPENID_NAME: {
    shape: z.string().trim().min(1).max(40).optional(),
    doc: 'Name of one more OpenID provider, as its button says it: “Continue with …”. Shows with the three settings below.',
  },
  OPENID_ISSUER: {
    shape: address.optional(),
    doc: 'Its issuer, the address before /.well-known/openid-configuration.',
  },
  OPENID_CLIENT_ID: { shape: z.string().min(1).optional(), doc: 'Client of this server at that provider.' },
  OPENID_CLIENT_SECRET: { shape: z.string().min(1).optional(), secret: true, doc: 'Secret of that client.' },
  OPENID_CLIENT_AUTH: {
    shape: z.enum(['basic', 'post']).default('basic'),
    doc: 'How the secret is sent: client_secret_basic or client_secret_post.',
  },
} as const;

const keyBytes = 32;
/** `id:key` of sealed files, the key as 32 bytes in base64url. */
const sealingKey = z
  .string()
  .regex(/^[a-z0-9-]{1,20}:[\w-]{43}$/)
  .transform((text) => {
    const [id = '', key = ''] = text.split(':');
    return { id, key: Buffer.from(key, 'base64url') };
  })
  .refine(({ key }) => key.length === keyBytes);
const sealingKeys = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(sealingKey))
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length);

export const verificationSettings = {
  TWILIO_ACCOUNT_SID: {
    shape: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/, 'AC and 32 hexadecimal digits')
      .optional(),
    doc: 'Twilio account that sends text messages; without it texts go to /dev/mailbox, and in production phone numbers cannot be checked.',
  },
  TWILIO_AUTH_TOKEN: {
    shape: z.string().min(16).optional(),
    secret: true,
    doc: 'Auth token of the Twilio account.',
  },
  TWILIO_FROM: {
    shape: z
      .string()
      .regex(
        /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$/,
        'a number, a sender name or a messaging service',
      )
      .optional(),
    doc: 'Sender of text messages: a number such as +15550100, a sender name, or the MG… id of a messaging service.',
  },
  TEXTS_PER_DAY: {
    shape: wholeNumber(1, 1_000_000).default(1_000),
    doc: 'Codes that are texted in 24 hours by the whole platform; beyond it the check of numbers says that it is unavailable.',
  },
  DOCUMENT_KEYS: {
    shape: z
      .string()
      .superRefine((text, context) => {
        if (!sealingKeys.safeParse(text).success)
          context.addIssue({
            code: 'custom',
            message: 'id:key pairs with different ids, separated by commas',
          });
      })
      .transform((text) => sealingKeys.safeParse(text).data ?? [])
      .optional(),
    secret: true,
    doc: 'Keys that encrypt identity documents, as id:key with 32 bytes in base64url; the first one encrypts, all decrypt (docs/operations.md). Required in production; elsewhere one follows from a key in the database.',
  },
} as const satisfies Record<string, { shape: z.ZodType; doc: string; secret?: true }>;
