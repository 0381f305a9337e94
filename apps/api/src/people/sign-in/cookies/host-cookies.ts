import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../platform/config/config.ts';
import { isNativeOrigin } from '../../../platform/native-apps/native-apps.ts';

/** Browsers take a cookie of this name from the host itself only, never from a subdomain or over plain HTTP. */
const hostPrefix = '__Host-';
const namedCookie = /^\s*([^=]+)=(.*)$/;
const ownName = /^nearhand[\w.-]*$/;

/**
 * Our cookies in a request's Cookie header, by the names that the routes use. One that is sent twice with different values is dropped: nothing
 * tells ours from a stranger's.
 */
export function readOwnCookies(header: string, prefix: string): string {
  const cookies = new Map<string, string>();
  const doubled = new Set<string>();
  for (const part of header.split(';')) {
    const [, sent = '', value = ''] = namedCookie.exec(part) ?? [];
    const name = sent.startsWith(prefix) ? sent.slice(prefix.length) : '';
    if (!ownName.test(name)) continue;
    if (cookies.has(name) && cookies.get(name) !== value) doubled.add(name);
    cookies.set(name, value);
  }
  return [...cookies]
    .filter(([name]) => !doubled.has(name))
    .map((pair) => pair.join('='))
    .join('; ');
}

/** A Set-Cookie header as the prefix requires it: for the whole host, over HTTPS only. */
export function asHostCookie(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(/;\s*/);
  const others = attributes.filter((attribute) => !/^(path|domain|secure)(=|$)/i.test(attribute));
  return [`${hostPrefix}${pair}`, ...others, 'Path=/', 'Secure'].join('; ');
}

/**
 * Over HTTPS the cookies of the sign-in routes have the prefix `__Host-` (ADR 13); the routes know the plain names. A native app keeps them in
 * a jar of its own, which no site can write to.
 */
export function registerHostCookies(
  app: FastifyInstance,
  config: Pick<Config, 'NATIVE_ORIGINS' | 'PUBLIC_URL'>,
): void {
  const isSecure = config.PUBLIC_URL.startsWith('https:');
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.cookie === undefined || isNativeOrigin(headers.origin, config)) return;
    headers.cookie = readOwnCookies(headers.cookie, isSecure ? hostPrefix : '');
  });
  if (!isSecure) return;
  app.addHook('onSend', async ({ headers }, reply) => {
    const set = reply.getHeader('set-cookie');
    if (set === undefined || isNativeOrigin(headers.origin, config)) return;
    reply.removeHeader('set-cookie');
    reply.header(
      'set-cookie',
      [set].flat().map((cookie) => asHostCookie(String(cookie))),
    );
  });
}
