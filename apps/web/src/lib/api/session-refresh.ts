import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { onBackOnline, reportNoAnswer } from '../device/online.ts';
import { isNative } from '../device/platform.ts';
import { type SessionUser, session } from '../session.ts';
import { giveUpAfter } from './abort-after.ts';
import { AuthError } from './auth-provider.ts';
import { apiUrl } from './server-address.ts';

/** The server's answer to every sign-in and renewal. */
export type Grant = { token: string; expiresAt: string; user: SessionUser };

/** Renew this long before expiry, so that no call uses an expired token. */
export const renewBeforeMs = minuteMs;

/** Every call with an old token waits for its renewal, so that one must not hang on a dead connection. */
const renewalMs = 8_000;
const answerMs = 30_000;

/** The session's place on a phone, whose cookies the server doesn't get; null in browsers. */
const keptCookies = () => (isNative() ? import('../native/native-cookie-store.ts') : null);

/** A call of the sign-in routes, given up after `timeoutMs` without an answer. @throws AuthError */
export async function post<Answer>(
  path: string,
  body: unknown = {},
  timeoutMs: number = answerMs,
): Promise<Answer> {
  let response: Response;
  let data: unknown;
  const native = await keptCookies();
  // Waits as long as the app is locked, before the time of the call starts.
  const headers = await native?.sessionHeaders();
  const { signal, stop } = giveUpAfter(timeoutMs);
  try {
    response = await fetch(apiUrl(`/auth${path}`), {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', ...headers },
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
  await native?.keepSessionOf(response.headers);
  if (response.ok && data !== null) return data as Answer;
  // A proxy that can't reach the server answers with a page, not a code; so does a hotel's sign-in page, with 200.
  const lost =
    response.ok || [502, 503, 504].includes(response.status) ? 'auth/network-request-failed' : undefined;
  if (lost) reportNoAnswer();
  throw new AuthError((data as { code?: unknown } | null)?.code ?? lost, {
    status: response.status,
    answer: data,
  });
}

/** A token's expiry from its payload; 0 if unreadable. */
export function endOfToken(token: string): number {
  try {
    const [, payload = ''] = token.split('.');
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : 0;
  } catch {
    return 0;
  }
}

/** The session on this device: renews its token in time. */
export type KeptSession = ReturnType<typeof keepSession>;

/**
 * Calls that end this session and bring the next one, such as a change of password. The server closes the socket of the old one before its answer is here,
 * and what renews the session then must not find it ended.
 */
function createReplacing() {
  let latest: Promise<void> | null = null;
  let count = 0;
  return {
    /** Over when the latest of them is, whatever came of it; null while none runs. */
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

/** Keeps the session on this device, and calls `onEnd` and those of `atEnd` when it ends. */
export function keepSession(onEnd: () => void = () => {}) {
  const ends = [onEnd];
  let renewing: Promise<string | null> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let signOuts = 0;
  const replacing = createReplacing();

  /** Schedules renewal; a suspended page renews when it wakes. */
  function schedule(): void {
    clearTimeout(timer);
    const token = session.accessToken();
    if (!token) return;
    const wait = endOfToken(token) - Date.now() - renewBeforeMs;
    // A timer over 24.8 days fires at once, and would renew for ever.
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
    for (const end of ends) end();
    session.clear();
    void keptCookies()?.then((native) => native.forgetKeptSession());
  }

  const replace = (call: () => Promise<Grant>): Promise<SessionUser> =>
    replacing.run(() => call().then(start));

  /** Asks for a new token, unless a running replacement brings one. */
  async function ask(): Promise<Grant | string | null> {
    if (replacing.current()) {
      const before = session.accessToken();
      await replacing.current();
      if (session.accessToken() !== before) return session.accessToken();
    }
    return post<Grant>('/access-token', {}, renewalMs);
  }

  /** Renews once for concurrent callers. An ended session ends here too. */
  function renew(): Promise<string | null> {
    const signOutsBefore = signOuts;
    const replacementsBefore = replacing.count();
    renewing ??= ask()
      .then((grant) => {
        if (grant === null || typeof grant === 'string') return grant;
        // Signed out in the meantime: the answer must not sign back in.
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
          clear();
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

  /** Renews after a change of the account: a renewal that began before it may bring the state before. */
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
    ends.push(end);
  };
  return { start, replace, renew, renewAfterChange, clear, atEnd };
}
