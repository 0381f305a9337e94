import { positionHeader } from '@nearhand/contract/read-position';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

type NativeConfig = Pick<
  Config,
  'NATIVE_ORIGINS' | 'ANDROID_APP_ID' | 'ANDROID_CERTIFICATES' | 'IOS_APP_IDS'
>;

/** Carries an app's session to the sign-in routes and back (ADR 218). */
export const nativeSessionHeader = 'nearhand-session';

/** Tests whether a request comes from the web view of one of our apps. */
export const isNativeOrigin = (
  origin: string | undefined,
  { NATIVE_ORIGINS }: Pick<Config, 'NATIVE_ORIGINS'>,
): boolean => origin !== undefined && NATIVE_ORIGINS.includes(origin);

const exposed = `${nativeSessionHeader}, ${positionHeader}, x-request-id, retry-after, content-disposition, content-range, etag`;

/** CORS headers that let the configured apps read an API response. */
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

/**
 * Lets the configured apps read the API's answers, without cookies. Any other origin gets no header, so its browser refuses the answer, and
 * no preflight. Pictures are shown by `<img>`, which sends no origin: with apps configured, every page may embed files.
 */
export function registerNativeApps(app: FastifyInstance, config: NativeConfig): void {
  registerAppLinks(app, config);
  if (config.NATIVE_ORIGINS.length === 0) return;
  app.addHook('onRequest', (request, reply, next) => {
    const { headers, method, url } = request;
    // The app asks `/health/live` whether it can reach this server (ADR 103).
    if (!url.startsWith('/api/') && url !== '/health/live') return next();
    for (const [name, value] of nativeHeaders(headers.origin, config)) reply.raw.setHeader(name, value);
    if (url.startsWith('/api/files/')) reply.raw.setHeader('cross-origin-resource-policy', 'cross-origin');
    const { origin } = headers;
    if (origin === undefined || !isNativeOrigin(origin, config)) return next();
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return next();
    reply.raw.setHeader('access-control-allow-methods', methods);
    // Whatever the app sends: its own code decides, and no cookie comes along.
    reply.raw.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '');
    reply.raw.setHeader('access-control-max-age', preflightSeconds);
    void reply.code(204).send();
  });
}

/** Names the apps that open links to this server, for Android and iOS to check. Without settings neither file exists. */
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

/** Everything but what a browser should get: the API, the console, and files that are no screens. */
const appPaths = [
  ...['/api/*', '/operator*', '/.well-known/*', '/pictures/*', '/robots.txt', '/sitemap*'].map((path) => ({
    '/': path,
    exclude: true,
  })),
  { '/': '*' },
];
