import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { createGoogleBearer } from './google-bearer.ts';

export type FirebaseAccount = {
  uid: string;
  email: string | null;
  emailVerified: boolean;
  name: string;
  disabled: boolean;
  /** Sign-ins before this were revoked. */
  validSince: Date;
  providers: readonly string[];
};

/** Firebase refused a call, by its own code, such as `INVALID_OOB_CODE`. */
export class FirebaseRefusedError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`Firebase refused: ${code}`);
    this.code = code;
  }
}

/** Firebase couldn't be reached, or not with our key; the cause has the reason. */
export class FirebaseUnreachableError extends Error {}

const timeoutMs = 8_000;
const scope = 'https://www.googleapis.com/auth/identitytoolkit';

const accountShape = z.object({
  localId: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean().default(false),
  displayName: z.string().default(''),
  disabled: z.boolean().default(false),
  validSince: z.coerce.number().default(0),
  providerUserInfo: z.array(z.object({ providerId: z.string() })).default([]),
});
const accountsShape = z.object({ users: z.array(accountShape).default([]) });
const errorShape = z.object({ error: z.object({ message: z.string() }) });

type Settings = Pick<
  Config,
  | 'FIREBASE_API_KEY'
  | 'FIREBASE_API_URL'
  | 'FIREBASE_AUTH_EMULATOR'
  | 'FIREBASE_PROJECT_ID'
  | 'FIREBASE_SERVICE_ACCOUNT'
>;

/** A new `password` revokes all sign-ins. */
export type FirebaseChange = {
  email?: string;
  emailVerified?: boolean;
  password?: string;
  deleteProvider?: string[];
  disableUser?: boolean;
};

/** Uses the service account for any account, and the API key for personal proofs. */
export function createFirebaseAccounts(config: Settings, clock: Clock) {
  const { FIREBASE_AUTH_EMULATOR: emulator, FIREBASE_SERVICE_ACCOUNT: service } = config;
  const base = emulator ? `${emulator}/identitytoolkit.googleapis.com` : config.FIREBASE_API_URL;
  const bearer =
    emulator || !service
      ? { token: async () => 'owner', forget: () => {} }
      : createGoogleBearer(service, scope, clock);

  async function send(path: string, body: unknown, headers: Record<string, string>): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      throw new FirebaseUnreachableError('no answer', { cause: error });
    }
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    const refused = errorShape.safeParse(answer);
    if (response.status === 400 && refused.success)
      throw new FirebaseRefusedError(refused.data.error.message.split(/[ :]/)[0] ?? '');
    throw new FirebaseUnreachableError(`status ${response.status}`);
  }

  async function asAdmin(path: string, body: unknown): Promise<unknown> {
    const call = async () => {
      let token: string;
      try {
        token = await bearer.token();
      } catch (error) {
        throw new FirebaseUnreachableError('no token for the service account', { cause: error });
      }
      return send(`/v1/projects/${config.FIREBASE_PROJECT_ID}/accounts:${path}`, body, {
        authorization: `Bearer ${token}`,
      });
    };
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof FirebaseUnreachableError) || error.message !== 'status 401') throw error;
      bearer.forget();
      return call();
    }
  }

  const asPerson = (path: string, body: unknown): Promise<unknown> =>
    send(`/v1/accounts:${path}?key=${encodeURIComponent(config.FIREBASE_API_KEY ?? '')}`, body, {});

  return {
    async find(uid: string): Promise<FirebaseAccount | null> {
      const { users } = accountsShape.parse(await asAdmin('lookup', { localId: [uid] }));
      const [user] = users;
      return user && user.localId === uid ? readAccount(user) : null;
    },

    async findByEmail(email: string): Promise<FirebaseAccount | null> {
      const { users } = accountsShape.parse(await asAdmin('lookup', { email: [email] }));
      const [user] = users;
      return user?.email?.toLowerCase() === email.toLowerCase() ? readAccount(user) : null;
    },

    /** @throws FirebaseRefusedError such as EMAIL_EXISTS, FirebaseUnreachableError */
    async change(uid: string, change: FirebaseChange): Promise<void> {
      await asAdmin('update', { localId: uid, ...change });
    },

    /**
     * Deletes an account at Firebase. A no-op if it doesn't exist.
     * @throws FirebaseUnreachableError
     */
    async remove(uid: string): Promise<void> {
      try {
        await asAdmin('delete', { localId: uid });
      } catch (error) {
        if (!(error instanceof FirebaseRefusedError) || error.code !== 'USER_NOT_FOUND') throw error;
      }
    },

    async sendVerification(email: string): Promise<void> {
      await asAdmin('sendOobCode', { requestType: 'VERIFY_EMAIL', email });
    },

    /**
     * @returns an ID token
     * @throws FirebaseRefusedError such as INVALID_LOGIN_CREDENTIALS, FirebaseUnreachableError
     */
    async signIn(email: string, password: string): Promise<string> {
      const answer = await asPerson('signInWithPassword', { email, password, returnSecureToken: true });
      return z.object({ idToken: z.string() }).parse(answer).idToken;
    },

    /**
     * Applies a verification code.
     * @returns its account
     * @throws FirebaseRefusedError such as INVALID_OOB_CODE
     */
    async applyCode(code: string): Promise<{ uid: string | null; email: string }> {
      const answer = await asPerson('update', { oobCode: code });
      const parsed = z.object({ localId: z.string().nullish(), email: z.string() }).parse(answer);
      return { uid: parsed.localId ?? null, email: parsed.email };
    },
  };
}

export type FirebaseAccounts = ReturnType<typeof createFirebaseAccounts>;

const readAccount = (record: z.output<typeof accountShape>): FirebaseAccount => ({
  uid: record.localId,
  email: record.email?.toLowerCase() ?? null,
  emailVerified: record.emailVerified,
  name: record.displayName,
  disabled: record.disabled,
  validSince: new Date(record.validSince * 1_000),
  providers: record.providerUserInfo.map(({ providerId }) => providerId),
});
