// @ts-check
// Runs `npm run operator -- add|remove|list EMAIL` (docs/operations.md).
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/operator.ts', ...process.argv.slice(2)]);
});
