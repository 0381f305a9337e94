import type { FirebaseApp } from '@nearhand/contract/people/sign-in';
import type { Config } from '../config/config.ts';

type Settings = Pick<
  Config,
  | 'FIREBASE_API_KEY'
  | 'FIREBASE_AUTH_DOMAIN'
  | 'FIREBASE_AUTH_EMULATOR'
  | 'FIREBASE_PROJECT_ID'
  | 'IDENTITY_PROVIDER'
  | 'PUBLIC_URL'
>;

export const authDomain = (config: Pick<Config, 'FIREBASE_AUTH_DOMAIN' | 'FIREBASE_PROJECT_ID'>): string =>
  config.FIREBASE_AUTH_DOMAIN ?? `${config.FIREBASE_PROJECT_ID}.firebaseapp.com`;

/** Over https, /__/auth is on our origin because browsers block third-party storage. */
export function firebaseApp(config: Settings): FirebaseApp | null {
  if (config.IDENTITY_PROVIDER !== 'firebase') return null;
  const ownUrl = new URL(config.PUBLIC_URL);
  return {
    projectId: config.FIREBASE_PROJECT_ID ?? '',
    apiKey: config.FIREBASE_API_KEY ?? '',
    authDomain: ownUrl.protocol === 'https:' ? ownUrl.host : authDomain(config),
    emulator: config.FIREBASE_AUTH_EMULATOR ?? null,
  };
}

export function firebaseOrigins(config: Settings & Pick<Config, 'FIREBASE_API_URL'>) {
  const app = firebaseApp(config);
  if (!app) return { scripts: [], calls: [], frames: [] };
  const pages = new URL(config.PUBLIC_URL).host === app.authDomain ? "'self'" : `https://${app.authDomain}`;
  return app.emulator
    ? { scripts: ['https://apis.google.com'], calls: [app.emulator], frames: [app.emulator] }
    : {
        // The SDK's redirect talks to its frame through this library.
        scripts: ['https://apis.google.com'],
        calls: [config.FIREBASE_API_URL, 'https://securetoken.googleapis.com'],
        frames: [pages],
      };
}
