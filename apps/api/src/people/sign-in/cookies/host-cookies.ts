import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../platform/config/config.ts';
import { isNativeOrigin } from '../../../platform/native-apps/native-apps.ts';

/** Browsers accept this prefix only from the host itself over HTTPS, never from a subdomain. */
const hostPrefix = '__Host-';
const namedCookie = /^\s*([^=]+)=(.*)$/;
const ownName = /^nearhand[\w.-]*$/;

/** Drops cookies set twice with different values: ours can't be distinguished from a planted one. */
function readOwnCookies(header: string, prefix: string): string {
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

/** Renames a cookie to `__Host-…` and sets the attributes that browsers require for it. */
export function asHostCookie(cookie: string): string {
  const [pair = '', ...attributes] = cookie.split(/;\s*/);
  const otherAttributes = attributes.filter((attribute) => !/^(path|domain|secure)(=|$)/i.test(attribute));
  return [`${hostPrefix}${pair}`, ...otherAttributes, 'Path=/', 'Secure'].join('; ');
}

/** Prefixes sign-in cookies with `__Host-` over HTTPS (ADR 13). Native apps use their own cookie jar. */
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
