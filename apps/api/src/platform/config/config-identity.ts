import { z } from 'zod';
import { httpUrl, isLoopback } from './config-shapes.ts';

export const serviceAccount = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      project_id: z.string().min(1),
      client_email: z.string().min(1),
      private_key: z.string().includes('PRIVATE KEY'),
      token_uri: httpUrl,
    }),
  );

const signerKeyBytes = 64;

const hashConfig = z.string().transform((text, context) => {
  // Base64 may begin with + or /, which aren't separators.
  const field = (name: string) => new RegExp(`${name}[^\\w+/-]+([\\w+/=-]+)`).exec(text)?.[1] ?? '';
  const rounds = Number(field('rounds'));
  const memCost = Number(field('mem_cost'));
  const signerKey = Buffer.from(field('base64_signer_key'), 'base64');
  const isScrypt = field('algorithm') === 'SCRYPT' && signerKey.length === signerKeyBytes;
  if (!isScrypt || !(rounds >= 1 && rounds <= 8) || !(memCost >= 1 && memCost <= 14)) {
    context.addIssue({ code: 'custom', message: 'the hash_config that the Firebase console shows' });
    return z.NEVER;
  }
  return { signerKey, saltSeparator: Buffer.from(field('base64_salt_separator'), 'base64'), rounds, memCost };
});

const address = (url: string) => httpUrl.default(url).transform((text) => text.replace(/\/+$/, ''));

const social = ['google', 'facebook', 'apple'] as const;

export const identitySettings = {
  IDENTITY_PROVIDER: {
    shape: z.enum(['built-in', 'firebase']).default('built-in'),
    doc: 'Who signs people in: this server (built-in), or Firebase Authentication (docs/identity.md).',
  },
  FIREBASE_PROJECT_ID: {
    shape: z
      .string()
      .regex(/^[a-z][a-z0-9-]{3,61}$/, 'a project id such as my-project-1a2b3')
      .optional(),
    doc: 'Firebase project whose accounts sign in; ID tokens of any other project are refused.',
  },
  FIREBASE_API_KEY: {
    shape: z.string().min(8).max(200).optional(),
    doc: 'Web API key of the Firebase project. Browsers get it; it is no secret.',
  },
  FIREBASE_SERVICE_ACCOUNT: {
    shape: serviceAccount.optional(),
    secret: true,
    doc: 'JSON key of a service account with the role Firebase Authentication Admin. It looks up whether an account was disabled or signed out.',
  },
  FIREBASE_SOCIAL: {
    shape: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(z.enum(social)))
      .default([]),
    doc: 'Which of google, facebook and apple are turned on in the Firebase console, separated by commas; their buttons show.',
  },
  FIREBASE_AUTH_DOMAIN: {
    shape: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a host such as my-project.firebaseapp.com')
      .optional(),
    doc: 'Host that answers /__/auth, to which this server passes it on; FIREBASE_PROJECT_ID.firebaseapp.com by default.',
  },
  FIREBASE_AUTH_EMULATOR: {
    shape: httpUrl
      .refine((url) => isLoopback(url), 'an address of this machine')
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    doc: 'Address of the Firebase Auth emulator, http://127.0.0.1:9099; its unsigned tokens are then accepted. Production refuses it.',
  },
  FIREBASE_HASH_CONFIG: {
    shape: hashConfig.optional(),
    secret: true,
    doc: 'The hash_config that the Firebase console shows under “Password hash parameters”, on one line. The built-in sign-in checks passwords with it that came from Firebase (docs/identity.md).',
  },
  FIREBASE_KEYS_URL: {
    shape: address(
      'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
    ),
    doc: 'Where the public keys of ID tokens are.',
  },
  FIREBASE_API_URL: {
    shape: address('https://identitytoolkit.googleapis.com'),
    doc: 'Address of the Identity Toolkit API.',
  },
} as const;

type Values = {
  [Name in keyof typeof identitySettings]: z.output<(typeof identitySettings)[Name]['shape']>;
};

export function identityProblems(config: Values & { NODE_ENV: string }): string[] {
  const isEmulated = config.FIREBASE_AUTH_EMULATOR !== undefined;
  const problems =
    isEmulated && config.NODE_ENV === 'production'
      ? [
          'FIREBASE_AUTH_EMULATOR: not in production, where its unsigned tokens would let anyone sign in as anyone.',
        ]
      : [];
  if (config.IDENTITY_PROVIDER !== 'firebase') return problems;
  const needed = [
    'FIREBASE_PROJECT_ID',
    'FIREBASE_API_KEY',
    ...(isEmulated ? [] : (['FIREBASE_SERVICE_ACCOUNT'] as const)),
  ] as const;
  const missing = needed.filter((name) => config[name] === undefined);
  return [
    ...problems,
    ...missing.map((name) => `${name}: must be set with IDENTITY_PROVIDER=firebase (docs/identity.md).`),
    ...(config.FIREBASE_SERVICE_ACCOUNT &&
    config.FIREBASE_PROJECT_ID &&
    config.FIREBASE_SERVICE_ACCOUNT.project_id !== config.FIREBASE_PROJECT_ID
      ? ['FIREBASE_SERVICE_ACCOUNT: belongs to another project than FIREBASE_PROJECT_ID.']
      : []),
  ];
}
