// @ts-check
// Plants one fault at a time and runs the tests that should notice it. Arguments select by name.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createVitest } from 'vitest/node';
import { architecture, faults } from './faults.mjs';
import { capture, main, Refused, root } from './steps.mjs';

const fileText = (/** @type {string} */ file) => readFileSync(path.join(root, file), 'utf8');

const timesIn = (/** @type {import('./faults.mjs').Fault} */ { file, from }) =>
  fileText(file).split(from).length - 1;

/**
 * Shared by all runs, so that its database starts once.
 * @type {Awaited<ReturnType<typeof createVitest>> | null}
 */
let vitest = null;
async function closeVitest() {
  await vitest?.close();
  vitest = null;
}

/**
 * Runs test files.
 * @returns the names of the failed tests
 */
async function runTests(/** @type {string[]} */ files) {
  vitest ??= await createVitest('test', { root, watch: false, reporters: [{}] });
  const specifications = (await vitest.globTestSpecifications(files)).filter(({ moduleId }) =>
    files.includes(path.relative(root, moduleId)),
  );
  const missing = files.filter((file) => !specifications.some(({ moduleId }) => moduleId.endsWith(file)));
  if (missing.length > 0) throw new Refused(`No part of npm test: ${missing.join(', ')}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const ran = new Set(specifications.map(({ moduleId }) => moduleId));
  const failed = testModules
    .filter(({ moduleId }) => ran.has(moduleId))
    .flatMap((module) => {
      const file = path.relative(root, module.moduleId);
      const tests = [...module.children.allTests('failed')].map((test) => {
        console.error(`${test.fullName}: ${test.result().errors?.[0]?.message}`);
        return `${file}: ${test.fullName}`;
      });
      return module.ok() || tests.length > 0 ? tests : [`${file}: could not be loaded`];
    });
  return [...failed, ...unhandledErrors.map((error) => `unhandled: ${/** @type {Error} */ (error).message}`)];
}

/** Plants a fault, runs its tests and restores the file, even on Ctrl-C. */
async function measure(/** @type {import('./faults.mjs').Fault} */ fault) {
  const file = path.join(root, fault.file);
  const before = fileText(fault.file);
  const planted = before.split(fault.from).join(fault.to);
  const putBack = () => writeFileSync(file, before);
  const stop = () => {
    putBack();
    process.exit(130);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const isMigration = fault.file.endsWith('.sql');
  if (isMigration) await closeVitest();
  const started = performance.now();
  try {
    writeFileSync(file, planted);
    vitest?.invalidateFile(file);
    const [failure] = await runTests(fault.tests);
    return { failure, seconds: Math.round((performance.now() - started) / 1000) };
  } finally {
    putBack();
    vitest?.invalidateFile(file);
    if (isMigration) await closeVitest();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !faults.some((fault) => fault.name === name));
  if (unknown) throw new Refused(`There is no fault ${unknown}.`);
  const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name));
  const { output } = await capture('git', ['status', '--porcelain']);
  if (output.trim() !== '') throw new Refused('The working tree has changes. Commit or stash them first.');
  const stale = chosen.flatMap((fault) => (timesIn(fault) === 1 ? [] : `${fault.name} in ${fault.file}`));
  if (stale.length > 0) throw new Refused(`Not found exactly once: ${stale.join(', ')}.`);

  const failures = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))]);
  const isSound = (/** @type {import('./faults.mjs').Fault} */ { tests }) =>
    !failures.some(
      (failure) => failure.startsWith('unhandled') || tests.some((file) => failure.startsWith(file)),
    );
  const measured = chosen.filter(isSound);
  for (const { name } of chosen.filter((fault) => !isSound(fault)))
    console.log(`${name} is not measured: its tests fail without it.`);
  console.log('| fault | kind | found by | seconds | first failure |\n|---|---|---|---|---|');

  let foundCount = 0;
  for (const fault of measured) {
    const { failure, seconds } = await measure(fault);
    if (failure) foundCount += 1;
    const by = !failure ? 'nothing' : failure.startsWith(architecture) ? 'static' : 'daily';
    console.log(`| ${fault.name} | ${fault.kind} | ${by} | ${seconds} | ${failure ?? ''} |`);
  }
  await closeVitest();
  console.log(`\n${foundCount} of ${chosen.length} found.`);
  return foundCount === chosen.length ? 0 : 1;
});
