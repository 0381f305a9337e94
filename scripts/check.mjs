// @ts-check
// `npm run check`: what a change must pass before it is committed.
import { runStaticChecks, runVitest, sum } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { main } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  const count = sum([await runStaticChecks(), await runVitest()]);
  console.log(`${count.passed} passed, ${count.failed} failed`);
  return count.failed > 0 ? 1 : 0;
});
