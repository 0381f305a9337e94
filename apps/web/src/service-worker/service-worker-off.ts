import { servePush } from './serve-push.ts';
import type { WorkerScope } from './worker-scope.ts';

/**
 * The entry that Vite builds as /service-worker-off.js, which the server sends in place of the other with `OFFLINE_APP=false`: push only. It takes over at once
 * and drops every file that an earlier worker kept.
 */
const worker = globalThis as unknown as WorkerScope;
servePush(worker);
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(dropFiles()));

async function dropFiles(): Promise<void> {
  await worker.registration.navigationPreload?.disable();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}
