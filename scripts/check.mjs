// @ts-check
// Runs `npm run check`; with `--changed`, only the checks of changed files.
import { changedFiles, changesSql, testFiles, testsBeside } from './changed.mjs';
import { runStaticChecks, runUnitTests, runVitest, sum, summary } from './checks.mjs';
import { ensurePackages } from './packages.mjs';
import { main } from './steps.mjs';

await main(async () => {
  await ensurePackages();
  if (!process.argv.includes('--changed'))
    return summary(sum([await runStaticChecks(), await runUnitTests()]));
  const changed = await changedFiles();
  const counts = [await runStaticChecks({ changed })];
  const files = testsBeside(changed, testFiles());
  const sql = changesSql(changed);
  if (changed.some((file) => /\.(ts|tsx|mjs|md)$/.test(file))) files.push('scripts/architecture');
  if (sql) files.push('apps/api/test/sql-types/declared-rows.check.ts');
  const projects = ['unit', 'api', 'nightly', 'heavy', 'web', ...(sql ? ['rows'] : [])];
  console.log(
    files.length > 0 ? `\nTests of what changed:\n${files.join('\n')}` : '\nNo tests beside what changed.',
  );
  if (files.length > 0) counts.push(await runVitest({ projects, files }));
  return summary(sum(counts));
});
