import { matchPrecache, precache } from 'workbox-precaching';
import { type KeptFile, serveOffline } from './serve-offline.ts';
import { servePush } from './serve-push.ts';
import type { WorkerScope } from './worker-scope.ts';

/** The files to keep, put in by the build (`build/service-worker.ts`). */
declare const appFiles: { all: KeptFile[]; first: string[] };

/** The entry that Vite builds as /service-worker.js. */
const worker = globalThis as unknown as WorkerScope;
servePush(worker);
// With little data to spend, only what the first screen needs is kept.
const { all, first } = appFiles;
const list = worker.navigator.connection?.saveData ? all.filter(({ url }) => first.includes(url)) : all;
precache(list);
serveOffline(worker, { list, find: matchPrecache, fetch: globalThis.fetch.bind(globalThis) });
