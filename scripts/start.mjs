// @ts-check
// `npm start`: from a fresh clone to a running server. Everything is created if missing and left alone if current.
import { ensurePackages } from './packages.mjs';
import { main, projectEnvironment, projectNode, runHere } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

await main(async () => {
  await ensurePackages();
  await ensureWebBuild();
  // At a terminal people want to see the address and the demo accounts; a log file needs every request.
  const level = process.env.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info');
  return runHere(projectNode, ['apps/api/src/main.ts', ...process.argv.slice(2)], {
    env: { ...projectEnvironment(), LOG_LEVEL: level },
  });
});
