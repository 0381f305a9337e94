// @ts-check
// Runs `npm test`: the checks and tests of every change. `npm run test:nightly` has the slow ones.
import { ensureBrowser } from './browser.mjs';
import { hasSources, runEndToEnd, runStaticChecks, runUnitTests, sum, summary } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { main, Refused } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

await main(async () => {
  await ensurePackages();
  // The server's tests wait for the database at times, which leaves processors to the checks and the build.
  const [{ checks, browser }, tests] = await Promise.all([checkAndBuild(), runUnitTests()]);
  const counts = [checks, tests];
  if (browser && hasSources('e2e')) counts.push(await runEndToEnd(browser, { set: 'daily' }));
  return summary(sum(counts));
});

/** @returns the browser of the journeys, if the app was built and there is one */
async function checkAndBuild() {
  const checks = await runStaticChecks({ unused: true });
  try {
    await ensureWebBuild();
    return { checks, browser: await ensureBrowser() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    return { checks: sum([checks, { passed: 0, failed: 1 }]) };
  }
}
