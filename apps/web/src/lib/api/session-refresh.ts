import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { onBackOnline, reportNoAnswer } from '../device/online.ts';
import { isNative } from '../device/platform.ts';
import { type SessionUser, session } from '../session.ts';
import { giveUpAfter } from './abort-after.ts';
import { AuthError } from './auth-provider.ts';
import { apiUrl } from './server-address.ts';

export type Grant = { token: string; expiresAt: string; user: SessionUser };

/** Renew this long before expiry, so that no call uses an expired token. */
export const renewBeforeMs = minuteMs;

/** Calls with an old token wait for the renewal, so a dead connection must not block it for long. */
const renewalMs = 8_000;
const answerMs = 30_000;

/** The session storage of a phone, whose cookies the server doesn't get; null in browsers. */
const cookieStore = () => (isNative() ? import('../native/native-cookie-store.ts') : null);

/**
 * Calls a sign-in route and gives up after `timeoutMs`.
 * @throws AuthError
 */
export async function postToSignIn<Answer>(
  path: string,
  body: unknown = {},
  timeoutMs: number = answerMs,
): Promise<Answer> {
  let response: Response;
  let data: unknown;
  const native = await cookieStore();
  // Waits while the app is locked, before the timeout starts.
  const headers = await native?.sessionHeaders();
  const { signal, stop } = giveUpAfter(timeoutMs);
  try {
    response = await fetch(apiUrl(`/auth${path}`), {
      method: 'POST',
      credentials: 'same-origin',
      // A new account gets the language of the page, which may not be the browser's.
      headers: {
        'content-type': 'application/json',
        'accept-language': document.documentElement.lang || 'en',
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    });
    data = await response.json().catch((failure: unknown) => {
      if (signal.aborted) throw failure;
      return null;
    });
  } catch (failure) {
    reportNoAnswer();
    throw new AuthError('auth/network-request-failed', failure);
  } finally {
    stop();
  }
  await native?.storeSessionOf(response.headers);
  if (response.ok && data !== null) return data as Answer;
  // A proxy that can't reach the server responds with a page, not a code; a captive portal does so with 200.
  const networkCode =
    response.ok || [502, 503, 504].includes(response.status) ? 'auth/network-request-failed' : undefined;
  if (networkCode) reportNoAnswer();
  throw new AuthError((data as { code?: unknown } | null)?.code ?? networkCode, {
    status: response.status,
    answer: data,
    retryAfterSeconds: Number(response.headers.get('retry-after')),
  });
}

/** The time at which a token expires, in milliseconds; 0 if it can't be read. */
export function endOfToken(token: string): number {
  try {
    const [, payload = ''] = token.split('.');
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : 0;
  } catch {
    return 0;
  }
}

export type SessionManager = ReturnType<typeof createSessionManager>;

/** Tracks calls that replace this session, so that a concurrent renewal does not end it. */
function createReplacing() {
  let latest: Promise<void> | null = null;
  let count = 0;
  return {
    current: () => latest,
    count: () => count,
    run<Result>(call: () => Promise<Result>): Promise<Result> {
      count += 1;
      const started = call();
      const settled = started.then(
        () => {},
        () => {},
      );
      latest = settled;
      void settled.then(() => {
        if (latest === settled) latest = null;
      });
      return started;
    },
  };
}

export function createSessionManager(onEnd: () => void = () => {}) {
  const listeners = [onEnd];
  const expirations: (() => void)[] = [];
  let renewing: Promise<string | null> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let signOuts = 0;
  const replacing = createReplacing();

  function schedule(): void {
    clearTimeout(timer);
    const token = session.accessToken();
    if (!token) return;
    const wait = endOfToken(token) - Date.now() - renewBeforeMs;
    // A timer over 24.8 days fires at once, which would loop.
    timer = setTimeout(() => void renew().catch(() => {}), Math.min(Math.max(wait, 1_000), dayMs));
  }

  function start({ token, user }: Grant): SessionUser {
    const storedUser = session.user();
    if (storedUser?.id === user.id) session.update({ user, accessToken: token });
    else session.start({ user, accessToken: token });
    schedule();
    return user;
  }

  function clear(): void {
    clearTimeout(timer);
    signOuts += 1;
    for (const end of listeners) end();
    session.clear();
    void cookieStore()?.then((native) => native.deleteStoredSession());
  }

  const replace = (call: () => Promise<Grant>): Promise<SessionUser> =>
    replacing.run(() => call().then(start));

  /** Requests a new token, unless a running replacement brings one. */
  async function ask(): Promise<Grant | string | null> {
    if (replacing.current()) {
      const before = session.accessToken();
      await replacing.current();
      if (session.accessToken() !== before) return session.accessToken();
    }
    return postToSignIn<Grant>('/access-token', {}, renewalMs);
  }

  /** Renews once for concurrent callers. An ended session ends here too. */
  function renew(): Promise<string | null> {
    const signOutsBefore = signOuts;
    const replacementsBefore = replacing.count();
    renewing ??= ask()
      .then((grant) => {
        if (grant === null || typeof grant === 'string') return grant;
        // Signed out in the meantime: the response must not sign back in.
        if (signOutsBefore !== signOuts) return null;
        start(grant);
        return grant.token;
      })
      .catch(async (failure: unknown) => {
        if (failure instanceof AuthError && failure.code === 'auth/user-token-expired') {
          if (replacing.count() !== replacementsBefore) {
            await replacing.current();
            return session.accessToken();
          }
          const wasSignedIn = session.user() !== null;
          clear();
          if (wasSignedIn) for (const expired of expirations) expired();
          return null;
        }
        // Offline, the user stays signed in; retry soon.
        clearTimeout(timer);
        if (session.user()) timer = setTimeout(() => void renew().catch(() => {}), 30_000);
        throw failure;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  }

  /** Renews after an account change: a renewal that began before it may return the old state. */
  async function renewAfterChange(): Promise<string | null> {
    await renewing?.catch(() => {});
    return renew();
  }

  const renewIfDue = () => {
    const token = session.accessToken();
    if (session.user() && (!token || endOfToken(token) - Date.now() < renewBeforeMs))
      void renew().catch(() => {});
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) renewIfDue();
  });
  onBackOnline(renewIfDue);
  const atEnd = (end: () => void): void => {
    listeners.push(end);
  };
  /** Registers what follows when the server has ended the session, unlike a sign-out here. */
  const atExpiry = (expired: () => void): void => {
    expirations.push(expired);
  };
  return { start, replace, renew, renewAfterChange, clear, atEnd, atExpiry };
}
