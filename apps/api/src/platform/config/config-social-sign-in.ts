import { z } from 'zod';
import { flag, httpUrl } from './config-shapes.ts';

export const socialSignInSettings = {
  LOCAL_SIGN_IN: {
    shape: flag.optional(),
    doc: 'Lets the Google and Facebook buttons lead to a page of this server where you sign in as anyone, unless their clients are set. On by default with NODE_ENV=development; production refuses it.',
  },
  GOOGLE_CLIENT_ID: {
    shape: z.string().optional(),
    doc: 'Shows the Google button when set together with its secret.',
  },
  GOOGLE_CLIENT_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret of the Google client.' },
  GOOGLE_ISSUER: {
    shape: httpUrl.default('https://accounts.google.com'),
    doc: 'OpenID issuer behind the Google button.',
  },
  FACEBOOK_CLIENT_ID: {
    shape: z.string().optional(),
    doc: 'Shows the Facebook button when set together with its secret.',
  },
  FACEBOOK_CLIENT_SECRET: { shape: z.string().optional(), secret: true, doc: 'Secret of the Facebook app.' },
} as const;

export const localIdentityPath = '/dev/identity';
export const localClient = { id: 'local', secret: 'local' } as const;

type Values = {
  [Name in keyof typeof socialSignInSettings]: z.output<(typeof socialSignInSettings)[Name]['shape']>;
};

/** Points buttons without a configured client to the built-in provider. */
export function withLocalSignIn(config: Values, nodeEnv: string, publicUrl: string) {
  const isLocal = nodeEnv !== 'production' && (config.LOCAL_SIGN_IN ?? nodeEnv === 'development');
  const base = `${publicUrl}${localIdentityPath}`;
  return {
    LOCAL_SIGN_IN: isLocal,
    ...(isLocal && !config.GOOGLE_CLIENT_ID
      ? {
          GOOGLE_CLIENT_ID: localClient.id,
          GOOGLE_CLIENT_SECRET: localClient.secret,
          GOOGLE_ISSUER: `${base}/google`,
        }
      : {}),
    ...(isLocal && !config.FACEBOOK_CLIENT_ID
      ? {
          FACEBOOK_CLIENT_ID: localClient.id,
          FACEBOOK_CLIENT_SECRET: localClient.secret,
          FACEBOOK_AUTHORIZE_URL: `${base}/facebook/authorize`,
          FACEBOOK_TOKEN_URL: `${base}/facebook/token`,
          FACEBOOK_PROFILE_URL: `${base}/facebook/me`,
        }
      : {}),
  };
}
