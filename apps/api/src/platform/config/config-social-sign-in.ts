import { z } from 'zod';

/** Settings for Google and Facebook sign-in; part of `settings` in config.ts. */
export const socialSignInSettings = {
  GOOGLE_CLIENT_ID: {
    shape: z.string().optional(),
    doc: 'Shows the Google button when set together with its secret.',
  },
  GOOGLE_CLIENT_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret of the Google client.' },
  GOOGLE_ISSUER: {
    shape: z.url().default('https://accounts.google.com'),
    doc: 'OpenID issuer behind the Google button.',
  },
  FACEBOOK_CLIENT_ID: {
    shape: z.string().optional(),
    doc: 'Shows the Facebook button when set together with its secret.',
  },
  FACEBOOK_CLIENT_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret of the Facebook app.' },
  FACEBOOK_AUTHORIZE_URL: {
    shape: z.url().default('https://www.facebook.com/v23.0/dialog/oauth'),
    doc: 'Page where Facebook asks for consent.',
  },
  FACEBOOK_TOKEN_URL: {
    shape: z.url().default('https://graph.facebook.com/v23.0/oauth/access_token'),
    doc: 'Endpoint that exchanges the code for a token.',
  },
  FACEBOOK_PROFILE_URL: {
    shape: z.url().default('https://graph.facebook.com/v23.0/me?fields=id,name,email'),
    doc: 'Endpoint that returns name and email.',
  },
} as const;
