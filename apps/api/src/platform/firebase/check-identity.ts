import { minuteMs } from '@nearhand/contract/durations';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import {
  createFirebaseAccounts,
  FirebaseRefusedError,
  FirebaseUnreachableError,
} from './firebase-accounts.ts';

const timeoutMs = 8_000;
/** Clock skew allowed before ID tokens are refused. */
const toleranceMs = minuteMs;

const unknownPerson = ['INVALID_LOGIN_CREDENTIALS', 'EMAIL_NOT_FOUND', 'INVALID_PASSWORD'];

const refusals: Record<string, string> = {
  API: 'FIREBASE_API_KEY is not a key of this project. Copy the apiKey under Project settings, General, Your apps.',
  API_KEY_INVALID:
    'FIREBASE_API_KEY is not a key of this project. Copy the apiKey under Project settings, General, Your apps.',
  CONFIGURATION_NOT_FOUND:
    'Authentication is not set up in the Firebase project. Open Authentication in its console and press Get started.',
  PASSWORD_LOGIN_DISABLED: 'Email/Password is turned off. Turn it on under Authentication, Sign-in method.',
  OPERATION_NOT_ALLOWED: 'Email/Password is turned off. Turn it on under Authentication, Sign-in method.',
};

/**
 * Checks Firebase read-only.
 * @returns a sentence per problem
 */
export async function checkIdentity(config: Config, clock: Clock): Promise<string[]> {
  const accounts = createFirebaseAccounts(config, clock);
  // With a wrong clock or no network, the rest fails for the same reason.
  const first = config.FIREBASE_AUTH_EMULATOR ? [] : await checkKeys(config, clock);
  if (first.length > 0) return first;
  const admin = await callProblems(() => accounts.find('nobody'), {
    'no token for the service account':
      'Google refuses FIREBASE_SERVICE_ACCOUNT, or can’t be reached. Make a new key for the service account.',
    'status 401': 'Firebase refuses FIREBASE_SERVICE_ACCOUNT. Make a new key for the service account.',
    'status 403': `The service account may not read the accounts of ${config.FIREBASE_PROJECT_ID}. Give it the role Firebase Authentication Admin.`,
  });
  const person = await callProblems(() => accounts.signIn('nobody@nearhand.invalid', 'not a password'), {
    'status 403':
      'FIREBASE_API_KEY is restricted, or the Identity Toolkit API is off. Allow it for the key in the Cloud console.',
  });
  return [...new Set([...admin, ...person])];
}

async function checkKeys({ FIREBASE_KEYS_URL: url }: Config, clock: Clock): Promise<string[]> {
  let answer: Response;
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    const { keys } = (await answer.json()) as { keys?: unknown };
    if (!answer.ok || !Array.isArray(keys) || keys.length === 0) throw new Error(`status ${answer.status}`);
  } catch (error) {
    const reason = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
    return [`The keys of ID tokens can’t be read from ${url} (${reason}), so nobody can sign in.`];
  }
  const there = Date.parse(answer.headers.get('date') ?? '');
  const ahead = clock.now().getTime() - there;
  if (Number.isNaN(there) || Math.abs(ahead) <= toleranceMs) return [];
  const minutes = Math.round(Math.abs(ahead) / minuteMs);
  const side = ahead > 0 ? 'ahead of' : 'behind';
  return [
    `The clock of this server is ${minutes} minutes ${side} Google’s. Set it, or ID tokens are refused.`,
  ];
}

async function callProblems(
  call: () => Promise<unknown>,
  problems: Record<string, string>,
): Promise<string[]> {
  try {
    await call();
    return [];
  } catch (error) {
    if (error instanceof FirebaseRefusedError)
      return unknownPerson.includes(error.code)
        ? []
        : [refusals[error.code] ?? `Firebase refuses the call: ${error.code}.`];
    if (!(error instanceof FirebaseUnreachableError)) throw error;
    return [problems[error.message] ?? `Firebase can’t be reached: ${error.message}.`];
  }
}
