// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { capture, projectEnvironment, projectNode, root, runHere } from './steps.mjs';
import { checkWords } from './words.mjs';

/**
 * `flaky` tests failed and then passed; `skipped` ones need what this machine lacks. Both count as neither.
 * @typedef {{ passed: number, failed: number, names?: string[], flaky?: string[], skipped?: string[] }} Count
 */

/** More failures are a real fault, so they are not run again. */
const filesRunAgain = 5;

const reports = path.join(root, 'node_modules', '.cache', 'nearhand');

/**
 * Each check counts as one.
 * @param {{ unused?: boolean, changed?: string[] }} options
 */
export async function runStaticChecks({ unused = false, changed } = {}) {
  // Each checker of the compiler infers the contract's types again: for the server's program four take 83 s of
  // processor time, one takes 32 s. Four programs are compiled at once.
  const checkers = Math.min(4, Math.ceil(availableParallelism() / 4));
  const tsc = (/** @type {string} */ project) => [
    ...['node_modules/typescript/bin/tsc', '-p', project],
    ...['--checkers', String(checkers)],
  ];
  const touches = (/** @type {RegExp} */ files) => !changed || changed.some((file) => files.test(file));
  const web = touches(/^(apps\/web|packages)\/|package-lock|tsconfig/) && hasSources('apps/web/src');
  /** @type {[string, string[]][]} */
  const checks = [
    ['types of the server', tsc('.')],
    ...(touches(/^scripts\//) ? [tuple('types of the scripts', tsc('scripts'))] : []),
    ...(web ? [tuple('types of the web app', tsc('apps/web'))] : []),
    ...(touches(/^(e2e|packages|apps\/web)\//) && hasSources('e2e')
      ? [tuple('types of the end-to-end tests', tsc('e2e'))]
      : []),
    ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '--colors=off']],
    ...(unused
      ? [tuple('unused files, exports and packages', ['node_modules/knip/bin/knip.js', '--no-progress'])]
      : []),
  ];
  /** @type {[string, () => Promise<{ code: number, output: string }>][]} */
  const runs = [
    ...checks.map(([title, args]) => run(title, () => capture(projectNode, args))),
    ...(web ? [run("the web app's messages", () => checkWords())] : []),
  ];
  const results = await Promise.all(
    runs.map(async ([title, check]) => {
      const { code, output } = await check();
      console.log(code === 0 ? `✓ ${title}` : `✗ ${title}\n${indent(output)}`);
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, names: [title] };
    }),
  );
  return sum(results);
}

/** Two runs, because one of both, with different numbers of workers, has not ended after its last test. */
export async function runUnitTests() {
  return sum([await runVitest({ projects: ['unit', 'api'] }), await runVitest({ projects: ['web'] })]);
}

/**
 * Failed test files run again, once (ADR 58).
 * @param {{ projects: string[], files?: string[], env?: Record<string, string> }} options
 */
export async function runVitest({ projects, files = [], env = {} }) {
  const named = projects.flatMap((project) => ['--project', project]);
  const first = await vitest([...named, ...files], env);
  const failed = failedFiles(first.results);
  // Other test files compare results recorded by earlier ones, so they mean nothing alone.
  const alone = failed.every((file) => /\.test\.\w+$/.test(file));
  if (failed.length === 0 || failed.length > filesRunAgain || !alone) return first.count;
  console.log(`\nRunning again, to tell what always fails from what fails at times:\n${failed.join('\n')}`);
  return afterSecondRun(first.count, (await vitest([...named, ...failed], env)).count);
}

