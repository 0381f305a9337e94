// @ts-check
// `npm start`: from a fresh clone to a running server. Everything is created if missing and left alone if current.

import path from 'node:path';
import { ensurePackages } from './packages.mjs';
import { main, projectEnvironment, root, runHereBeside } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

/** Node keeps up to 128 MB for young objects, mostly unused by this server: with 16 it takes 100 MB less memory (docs/benchmarks.md). */
const serverFlags = ['--max-semi-space-size=16'];

await main(async () => {
  await ensurePackages();
  // At a terminal people want to see the address and the demo accounts; a log file needs every request.
  const level = process.env.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info');
  // Compiled once: the next start reads it. Removed with the packages.
  const compiled = path.join(root, 'node_modules', '.cache', 'compiled');
  // The first start builds the web app on one core while the server makes its demo town on the other (ADR 254).
  const server = [...serverFlags, 'apps/api/src/main.ts', '--awaits-web-build', ...process.argv.slice(2)];
  return runHereBeside(server, ensureWebBuild, {
    env: { NODE_COMPILE_CACHE: compiled, ...projectEnvironment(), LOG_LEVEL: level },
  });
});
