import { z } from 'zod';
import { appleKey } from './apple-key.ts';
import { isLoopback } from './config-shapes.ts';

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
