import { minuteMs } from '@nearhand/contract/durations';
import type { OperationMeta } from '@nearhand/contract/operation';
import type { AuthCode } from '@nearhand/contract/people/auth-codes';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import {
  createFirebaseAccounts,
  FirebaseRefused,
  FirebaseUnreachable,
} from '../../platform/firebase/firebase-accounts.ts';
import { createTokenReader, TokenRefused } from '../../platform/firebase/firebase-tokens.ts';
import type { Actor } from '../../platform/http/scope.ts';
import type { Log } from '../../platform/log.ts';
import { endAllSessions } from '../sessions/sessions.ts';
import { AuthFailure, type ExternalIdentity, type Standing } from '../sign-in/other-sign-in.ts';
import { sessionOpenedAt } from '../sign-in/sign-in.service.ts';
import { identityOf } from './firebase-identities.ts';
import type { Vouched } from './linking.ts';

/** How far our clock and Google's may differ before a session counts as older than its revocation. */
const toleranceMs = minuteMs;

const tokenCodes = {
  expired: 'auth/user-token-expired',
  invalid: 'auth/invalid-user-token',
  'other-project': 'auth/app-not-authorized',
  'keys-unreachable': 'auth/network-request-failed',
} as const satisfies Record<TokenRefused['problem'], AuthCode>;

/** Firebase's codes for what a person sent. Others are faults of the configuration. */
const refusedCodes: Partial<Record<string, AuthCode>> = {
  INVALID_LOGIN_CREDENTIALS: 'auth/invalid-credential',
  INVALID_PASSWORD: 'auth/invalid-credential',
  EMAIL_NOT_FOUND: 'auth/invalid-credential',
  INVALID_EMAIL: 'auth/invalid-email',
  USER_DISABLED: 'auth/user-disabled',
  USER_NOT_FOUND: 'auth/user-not-found',
  TOO_MANY_ATTEMPTS_TRY_LATER: 'auth/too-many-requests',
  PASSWORD_LOGIN_DISABLED: 'auth/operation-not-allowed',
  OPERATION_NOT_ALLOWED: 'auth/operation-not-allowed',
  EMAIL_EXISTS: 'auth/email-already-in-use',
  INVALID_OOB_CODE: 'auth/invalid-action-code',
  EXPIRED_OOB_CODE: 'auth/expired-action-code',
  WEAK_PASSWORD: 'auth/weak-password',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'auth/password-does-not-meet-requirements',
};

type Parts = { config: Config; db: Db; clock: Clock; log: Log };

/** A session that Firebase ended since, other than by a change that came from here. */
const isRevoked = (since: Date, validSince: Date, ownChangeAt: Date | null): boolean =>
  since.getTime() + toleranceMs < validSince.getTime() &&
  (ownChangeAt === null || validSince.getTime() > ownChangeAt.getTime());

/** Accounts at Firebase: what its tokens say, and how they stand now. */
export type FirebaseIdentity = ExternalIdentity & ReturnType<typeof createFirebaseIdentity>;

/** Null with another identity provider. */
export const firebaseIdentity = (parts: Parts): FirebaseIdentity | null =>
  parts.config.IDENTITY_PROVIDER === 'firebase' ? createFirebaseIdentity(parts) : null;

function createFirebaseIdentity({ config, db, clock, log }: Parts) {
  const readToken = createTokenReader(config, clock);
  const accounts = createFirebaseAccounts(config, clock);

  /** Runs a call to Firebase with the specification's codes for its failures (spec §8). @throws AuthFailure */
  async function withCodes<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof TokenRefused) {
        // No token in the log: its cause says which check failed.
        log.info({ problem: error.problem, why: (error.cause as Error)?.message }, 'an ID token was refused');
        throw new AuthFailure(tokenCodes[error.problem]);
      }
      if (error instanceof FirebaseRefused && refusedCodes[error.code])
        throw new AuthFailure(refusedCodes[error.code] ?? 'auth/internal-error');
      if (error instanceof FirebaseUnreachable) {
        log.error({ err: error }, 'Firebase could not be reached');
        throw new AuthFailure('auth/network-request-failed');
      }
      throw error;
    }
  }

  return {
    accounts,
    withCodes,

    /**
     * What an ID token and Firebase itself say about its person, now.
     * @throws AuthFailure auth/user-token-expired, auth/invalid-user-token, auth/app-not-authorized, auth/network-request-failed, auth/user-not-found, auth/user-disabled, auth/missing-email
     */
    vouch: (idToken: string): Promise<Vouched & { signedInAt: Date }> =>
      withCodes(async () => {
        const { uid, signedInAt, provider, name } = await readToken(idToken);
        const account = await accounts.find(uid);
        if (!account) throw new AuthFailure('auth/user-not-found');
        if (account.disabled) throw new AuthFailure('auth/user-disabled');
        if (signedInAt < account.validSince) throw new AuthFailure('auth/user-token-expired');
        if (account.email === null) throw new AuthFailure('auth/missing-email');
        const known = { ...account, name: account.name || name };
        return { account: known, email: account.email, provider, signedInAt };
      }),

    /** Accounts that were never linked have their standing here. */
    async standing(accountId: string, since: Date | null): Promise<Standing> {
      const linked = await identityOf(db, accountId);
      if (!linked) return 'good';
      try {
        const account = await accounts.find(linked.uid);
        if (!account || account.disabled) return 'ended';
        return since !== null && isRevoked(since, account.validSince, linked.ownChangeAt) ? 'ended' : 'good';
      } catch (error) {
        log.error({ err: error }, 'Firebase could not be asked about an account');
        return 'unknown';
      }
    },

    async checkPassword(email: string, password: string): Promise<void> {
      try {
        await withCodes(() => accounts.signIn(email, password));
      } catch (error) {
        if (error instanceof AuthFailure && error.code === 'auth/invalid-credential')
          throw new AuthFailure('auth/wrong-password');
        throw error;
      }
    },
  };
}

/**
 * Where money moves, and how an account signs in changes, Firebase is asked again: a disabled account, or a session that was revoked, ends now.
 * @throws session/expired, request/unavailable if Firebase can't be reached
 */
export async function requireStanding(
  identity: FirebaseIdentity | null,
  db: Db,
  { actor, operation, meta }: { actor: Actor; operation: string; meta: OperationMeta },
): Promise<void> {
  if (!identity || !isChecked(operation, meta)) return;
  const standing = await identity.standing(actor.accountId, await sessionOpenedAt(db, actor.sessionId));
  if (standing === 'good') return;
  if (standing === 'unknown') throw new AppError('request/unavailable');
  await db.transaction().execute((tx) => endAllSessions(tx, actor.accountId));
  throw new AppError('session/expired');
}

/** Writes that an external identity provider is asked about although they are neither guarded nor move money. */
export const alsoChecked: readonly string[] = [
  'cards.add',
  'cards.remove',
  'cards.makeDefault',
  'dataExports.request',
  'offers.accept',
];

/** Whether an external identity provider is asked how the account stands before this write. */
const isChecked = (operation: string, { effects = [] }: Pick<OperationMeta, 'effects'>): boolean =>
  effects.some((effect) => effect === 'money' || effect.startsWith('guarded')) ||
  alsoChecked.includes(operation);
