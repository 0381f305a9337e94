// @ts-check
// Runs `npm run backup`, `npm run restore` and `npm run audit` (docs/operations.md).
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/backup.ts', ...process.argv.slice(2)]);
});
