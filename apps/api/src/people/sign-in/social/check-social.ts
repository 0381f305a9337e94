import { minuteMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { localClient } from '../../../platform/config/config-social-sign-in.ts';
import { appleClient, appleSecret } from './apple.ts';
import { socialOptions } from './social.ts';

const timeoutMs = 8_000;
/** Maximum clock difference before tokens are rejected. */
const toleranceMs = minuteMs;

const discovery = z.object({ issuer: z.string(), token_endpoint: z.url(), jwks_uri: z.url() });
const keySet = z.object({ keys: z.array(z.unknown()).min(1) });
const refusal = z.object({ error: z.string() });

type Client = { name: string; settings: string; redirect: string };

/**
 * Checks the configured social providers read-only.
 * @returns the providers checked, and one sentence per problem
 */
export async function checkSocial(
  config: Config,
  clock: Clock,
): Promise<{ checked: string[]; problems: string[] }> {
  const { google, apple, openId } = socialOptions(config);
  const callback = (provider: string) => `${config.PUBLIC_URL}/api/auth/callback/${provider}`;
  const checks: [name: string, problems: Promise<string[]>][] = [];
  if (apple) checks.push(['Apple', checkApple(config, clock, callback('apple'))]);
  // The development stand-in answers only while it runs.
  if (google && config.GOOGLE_CLIENT_ID !== localClient.id) {
    const client = {
      name: 'Google',
      settings: 'GOOGLE',
      redirect: callback('google'),
      auth: 'post',
    } as const;
    checks.push([
      'Google',
      checkIssuer(clock, {
        ...client,
        issuer: config.GOOGLE_ISSUER.replace(/\/+$/, ''),
        id: config.GOOGLE_CLIENT_ID ?? '',
        secret: config.GOOGLE_CLIENT_SECRET ?? '',
      }),
    ]);
  }
  if (openId)
    checks.push([
      openId.name,
      checkIssuer(clock, {
        name: openId.name,
        settings: 'OPENID',
        redirect: callback('openid'),
        auth: config.OPENID_CLIENT_AUTH,
        issuer: config.OPENID_ISSUER ?? '',
        id: config.OPENID_CLIENT_ID ?? '',
        secret: config.OPENID_CLIENT_SECRET ?? '',
      }),
    ]);
  const problems = await Promise.all(checks.map(([, problem]) => problem));
  return { checked: checks.map(([name]) => name), problems: [...new Set(problems.flat())] };
}

async function checkApple(config: Config, clock: Clock, redirect: string): Promise<string[]> {
  const client = appleClient(config);
  if (!client) return [];
  const keysUrl = `${client.url}/auth/keys`;
  const keys = await readJson(keysUrl, keySet);
  if ('problem' in keys) return [`Apple’s keys can’t be read from ${keysUrl} (${keys.problem}).`];
  const clockProblem = problemOfClock(keys.date, clock);
  if (clockProblem) return [clockProblem];
  const body = { client_id: client.clientId, client_secret: await appleSecret(client, clock) };
  return tryCode(`${client.url}/auth/token`, { name: 'Apple', settings: 'APPLE', redirect }, body, {});
}

async function checkIssuer(
  clock: Clock,
  client: Client & { issuer: string; id: string; secret: string; auth: 'basic' | 'post' },
): Promise<string[]> {
  const { name, settings, issuer, id, secret, auth } = client;
  const metadata = await readJson(`${issuer}/.well-known/openid-configuration`, discovery);
  if ('problem' in metadata) return [`${name} can’t be reached at ${issuer} (${metadata.problem}).`];
  if (metadata.body.issuer.replace(/\/+$/, '') !== issuer)
    return [`${name} calls itself ${metadata.body.issuer}. Set ${settings}_ISSUER to that.`];
  const keys = await readJson(metadata.body.jwks_uri, keySet);
  if ('problem' in keys)
    return [`${name}’s keys can’t be read from ${metadata.body.jwks_uri} (${keys.problem}).`];
  const clockProblem = problemOfClock(metadata.date, clock);
  if (clockProblem) return [clockProblem];
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return auth === 'basic'
    ? tryCode(metadata.body.token_endpoint, client, {}, { authorization: `Basic ${btoa(pair)}` })
    : tryCode(metadata.body.token_endpoint, client, { client_id: id, client_secret: secret }, {});
}

/** A provider that knows the client rejects the code; otherwise it rejects the client. */
async function tryCode(
  url: string,
  { name, settings, redirect }: Client,
  body: Record<string, string>,
  headers: Record<string, string>,
): Promise<string[]> {
  let error: string;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'not-a-code',
        redirect_uri: redirect,
        ...body,
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    error = refusal.safeParse(await answer.json()).data?.error ?? `status ${answer.status}`;
  } catch (failure) {
    return [`${name} can’t be reached at ${url} (${reasonOf(failure)}).`];
  }
  if (error === 'invalid_grant') return [];
  if (error === 'redirect_uri_mismatch')
    return [`${name} does not know the address ${redirect}. Add it to the client there.`];
  return [
    `${name} refuses the client (${error}). Compare the ${settings}_… settings with what ${name} shows.`,
  ];
}

async function readJson<Shape extends z.ZodType>(
  url: string,
  shape: Shape,
): Promise<{ body: z.output<Shape>; date: string } | { problem: string }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) return { problem: `status ${answer.status}` };
    const body = shape.safeParse(await answer.json());
    if (!body.success) return { problem: 'an answer of another kind' };
    return { body: body.data, date: answer.headers.get('date') ?? '' };
  } catch (failure) {
    return { problem: reasonOf(failure) };
  }
}

const reasonOf = (failure: unknown): string =>
  (failure as { cause?: { code?: string } }).cause?.code ?? (failure as Error).message;

function problemOfClock(date: string, clock: Clock): string | null {
  const ahead = clock.now().getTime() - Date.parse(date);
  if (Number.isNaN(ahead) || Math.abs(ahead) <= toleranceMs) return null;
  const side = ahead > 0 ? 'ahead' : 'behind';
  return `The clock of this server is ${Math.round(Math.abs(ahead) / minuteMs)} minutes ${side}. Set it, or tokens are refused.`;
}
