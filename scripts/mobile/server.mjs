// @ts-check
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Refused } from '../steps.mjs';

/** The product's own domain, whose links the apps open too. */
export const productHost = 'nearhand.com';

/** @typedef {{ origin: string, host: string, links: string[] }} Server `links`: hosts whose links open in the app. */

/**
 * Reads NEARHAND_SERVER.
 * @param {string | undefined} address
 * @returns {Server}
 */
export function readServer(address) {
  if (!address) {
    throw new Refused(
      'Set NEARHAND_SERVER to the PUBLIC_URL of your server, as in NEARHAND_SERVER=https://jobs.example.org npm run mobile -- sync.',
    );
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:')
    throw new Refused(
      `NEARHAND_SERVER must be an https address, and is ${address}. Phones refuse anything else.`,
    );
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password)
    throw new Refused(`NEARHAND_SERVER must be an address without a path, such as ${url.origin}.`);
  // Android and iOS ignore the port of an app link.
  return { origin: url.origin, host: url.hostname, links: [...new Set([url.host, productHost])] };
}

/**
 * Turns push off without Firebase's file, because Android's push plugin would crash.
 * @param {Server} server
 * @param {string} mobile
 */
export const webVariables = (server, mobile) => ({
  VITE_SERVER: server.origin,
  VITE_APP_HOSTS: server.links.join(','),
  VITE_ANDROID_PUSH: existsSync(path.join(mobile, 'android', 'app', 'google-services.json')) ? 'true' : '',
});
