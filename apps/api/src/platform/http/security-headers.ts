import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { firebaseOrigins } from '../firebase/firebase-app.ts';

type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Built once, since helmet would rebuild the policy per request. JSON gets only what a browser applies to
 * data; the rest describes documents.
 * @returns the headers of JSON
 */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  config: Config,
  jsonRoute: string | null = null,
): Promise<Headers> {
  const ofDocuments: Headers = await askOnce(config);
  const ofJson: Headers = [
    // A JSON response that is opened as a page loads nothing and can't be framed.
    ['content-security-policy', "default-src 'none';frame-ancestors 'none'"],
    ...ofDocuments.filter(([name]) => alsoOfJson.has(name)),
  ];
  app.addHook('onRequest', (request, reply, next) => {
    if (request.routeOptions.url === jsonRoute) for (const [name, value] of ofJson) reply.header(name, value);
    // Written to `raw`, because some document routes change or remove headers there.
    else for (const [name, value] of ofDocuments) reply.raw.setHeader(name, value);
    next();
  });
  return ofJson;
}

const alsoOfJson = new Set([
  'x-content-type-options',
  'strict-transport-security',
  'cross-origin-resource-policy',
]);

async function askOnce(config: Config): Promise<[string, string][]> {
  const bare = Fastify();
  const firebase = firebaseOrigins(config);
  await bare.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...firebase.scripts],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...originOf(config.MAP_STYLE_URL)],
        connectSrc: [
          "'self'",
          ...originOf(config.MAP_STYLE_URL),
          ...(config.MAP_TILES && config.MAP_TILES.kind !== 'file' ? originOf(config.MAP_TILES.at) : []),
          ...firebase.calls,
        ],
        ...(firebase.frames.length > 0 ? { frameSrc: firebase.frames } : {}),
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: config.PUBLIC_URL.startsWith('https:') ? { maxAge: yearSeconds } : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  bare.get('/', async () => '');
  const { headers } = await bare.inject('/');
  await bare.close();
  const bodyHeaders = new Set(['content-type', 'content-length', 'date', 'connection']);
  return Object.entries(headers).flatMap(([name, value]) =>
    bodyHeaders.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
}

const yearSeconds = 365 * 86_400;
const originOf = (url: string | undefined): string[] => (url ? [new URL(url).origin] : []);
