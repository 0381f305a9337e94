import { firstSearch } from './hiring/nearby/first-search.ts';
import { townOf } from './people/places/places.service.ts';
import type { Config } from './platform/config/config.ts';

const always = ['/api/settings'];
const signingIn = ['/api/accounts/sign-in-options'];
const exploring = ['/api/places/map-settings', '/api/service-status'];

/** The calls that the first screen of a page makes for a guest, whose answers are sent along with the page (ADR 221). */
export function firstCalls(url: string, cookies: string, config: Pick<Config, 'MAP_START'>): string[] {
  if (/^\/(login|register|getting-started)$/.test(url)) return [...always, ...signingIn];
  const search = firstSearch(url, cookies, townOf(config));
  return search ? [...always, ...exploring, search] : [];
}
