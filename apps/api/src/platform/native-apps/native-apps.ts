import { positionHeader } from '@nearhand/contract/read-position';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

type NativeConfig = Pick<
  Config,
  'NATIVE_ORIGINS' | 'ANDROID_APP_ID' | 'ANDROID_CERTIFICATES' | 'IOS_APP_IDS'
>;

/** Carries an app's session to the sign-in routes and back (ADR 218). */
export const nativeSessionHeader = 'nearhand-session';

export const isNativeOrigin = (
  origin: string | undefined,
  { NATIVE_ORIGINS }: Pick<Config, 'NATIVE_ORIGINS'>,
): boolean => origin !== undefined && NATIVE_ORIGINS.includes(origin);

const exposed = `${nativeSessionHeader}, ${positionHeader}, x-request-id, retry-after, content-disposition, content-range, etag`;

export function nativeHeaders(
  origin: string | undefined,
  config: Pick<Config, 'NATIVE_ORIGINS'>,
): [string, string][] {
  if (config.NATIVE_ORIGINS.length === 0) return [];
  if (origin === undefined || !isNativeOrigin(origin, config)) return [['vary', 'origin']];
  return [
    ['vary', 'origin'],
    ['access-control-allow-origin', origin],
    ['access-control-expose-headers', exposed],
  ];
}

const methods = 'GET, POST, PUT, PATCH, DELETE';
const preflightSeconds = '600';

/** `<img>` sends no origin, so with apps configured any page may embed files. */
export function registerNativeApps(app: FastifyInstance, config: NativeConfig): void {
  registerAppLinks(app, config);
  if (config.NATIVE_ORIGINS.length === 0) return;
  app.addHook('onRequest', (request, reply, next) => {
    const { headers, method, url } = request;
    // The app checks `/health/live` to see whether it can reach this server (ADR 103).
    if (!url.startsWith('/api/') && url !== '/health/live') return next();
    for (const [name, value] of nativeHeaders(headers.origin, config)) reply.raw.setHeader(name, value);
    if (url.startsWith('/api/files/')) reply.header('cross-origin-resource-policy', 'cross-origin');
    const { origin } = headers;
    if (origin === undefined || !isNativeOrigin(origin, config)) return next();
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return next();
    reply.raw.setHeader('access-control-allow-methods', methods);
    // The app's own code decides its headers, and no cookie is sent.
    reply.raw.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
    reply.raw.setHeader('access-control-max-age', preflightSeconds);
    void reply.code(204).send();
  });
}

/** Publishes the app link files that Android and iOS check, if configured. */
function registerAppLinks(app: FastifyInstance, config: NativeConfig): void {
  const publish = (file: string, content: object) =>
    app.get(`/.well-known/${file}`, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600')
        .type('application/json')
        .send(JSON.stringify(content)),
    );
  const { ANDROID_APP_ID, ANDROID_CERTIFICATES, IOS_APP_IDS } = config;
  if (ANDROID_CERTIFICATES.length > 0) {
    publish('assetlinks.json', [
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: ANDROID_APP_ID,
          sha256_cert_fingerprints: ANDROID_CERTIFICATES,
        },
      },
    ]);
  }
  if (IOS_APP_IDS.length > 0) {
    publish('apple-app-site-association', {
      applinks: { details: [{ appIDs: IOS_APP_IDS, components: appPaths }] },
    });
  }
}

/** Paths that stay in the browser: the API, the console and files. */
const appPaths = [
  ...['/api/*', '/operator*', '/.well-known/*', '/pictures/*', '/robots.txt', '/sitemap*'].map((path) => ({
    '/': path,
    exclude: true,
  })),
  { '/': '*' },
];
