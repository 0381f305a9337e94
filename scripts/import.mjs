// @ts-check
// Runs `npm run import -- FILE ...`: imports jobs from a file (docs/import.md).
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/import.ts', ...process.argv.slice(2)]);
});
