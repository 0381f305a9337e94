// @ts-check
// Runs `npm run test:languages -- nl`: the journeys in one language, by default Dutch and Arabic (ADR 58).
import { ensureBrowser } from './browser.mjs';
import { runEndToEnd, sum } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { main } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

await main(async () => {
  await ensurePackages();
  await ensureWebBuild();
  const browser = await ensureBrowser();
  const [language, ...journeys] = process.argv.slice(2);
  const counts = [];
  for (const code of language ? [language] : ['nl', 'ar'])
    counts.push({ one: code, ...(await runEndToEnd(browser, { language: code, journeys })) });
  for (const { one, passed, failed, names, flaky } of counts) {
    for (const name of flaky ?? []) console.log(`~ ${one}: ${name} (failed once, then passed)`);
    for (const name of names ?? []) console.log(`✗ ${one}: ${name}`);
    console.log(`${one}: ${passed} passed, ${failed} failed`);
  }
  return sum(counts).failed > 0 ? 1 : 0;
});
