// @ts-check
// `npm run import -- FILE ...`: jobs from a file into the database, beside a running server or without one (docs/import.md).
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/import.ts', ...process.argv.slice(2)]);
});
