import { servePush } from './serve-push.ts';
import type { WorkerScope } from './worker-scope.ts';

/** The entry that Vite builds as /service-worker.js (`build/service-worker.ts`). */
servePush(globalThis as unknown as WorkerScope);
