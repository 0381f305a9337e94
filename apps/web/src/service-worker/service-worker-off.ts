import { servePush } from './serve-push.ts';
import type { WorkerScope } from './worker-scope.ts';

/** Sent instead with `OFFLINE_APP=false`: push only. It takes over at once and deletes every cached file. */
const worker = globalThis as unknown as WorkerScope;
servePush(worker);
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(dropFiles()));

async function dropFiles(): Promise<void> {
  await worker.registration.navigationPreload?.disable();
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}