async function vitest(/** @type {string[]} */ args, /** @type {Record<string, string>} */ env) {
  const report = emptyReport('vitest.json');
  const code = await runHere(
    projectNode,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${report}`,
      ...args,
    ],
    { env: { ...projectEnvironment(), ...env } },
  );
  const results = readReport(report);
  const count = {
    ...countVitest(results, code),
    names: failedTests(results),
    skipped: skippedTests(results),
  };
  return { results, count };
}

/** @param {any} report Vitest's JSON report; undefined when it wrote none. @returns {string[]} */
export function failedFiles(report) {
  /** @type {any[]} */
  const files = report?.testResults ?? [];
  return files.filter((file) => file.status === 'failed').map((file) => path.relative(root, file.name));
}

/**
 * Merges a run with the rerun of its failed files.
 * @param {Count} first
 * @param {Count} second
 * @returns {Count}
 */
export function afterSecondRun(first, second) {
  const { failed } = second;
  // A run that broke without naming a test clears none.
  const names = (failed > 0 && !second.names?.length ? first.names : second.names) ?? [];
  const flaky = (first.names ?? []).filter((name) => !names.includes(name));
  return { passed: first.passed, failed, names, flaky, skipped: first.skipped ?? [] };
}

/** @param {any} report Vitest's JSON report; undefined when it wrote none. @returns {string[]} */
export function failedTests(report) {
  /** @type {any[]} */
  const files = report?.testResults ?? [];
  return files
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const name = path.relative(root, file.name);
      const failed = file.assertionResults.filter((/** @type {any} */ result) => result.status === 'failed');
      return failed.length === 0
        ? [`${name}: could not be loaded`]
        : failed.map((/** @type {any} */ result) => `${name}: ${result.fullName}`);
    });
}

/** @param {any} report Vitest's JSON report; undefined when it wrote none. @returns {string[]} files, each with its number */
export function skippedTests(report) {
  /** @type {any[]} */
  const files = report?.testResults ?? [];
  return files.flatMap((file) => {
    const { length } = file.assertionResults.filter(
      (/** @type {any} */ { status }) => status === 'skipped' || status === 'pending',
    );
    return length > 0 ? [`${path.relative(root, file.name)}: ${length}`] : [];
  });
}

/** @param {any} report undefined if Vitest wrote none. @param {number} code @returns {Count} */
export function countVitest(report, code) {
  /** @type {any[]} */
  const files = report?.testResults ?? [];
  const broken = files.filter(
    (file) => file.status === 'failed' && !hasFailure(file.assertionResults),
  ).length;
  return orBroken(
    { passed: report?.numPassedTests ?? 0, failed: (report?.numFailedTests ?? 0) + broken },
    code,
  );
}

/** @param {any[]} results */
function hasFailure(results) {
  return results.some((result) => result.status === 'failed');
}

/**
 * Runs the journeys of e2e/; a failed one runs again, once (ADR 58).
 * @param {string} chromium
 * @param {{ language?: string, set?: 'daily' | 'all', journeys?: string[], payments?: 'sandbox' | 'stripe' }} options
 */
export async function runEndToEnd(
  chromium,
  { language = 'en', set = 'all', journeys = [], payments = 'sandbox' } = {},
) {
  const report = emptyReport('playwright.json');
  const code = await runHere(
    projectNode,
    [
      ...[
        'node_modules/@playwright/test/cli.js',
        'test',
        '--config=e2e',
        '--reporter=list,json',
        '--retries=1',
      ],
      ...journeys,
    ],
    {
      env: {
        ...projectEnvironment(),
        CHROMIUM_PATH: chromium,
        E2E_JOURNEYS: set,
        E2E_LANGUAGE: language,
        PROVIDER: payments,
        E2E_PORT: process.env.E2E_PORT ?? String(await freePortPair(24_110)),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      },
    },
  );
  const results = readReport(report);
  return { ...countPlaywright(results, code), names: failedJourneys(results), flaky: flakyJourneys(results) };
}

/**
 * Finds two adjacent free ports, so that concurrent runs don't collide.
 * @param {number} port
 * @returns {Promise<number>}
 */
async function freePortPair(port) {
  const free = await Promise.all([port, port + 1].map(isFree));
  return free.every(Boolean) ? port : freePortPair(port + 2);
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}

/** @param {any} report undefined if Playwright wrote none. @param {number} code @returns {Count} */
export function countPlaywright(report, code) {
  const { expected = 0, unexpected = 0 } = report?.stats ?? {};
  return orBroken({ passed: expected, failed: unexpected }, code);
}

/** @param {any} report Playwright's JSON report; undefined when it wrote none. @returns {string[]} */
export const failedJourneys = (report) => journeysOf(report, (spec) => !spec.ok);

/** @param {any} report Playwright's JSON report; undefined when it wrote none. @returns {string[]} */
export const flakyJourneys = (report) =>
  journeysOf(report, (spec) => spec.tests.some((/** @type {any} */ { status }) => status === 'flaky'));

/** @param {any} report @param {(spec: any) => boolean} project @returns {string[]} */
function journeysOf(report, project) {
  /** @type {any[]} */
  const suites = report?.suites ?? [];
  return suites.flatMap((suite) => [
    ...(suite.specs ?? []).filter(project).map((/** @type {any} */ spec) => `${spec.file}: ${spec.title}`),
    ...journeysOf(suite, project),
  ]);
}

/**
 * A runner that failed without a failing test counts as one failure.
 * @param {Count} count
 * @param {number} code
 */
function orBroken(count, code) {
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

/** @param {Count[]} counts @returns {Count} */
export function sum(counts) {
  return {
    passed: counts.reduce((total, { passed }) => total + passed, 0),
    failed: counts.reduce((total, { failed }) => total + failed, 0),
    names: counts.flatMap(({ names = [] }) => names),
    flaky: counts.flatMap(({ flaky = [] }) => flaky),
    skipped: counts.flatMap(({ skipped = [] }) => skipped),
  };
}

/**
 * Prints the failures and the count.
 * @param {Count} count
 * @param {{ flakyFails?: boolean }} options
 * @returns {number} the exit code
 */
export function summary(
  { passed, failed, names = [], flaky = [], skipped = [] },
  { flakyFails = false } = {},
) {
  // The runners' own reports have scrolled out of view.
  for (const name of skipped) console.log(`- ${name} skipped`);
  for (const name of flaky) console.log(`~ ${name} (failed once, then passed)`);
  for (const name of names) console.log(`✗ ${name}`);
  if (flaky.length > 0)
    console.log(
      flakyFails
        ? `${flaky.length} failed once and then passed, which fails this run.`
        : `${flaky.length} failed once and then passed: counted as neither, and the nightly run fails on them.`,
    );
  const failures = failed + (flakyFails ? flaky.length : 0);
  console.log(`${passed} passed, ${failures} failed`);
  return failures > 0 ? 1 : 0;
}

export function hasSources(/** @type {string} */ folder) {
  const full = path.join(root, folder);
  return (
    existsSync(full) &&
    readdirSync(full, { recursive: true }).some((name) => /^(?!node_modules).*\.tsx?$/.test(String(name)))
  );
}

/** @param {string} title @param {string[]} args @returns {[string, string[]]} */
function tuple(title, args) {
  return [title, args];
}

/**
 * @param {string} title
 * @param {() => Promise<{ code: number, output: string }>} check
 * @returns {[string, () => Promise<{ code: number, output: string }>]}
 */
function run(title, check) {
  return [title, check];
}

function emptyReport(/** @type {string} */ name) {
  mkdirSync(reports, { recursive: true });
  const file = path.join(reports, `${process.pid}-${name}`);
  rmSync(file, { force: true });
  return file;
}

function readReport(/** @type {string} */ file) {
  if (!existsSync(file)) return undefined;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return report;
}

function indent(/** @type {string} */ text) {
  return text.trimEnd().replace(/^/gm, '  ');
}
