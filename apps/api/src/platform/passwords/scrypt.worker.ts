import { scryptSync } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { ScryptInput } from './password-hashes.ts';

/** A separate thread: Node's four shared ones also check certificates and the database's password. */
parentPort?.on('message', ({ password, salt, keyBytes, options }: ScryptInput) => {
  parentPort?.postMessage(scryptSync(password, salt, keyBytes, options));
});
