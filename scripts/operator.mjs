// @ts-check
// `npm run operator -- add|remove|list EMAIL`: who of the platform's staff decides (docs/operations.md), beside a running server or without one.
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/operator.ts', ...process.argv.slice(2)]);
});
