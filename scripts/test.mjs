// @ts-check
// `npm test`: every check and test, installing whatever they need first.
import { ensureBrowser } from './browser.mjs';
import { hasSources, runEndToEnd, runStaticChecks, runVitest, sum } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { ensureRedis } from './redis.mjs';
import { main, Refused } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

await main(async () => {
  await ensurePackages();
  await ensureRedis();
  const counts = [await runStaticChecks({ unused: true }), await runVitest()];
  try {
    await ensureWebBuild();
    if (hasSources('e2e')) counts.push(await runEndToEnd(await ensureBrowser()));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    counts.push({ passed: 0, failed: 1 });
  }
  const count = sum(counts);
  // The runners' own reports have scrolled away by now.
  for (const name of count.flaky ?? []) console.log(`~ ${name} (failed once, then passed)`);
  for (const name of count.names ?? []) console.log(`✗ ${name}`);
  console.log(`${count.passed} passed, ${count.failed} failed`);
  return count.failed > 0 ? 1 : 0;
});
