// @ts-check
// Runs `npm test`: the checks and tests of every change. `npm run test:nightly` has the slow ones.
import { ensureBrowser } from './browser.mjs';
import { hasSources, runEndToEnd, runStaticChecks, runUnitTests, sum, summary } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { main, Refused } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

await main(async () => {
  await ensurePackages();
  const counts = [await runStaticChecks({ unused: true }), await runUnitTests()];
  try {
    await ensureWebBuild();
    if (hasSources('e2e')) counts.push(await runEndToEnd(await ensureBrowser(), { set: 'daily' }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    counts.push({ passed: 0, failed: 1 });
  }
  return summary(sum(counts));
});
