import { createHash } from 'node:crypto';
import { returnPath } from '@nearhand/contract/people/accounts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isNativeOrigin } from '../../../platform/native-apps/native-apps.ts';
import { AuthFailure, codeOf } from '../auth-failures.ts';
import { unlessRemoved } from '../other-sign-in.ts';
import { createProvider, type Provider } from '../provider.ts';
import { headersFor, readBody } from '../requests.ts';
import { copyCookies, passOn, type SignInCalls } from '../sign-in-calls.ts';
import { lazySocialProvider, socialParts, socialProviderIds } from './social.ts';

/** Sign-in by a redirect to Google, Facebook, Apple or another OpenID provider and back (ADR 13). */
export function registerSocialSignIn(app: FastifyInstance, calls: SignInCalls): void {
  const { config, clock } = calls.parts;
  const social = socialParts(config, clock);
  const socialProvider = lazySocialProvider(
    clock,
    () => createProvider(calls.parts, social),
    social.ids.length,
  );
  const loadingUrl = `${config.PUBLIC_URL}/loading`;
  const loginUrl = `${config.PUBLIC_URL}/login`;

  app.post('/sign-in/social', async (request, reply) => {
    const shape = z.object({ provider: z.enum(socialProviderIds), returnTo: returnPath });
    const { provider, returnTo } = readBody(shape, request.body);
    await calls.limit(request, 'sign-in', null);
    if (!social.ids.includes(provider)) throw new AuthFailure('auth/operation-not-allowed');
    const callbackURL = `${loadingUrl}?next=${encodeURIComponent(returnTo)}`;
    const body = { provider, callbackURL, errorCallbackURL: callbackURL, disableRedirect: true };
    const response = await calls.forward(request, '/sign-in/social', body, await socialProvider());
    const url = String((await passOn(response, reply)).url);
    rememberProvider(reply, url, provider);
    return { url: isNativeOrigin(request.headers.origin, config) ? markedForApp(url) : url };
  });

  registerPostedAnswers(app, config.PUBLIC_URL);
  registerAppSignIn(app, calls, socialProvider);

  app.get<{ Params: { provider: string } }>('/callback/:provider', async (request, reply) => {
    const forApp = queryForApp(request.params.provider, request.query);
    // Only the app has the cookies of this sign-in: the page hands the answer over.
    if (forApp !== null) return reply.redirect(`${loadingUrl}?app=${encodeURIComponent(forApp)}`);
    if (leftForAnother(request, request.params.provider))
      return reply.redirect(`${loadingUrl}?error=${codeOf('state_mismatch')}`);
    const path = request.url.slice('/api/auth'.length);
    let location = `${loadingUrl}?error=internal`;
    try {
      const response = await calls.forward(request, path, null, await socialProvider());
      await unlessRemoved(calls, response, request.params);
      copyCookies(response.headers, reply);
      await calls.recordFrom(request, response);
      location = response.headers.get('location') ?? location;
      if (await asksForSecondStep(response)) location = secondStepUrl(location, config.PUBLIC_URL);
    } catch (error) {
      request.log.warn({ err: error }, 'a redirect sign-in failed');
    }
    return reply.redirect(ownLocation(location, loadingUrl, loginUrl));
  });
}

const leaveSeconds = 600;
const cookieOfState = (state: string) =>
  `nearhand_left_${createHash('sha256').update(state).digest('base64url').slice(0, 22)}`;

/** Notes in the browser which provider it leaves for: the library's state doesn't say (ADR 13). */
function rememberProvider(reply: FastifyReply, url: string, provider: string): void {
  const state = new URL(url).searchParams.get('state') ?? '';
  const attributes = `Max-Age=${leaveSeconds}; Path=/api/auth; HttpOnly; SameSite=Lax`;
  reply.header('set-cookie', `${cookieOfState(state)}=${provider}; ${attributes}`);
}

/** Whether the browser left for another provider than the one whose answer it brings: that one must not get the other's code (RFC 9700, 4.4). */
function leftForAnother({ headers, query }: FastifyRequest, provider: string): boolean {
  const { state } = providerAnswer.safeParse(query).data ?? {};
  if (state === undefined) return false;
  const [, left] = new RegExp(`(?:^|;\\s*)${cookieOfState(state)}=(\\w+)`).exec(headers.cookie ?? '') ?? [];
  return left !== undefined && left !== provider;
}

/**
 * Apple answers by a POST from its own page, which brings none of our cookies. The browser comes again by GET, with them; whether it is the
 * one that left is checked there.
 */
