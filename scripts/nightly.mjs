// @ts-check
// Runs `npm run test:nightly`, or one part with `-- server` (CONTRIBUTING.md).
import { ensureBrowser } from './browser.mjs';
import { runEndToEnd, runVitest, sum, summary } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { ensureRedis } from './redis.mjs';
import { main, Refused } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

const languageOfDay = new Date().getDate() % 2 === 0 ? 'nl' : 'ar';

const journeys = async (/** @type {NonNullable<Parameters<typeof runEndToEnd>[1]>} */ options) => {
  await ensureWebBuild();
  return runEndToEnd(await ensureBrowser(), options);
};

/** @type {Record<string, () => Promise<import('./checks.mjs').Count>>} */
const parts = {
  web: () => runVitest({ projects: ['web'], env: { NIGHTLY: 'true' } }),
  server: () => runVitest({ projects: ['api', 'nightly', 'heavy', 'rows'], env: { NIGHTLY: 'true' } }),
  journeys: () => journeys({}),
  stripe: () =>
    journeys({ payments: 'stripe', journeys: ['chargeback', 'hire-and-apply', 'hired-to-approved'] }),
  nl: () => journeys({ language: 'nl' }),
  ar: () => journeys({ language: 'ar' }),
};

await main(async () => {
  await ensurePackages();
  await ensureRedis();
  const named = process.argv.slice(2);
  const chosen = named.length > 0 ? named : ['web', 'server', 'journeys', 'stripe', languageOfDay];
  const unknown = chosen.find((name) => !(name in parts));
  if (unknown) throw new Refused(`There is no part ${unknown}, only ${Object.keys(parts).join(', ')}.`);
  const counts = [];
  for (const [name, run] of Object.entries(parts)) {
    if (!chosen.includes(name)) continue;
    const started = performance.now();
    const count = await run();
    counts.push({ name, minutes: Math.round((performance.now() - started) / 60_000), ...count });
  }
  for (const { name, minutes, passed, failed } of counts)
    console.log(`${name}: ${passed} passed, ${failed} failed, ${minutes} minutes`);
  return summary(sum(counts), { flakyFails: true });
});
