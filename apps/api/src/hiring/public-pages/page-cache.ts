import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Clock } from '../../platform/clock.ts';

export type Page = { status: number; path: string | null; etag: string; zipped: Buffer };
export type PageDraft = { status: number; path: string | null; text: string };

export type PageCache = { get(key: string, make: () => Promise<PageDraft>): Promise<Page> };

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export async function toPage({ status, path, text }: PageDraft): Promise<Page> {
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
  return { status, path, etag, zipped: await zip(text) };
}

export const textOf = async (page: Page): Promise<string> => (await unzip(page.zipped)).toString();

/** With the 30 s of other caches, a closed job is gone everywhere within a minute. */
export const pageKeptMs = 20_000;

/** A bounded LRU cache; concurrent requests share one page. Unknown addresses are not cached. */
export function createPageCache(clock: Clock, maxEntries: number): PageCache {
  const entries = new Map<string, { at: number; page: Promise<Page> }>();
  return {
    get(key, make) {
      const now = clock.now().getTime();
      const cached = entries.get(key);
      entries.delete(key);
      if (cached && Math.abs(now - cached.at) < pageKeptMs) {
        entries.set(key, cached);
        return cached.page;
      }
      const entry = { at: now, page: make().then(toPage) };
      const drop = () => {
        if (entries.get(key) === entry) entries.delete(key);
      };
      entries.set(key, entry);
      entry.page.then((page) => page.status === 404 && drop(), drop);
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value ?? '');
      return entry.page;
    },
  };
}
