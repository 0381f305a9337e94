// @ts-check
// Runs `npm run providers -- check identity` (docs/identity.md).
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/providers.ts', ...process.argv.slice(2)]);
});
