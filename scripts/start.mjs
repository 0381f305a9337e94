// @ts-check
// `npm start`: from a fresh clone to a running server. Everything is made when missing and left alone when current.
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

await main(async () => {
  await ensurePackages();
  await ensureWebBuild();
  return runHere(projectNode, ['apps/api/src/main.ts', ...process.argv.slice(2)]);
});
