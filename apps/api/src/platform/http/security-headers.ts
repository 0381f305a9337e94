import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { firebaseOrigins } from '../firebase/firebase-app.ts';

/** Built once, since helmet would rebuild the policy per request. @returns the headers */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  config: Config,
): Promise<[string, string][]> {
  const headers = await askOnce(config);
  app.addHook('onRequest', (_request, reply, next) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    next();
  });
  return headers;
}

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
