import { languageIn, languageOfHeader } from '@nearhand/contract/languages';
import { returnPath } from '@nearhand/contract/people/accounts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isNativeOrigin } from '../../../platform/native-apps/native-apps.ts';
import { sha256 } from '../../../platform/sign.ts';
import { AuthFailure, codeOf } from '../auth-failures.ts';
import { unlessRemoved } from '../other-sign-in.ts';
import { createProvider, type Provider } from '../provider.ts';
import { headersFor, readBody } from '../requests.ts';
import { copyCookies, passOn, type SignInCalls } from '../sign-in-calls.ts';
import { lazySocialProvider, socialParts, socialProviderIds } from './social.ts';

/** Signs in by a redirect to an OpenID provider and back (ADR 13). */
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
    rememberLeaving(reply, url, { provider, language: languageOfHeader(request.headers['accept-language']) });
    return { url: isNativeOrigin(request.headers.origin, config) ? markedForApp(url) : url };
  });

  registerPostedAnswers(app, config.PUBLIC_URL);
  registerAppSignIn(app, calls, socialProvider);

  app.get<{ Params: { provider: string } }>('/callback/:provider', async (request, reply) => {
    const forApp = queryForApp(request.params.provider, request.query);
    // Only the app has this sign-in's cookies, so the page hands the response over.
    if (forApp !== null) return reply.redirect(`${loadingUrl}?app=${encodeURIComponent(forApp)}`);
    const leavingState = readLeaving(request);
    // This provider must not get the other's code (RFC 9700, 4.4).
    if (leavingState && leavingState.provider !== request.params.provider)
      return reply.redirect(`${loadingUrl}?error=${codeOf('state_mismatch')}`);
    const path = request.url.slice('/api/auth'.length);
    let location = `${loadingUrl}?error=internal`;
    try {
      const headers = headersFor(request, config.PUBLIC_URL);
      if (leavingState?.language) headers['accept-language'] = leavingState.language;
      const response = await calls.forward(request, path, null, await socialProvider(), headers);
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
const cookieOfState = (state: string) => `nearhand_left_${sha256(state).slice(0, 22)}`;

type Leaving = { provider: string; language: string | null };

/**
 * Stores in a cookie which provider the browser goes to, since the library's state lacks it (ADR 13), and the
 * language of the page, which may differ from the browser's.
 */
function rememberLeaving(reply: FastifyReply, url: string, { provider, language }: Leaving): void {
  const state = new URL(url).searchParams.get('state') ?? '';
  const attributes = `Max-Age=${leaveSeconds}; Path=/api/auth; HttpOnly; SameSite=Lax`;
  reply.header('set-cookie', `${cookieOfState(state)}=${provider}.${language ?? ''}; ${attributes}`);
}

/** Reads the cookie of `rememberLeaving` for the sign-in that this response belongs to. */
function readLeaving({ headers, query }: FastifyRequest): Leaving | undefined {
  const { state } = providerAnswer.safeParse(query).data ?? {};
  if (state === undefined) return undefined;
  const note = new RegExp(`(?:^|;\\s*)${cookieOfState(state)}=(\\w+)\\.?(\\w*)`).exec(headers.cookie ?? '');
  return note?.[1] === undefined ? undefined : { provider: note[1], language: languageIn([note[2] ?? '']) };
}

/** Apple posts from its own page without our cookies, so the browser repeats the request by GET. */
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

async function asksForSecondStep(response: Response): Promise<boolean> {
  const body = (await response
    .clone()
    .json()
    .catch(() => null)) as { twoFactorRedirect?: unknown } | null;
  return body?.twoFactorRedirect === true;
}

function secondStepUrl(location: string, publicUrl: string): string {
  const next = new URL(location, publicUrl).searchParams.get('next');
  return `${publicUrl}/login?second-step=1${next ? `&next=${encodeURIComponent(next)}` : ''}`;
}

function ownLocation(location: string, loadingUrl: string, loginUrl: string): string {
  const ownUrl = new URL(loadingUrl);
  const url = new URL(location, ownUrl);
  if (url.href.startsWith(`${loginUrl}?second-step=`)) return url.href;
  if (url.origin !== ownUrl.origin || url.pathname !== ownUrl.pathname) {
    ownUrl.searchParams.set('error', codeOf(url.searchParams.get('error') ?? 'state_mismatch'));
    return ownUrl.href;
  }
  const error = url.searchParams.get('error');
  url.searchParams.delete('error_description');
  if (error !== null) url.searchParams.set('error', codeOf(error));
  return url.href;
}

const answerMax = 4_000;
const optionalText = z.string().max(answerMax).optional();

const providerAnswer = z.object({
  code: optionalText,
  state: optionalText,
  error: optionalText,
  iss: optionalText,
  user: optionalText,
});
type ProviderAnswer = z.output<typeof providerAnswer>;

/** Marks a state started by an app, which returns to a browser without the app's cookies. */
const mark = 'app.';

function markedForApp(address: string): string {
  const url = new URL(address);
  url.searchParams.set('state', mark + (url.searchParams.get('state') ?? ''));
  return url.href;
}

const queryOf = (answer: ProviderAnswer): string =>
  new URLSearchParams(
    Object.entries(answer).filter((field): field is [string, string] => field[1] !== undefined),
  ).toString();

function queryForApp(provider: string, query: unknown): string | null {
  const answer = providerAnswer.safeParse(query).data;
  if (!answer?.state?.startsWith(mark)) return null;
  return `provider=${encodeURIComponent(provider)}&${queryOf({ ...answer, state: answer.state.slice(mark.length) })}`;
}

/** Finishes an app's sign-in with the app's own cookies (ADR 13). */
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
    if (await asksForSecondStep(response)) throw new AuthFailure('auth/multi-factor-auth-required');
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
