// @ts-check
// Runs `npm start`: from a fresh clone to a running server.

import path from 'node:path';
import { ensurePackages } from './packages.mjs';
import { main, projectEnvironment, root, runHereBeside } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

/** Node's default of 128 MB for young objects is mostly unused: 16 saves 100 MB (docs/benchmarks.md). */
const serverFlags = ['--max-semi-space-size=16'];

await main(async () => {
  await ensurePackages();
  // Quiet at a terminal, to keep the address and demo accounts visible; a log file needs every request.
  const level = process.env.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info');
  // The compile cache is removed with the packages.
  const compiled = path.join(root, 'node_modules', '.cache', 'compiled');
  // Builds the web app on one core while the server seeds its demo town on another (ADR 254).
  const server = [...serverFlags, 'apps/api/src/main.ts', '--awaits-web-build', ...process.argv.slice(2)];
  return runHereBeside(server, ensureWebBuild, {
    env: { NODE_COMPILE_CACHE: compiled, ...projectEnvironment(), LOG_LEVEL: level },
  });
});
