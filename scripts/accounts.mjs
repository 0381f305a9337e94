// @ts-check
// Runs `npm run accounts -- export|import FILE`: moves accounts to Firebase and back (docs/identity.md).
import { ensurePackages } from './packages.mjs';
import { main, projectNode, runHere } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  return runHere(projectNode, ['apps/api/src/accounts.ts', ...process.argv.slice(2)]);
});
