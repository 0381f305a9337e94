import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isNativeOrigin } from '../../../platform/native-apps/native-apps.ts';
import { AuthFailure, codeOf } from '../auth-failures.ts';
import type { Provider } from '../provider.ts';
import { headersFor, readBody } from '../requests.ts';
import { copyCookies, type SignInCalls } from '../sign-in-calls.ts';
import { socialProviderIds } from './social.ts';

const answerMax = 4_000;
const given = z.string().max(answerMax).optional();

/** What a provider sends back; other fields stop here. */
export const providerAnswer = z.object({ code: given, state: given, error: given, iss: given, user: given });
type ProviderAnswer = z.output<typeof providerAnswer>;

/** Marks the state of a sign-in that an app began: it comes back to the phone's browser, which has none of the app's cookies. */
const mark = 'app.';

/** The provider's address with the mark. */
export function markedForApp(address: string): string {
  const url = new URL(address);
  url.searchParams.set('state', mark + (url.searchParams.get('state') ?? ''));
  return url.href;
}

/** An answer as a query. */
export const queryOf = (answer: ProviderAnswer): string =>
  new URLSearchParams(
    Object.entries(answer).filter((field): field is [string, string] => field[1] !== undefined),
  ).toString();

/** The query that the phone's browser hands to the app; null if a browser began this sign-in. */
export function queryForApp(provider: string, query: unknown): string | null {
  const answer = providerAnswer.safeParse(query).data;
  if (!answer?.state?.startsWith(mark)) return null;
  return `provider=${encodeURIComponent(provider)}&${queryOf({ ...answer, state: answer.state.slice(mark.length) })}`;
}

/** Finishes a provider's sign-in in the app that began it: the answer comes with the app's own cookies (ADR 13). */
export function registerAppSignIn(
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