function registerPostedAnswers(app: FastifyInstance, publicUrl: string): void {
  app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16_384 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.post('/callback/apple', { config: { postedFromElsewhere: true } }, async (request, reply) => {
      const query = queryOf(providerAnswer.safeParse(request.body).data ?? {});
      return reply.redirect(`${publicUrl}/api/auth/callback/apple?${query}`, 303);
    });
  });
}

/** The provider signed the person in, and the account asks for a second step. */
async function asksForSecondStep(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { twoFactorRedirect?: unknown } | null;
  return body?.twoFactorRedirect === true;
}

/** The login page at its second step, with the return path of the redirect. */
function secondStepUrl(location: string, publicUrl: string): string {
  const next = new URL(location, publicUrl).searchParams.get('next');
  return `${publicUrl}/login?second-step=1${next ? `&next=${encodeURIComponent(next)}` : ''}`;
}

/** The provider's redirect if it is our own page, with its error translated to our code. */
function ownLocation(location: string, loadingUrl: string, loginUrl: string): string {
  const own = new URL(loadingUrl);
  const url = new URL(location, own);
  if (url.href.startsWith(`${loginUrl}?second-step=`)) return url.href;
  if (url.origin !== own.origin || url.pathname !== own.pathname) {
    own.searchParams.set('error', codeOf(url.searchParams.get('error') ?? 'state_mismatch'));
    return own.href;
  }
  const error = url.searchParams.get('error');
  url.searchParams.delete('error_description');
  if (error !== null) url.searchParams.set('error', codeOf(error));
  return url.href;
}

const answerMax = 4_000;
const optionalText = z.string().max(answerMax).optional();

/** What a provider sends back; other fields stop here. */
const providerAnswer = z.object({
  code: optionalText,
  state: optionalText,
  error: optionalText,
  iss: optionalText,
  user: optionalText,
});
type ProviderAnswer = z.output<typeof providerAnswer>;

/** Marks the state of a sign-in that an app began: it comes back to the phone's browser, which has none of the app's cookies. */
const mark = 'app.';

/** The provider's address with the mark. */
function markedForApp(address: string): string {
  const url = new URL(address);
  url.searchParams.set('state', mark + (url.searchParams.get('state') ?? ''));
  return url.href;
}

/** An answer as a query. */
const queryOf = (answer: ProviderAnswer): string =>
  new URLSearchParams(
    Object.entries(answer).filter((field): field is [string, string] => field[1] !== undefined),
  ).toString();

/** The query that the phone's browser hands to the app; null if a browser began this sign-in. */
function queryForApp(provider: string, query: unknown): string | null {
  const answer = providerAnswer.safeParse(query).data;
  if (!answer?.state?.startsWith(mark)) return null;
  return `provider=${encodeURIComponent(provider)}&${queryOf({ ...answer, state: answer.state.slice(mark.length) })}`;
}

/** Finishes a provider's sign-in in the app that began it: the answer comes with the app's own cookies (ADR 13). */
function registerAppSignIn(
  app: FastifyInstance,
  calls: SignInCalls,
  provider: () => Promise<Provider>,
): void {
  app.post('/sign-in/social/answer', async (request, reply) => {
    const shape = providerAnswer.extend({ provider: z.enum(socialProviderIds) });
    const { provider: id, ...answer } = readBody(shape, request.body);
    await calls.limit(request, 'sign-in', null);
    if (!isNativeOrigin(request.headers.origin, calls.parts.config))
      throw new AuthFailure('auth/operation-not-allowed');
    const { PUBLIC_URL } = calls.parts.config;
    const callback = `${PUBLIC_URL}/api/auth/callback/${id}?${queryOf(answer)}`;
    const response = await (await provider()).handler(
      new Request(callback, { headers: headersFor(request, PUBLIC_URL) }),
    );
    await unlessRemoved(calls, response, { provider: id });
    copyCookies(response.headers, reply);
    const body = (await response
      .clone()
      .json()
      .catch(() => null)) as { twoFactorRedirect?: unknown } | null;
    if (body?.twoFactorRedirect === true) throw new AuthFailure('auth/multi-factor-auth-required');
    const grant = await calls.grantInCookie(response);
    if (!grant) {
      const to = new URL(response.headers.get('location') ?? '', PUBLIC_URL);
      throw new AuthFailure(codeOf(to.searchParams.get('error') ?? 'state_mismatch'));
    }
    await calls.record(request, grant.id, 'signed-in');
    calls.rememberDevice(request, reply, grant.email);
    return calls.grantOf(grant);
  });
}
