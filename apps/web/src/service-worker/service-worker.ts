import { matchPrecache, precache } from 'workbox-precaching';
import { type StoredStepFile, serveOffline } from './serve-offline.ts';
import { servePush } from './serve-push.ts';
import type { WorkerScope } from './worker-scope.ts';

/** The files to cache, injected by `build/service-worker.ts`. */
declare const appFiles: { all: StoredStepFile[]; first: string[] };

const worker = globalThis as unknown as WorkerScope;
servePush(worker);
// Connections that save data cache only what the first screen needs.
const { all, first } = appFiles;
const list = worker.navigator.connection?.saveData ? all.filter(({ url }) => first.includes(url)) : all;
precache(list);
serveOffline(worker, { list, first, find: matchPrecache, fetch: globalThis.fetch.bind(globalThis) });
