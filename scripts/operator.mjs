// @ts-check
// `npm run operator -- add|remove|list EMAIL`: manages the platform's staff (docs/operations.md), with or without a running server.
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/operator.ts', ...process.argv.slice(2)]);
});
