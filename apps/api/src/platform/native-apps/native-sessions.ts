import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { isNativeOrigin, nativeSessionHeader } from './native-apps.ts';

const maxBytes = 4_096;
const ownCookie = /^(nearhand[\w.-]*)=([^;\s]*)$/;

type Jar = Map<string, string>;

function readJar(text: string): Jar {
  const cookies = text.length > maxBytes ? [] : text.split(';').map((part) => ownCookie.exec(part.trim()));
  return new Map(cookies.flatMap((cookie) => (cookie ? [[cookie[1] ?? '', cookie[2] ?? '']] : [])));
}

const cookieHeader = (jar: Jar): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

function setCookie(jar: Jar, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(';');
  const [, name = '', value = ''] = ownCookie.exec(pair.trim()) ?? [];
  if (name === '') return;
  const ended = attributes.some((attribute) => /^\s*max-age=0*$/i.test(attribute)) || value === '';
  if (ended) jar.delete(name);
  else jar.set(name, value);
}

/** Web views don't send cookies cross-site, so a header carries them (ADR 218). Never for browsers. */
export function registerNativeSessions(app: FastifyInstance, config: Pick<Config, 'NATIVE_ORIGINS'>): void {
  app.addHook('onRequest', async ({ headers }) => {
    const session = headers[nativeSessionHeader];
    if (isNativeOrigin(headers.origin, config) && typeof session === 'string')
      headers.cookie = cookieHeader(readJar(session));
  });
  app.addHook('onSend', async ({ headers }, reply) => {
    if (!isNativeOrigin(headers.origin, config)) return;
    const set = reply.getHeader('set-cookie');
    if (set === undefined) return;
    reply.removeHeader('set-cookie');
    const jar = readJar(headers.cookie ?? '');
    for (const cookie of [set].flat()) setCookie(jar, String(cookie));
    reply.header(nativeSessionHeader, cookieHeader(jar));
  });
}
