// @ts-check
// `npm start`: from a fresh clone to a running server. Everything is made when missing and left alone when current.
import { ensurePackages } from './packages.mjs';
import { main, projectEnvironment, projectNode, runHere } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

await main(async () => {
  await ensurePackages();
  await ensureWebBuild();
  // At a terminal somebody wants to read the address and the demo accounts; a log file wants every request.
  const level = process.env.LOG_LEVEL ?? (process.stdout.isTTY ? 'warn' : 'info');
  return runHere(projectNode, ['apps/api/src/main.ts', ...process.argv.slice(2)], {
    env: { ...projectEnvironment(), LOG_LEVEL: level },
  });
});
