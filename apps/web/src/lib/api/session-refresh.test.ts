import { afterEach, describe, expect, it, vi } from 'vitest';
import { session } from '../session.ts';
import { AuthError } from './auth-provider.ts';
import { createSessionManager, postToSignIn } from './session-refresh.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('aborts a call on a dead connection, as a lost connection', async () => {
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: { signal?: AbortSignal }) =>
      new Promise((_answer, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  );
  const failure = await postToSignIn('/access-token', {}, 50).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AuthError);
  expect((failure as AuthError).code).toBe('auth/network-request-failed');
});

it("treats a captive network's page as a lost connection, not as our fault", async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Hotel Wifi</h1>'));
  await expect(postToSignIn('/access-token')).rejects.toMatchObject({ code: 'auth/network-request-failed' });
});

it('works in browsers without AbortSignal.timeout', async () => {
  vi.stubGlobal('AbortSignal', class {});
  vi.stubGlobal('fetch', async () => Response.json({ token: 't' }));
  expect(await postToSignIn('/access-token')).toEqual({ token: 't' });
});

it.each([3_600, 60 * 86_400])("doesn't renew a token that ends in %i s at once", async (seconds) => {
  vi.useFakeTimers();
  const refresh = vi.fn(() => new Promise(() => {}));
  vi.stubGlobal('fetch', refresh);
  const payload = btoa(JSON.stringify({ exp: Date.now() / 1_000 + seconds }));
  const user = { id: 'u1', email: 'nadia@example.org', name: 'Nadia', emailVerified: true };
  createSessionManager(() => {}).start({
    token: `header.${payload}.signature`,
    expiresAt: '',
    user: user as never,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(refresh).toHaveBeenCalled();
  session.clear();
});

it('requests again after a change, since a pending renewal can return the earlier state', async () => {
  const user = (emailVerified: boolean) => ({ id: 'u1', email: 'mila@example.org', name: '', emailVerified });
  const grant = (emailVerified: boolean) =>
    new Response(JSON.stringify({ token: 'token', expiresAt: '', user: user(emailVerified) }));
  const resolvers: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => resolvers.push(resolve)));
  const sessionManager = createSessionManager(() => {});
  session.start({ user: user(false), accessToken: 'token' });
  void sessionManager.renew();
  const changed = sessionManager.renewAfterChange();
  await vi.waitFor(() => expect(resolvers).toHaveLength(1));
  resolvers[0]?.(grant(false));
  await vi.waitFor(() => expect(resolvers).toHaveLength(2));
  resolvers[1]?.(grant(true));
  await changed;
  expect(session.user()?.emailVerified).toBe(true);
  session.clear();
});

it('distinguishes a session ended by the server from a sign-out here', async () => {
  const expired = () => new Response(JSON.stringify({ code: 'auth/user-token-expired' }), { status: 401 });
  vi.stubGlobal('fetch', async () => expired());
  const sessionManager = createSessionManager();
  const onExpiry = vi.fn();
  sessionManager.atExpiry(onExpiry);
  const signIn = () =>
    session.start({
      user: { id: 'u1', email: 'nadia@example.org', name: 'Nadia', emailVerified: true },
      accessToken: 'old',
    });
  signIn();
  sessionManager.clear();
  expect(onExpiry).not.toHaveBeenCalled();
  signIn();
  expect(await sessionManager.renew()).toBeNull();
  expect(session.user()).toBeNull();
  expect(onExpiry).toHaveBeenCalledTimes(1);
  await sessionManager.renew();
  expect(onExpiry).toHaveBeenCalledTimes(1);
});

describe('a call that replaces the session', () => {
  const user = { id: 'u1', email: 'nadia@example.org', name: 'Nadia', emailVerified: true } as never;
  const exp = Date.now() / 1_000 + 3_600;
  const grant = (name: string) => ({
    token: `header.${btoa(JSON.stringify({ exp, name }))}.signature`,
    expiresAt: '',
    user,
  });
  const open = () => {
    const resolvers: ((answer: Response) => void)[] = [];
    const fetched = vi.fn(() => new Promise<Response>((resolve) => resolvers.push(resolve)));
    vi.stubGlobal('fetch', fetched);
    const ended = vi.fn();
    const session = createSessionManager(ended);
    session.start(grant('old'));
    return { resolvers, fetched, ended, session };
  };
  const expired = () => new Response(JSON.stringify({ code: 'auth/user-token-expired' }), { status: 401 });
  const replaced = (name: string) => new Response(JSON.stringify(grant(name)));
  const turned = () => vi.waitFor(() => expect(session.accessToken()).toBe(grant('new').token));

  afterEach(() => session.clear());

  it('passes the token to any concurrent renewal', async () => {
    const { resolvers, fetched, ended, session } = open();
    const changed = session.replace(() => postToSignIn('/change-password'));
    const renewed = session.renew();
    await vi.waitFor(() => expect(resolvers).toHaveLength(1));
    resolvers[0]?.(replaced('new'));
    expect(await renewed).toBe(grant('new').token);
    await changed;
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(ended).not.toHaveBeenCalled();
  });

  it("isn't treated as an ended session by a pending renewal", async () => {
    const { resolvers, ended, session } = open();
    const renewed = session.renew();
    await vi.waitFor(() => expect(resolvers).toHaveLength(1));
    const changed = session.replace(() => postToSignIn('/change-password'));
    await vi.waitFor(() => expect(resolvers).toHaveLength(2));
    resolvers[0]?.(expired());
    resolvers[1]?.(replaced('new'));
    expect(await renewed).toBe(grant('new').token);
    await changed;
    await turned();
    expect(ended).not.toHaveBeenCalled();
  });

  it('leaves an ended session ended when it is rejected', async () => {
    const { resolvers, ended, session } = open();
    const changed = session
      .replace(() => postToSignIn('/change-password'))
      .catch((failure: unknown) => failure);
    await vi.waitFor(() => expect(resolvers).toHaveLength(1));
    resolvers[0]?.(expired());
    expect(await changed).toBeInstanceOf(AuthError);
    const renewed = session.renew();
    await vi.waitFor(() => expect(resolvers).toHaveLength(2));
    resolvers[1]?.(expired());
    expect(await renewed).toBeNull();
    expect(ended).toHaveBeenCalledTimes(1);
  });
});
