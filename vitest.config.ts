import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const setupFiles = [`${import.meta.dirname}/scripts/fail-on-console-error.ts`];

// Meant to end only hanging tests: on a busy machine a one-second test has taken thirty seconds.
const patience = 60_000;

/** Files that only `npm run test:nightly` runs. */
const nightlyFiles = '**/*.nightly.test.{ts,mjs}';
const heavyFiles = 'apps/api/test/heavy/*.nightly.test.ts';

const server = {
  // A process per file spends more on loading the server than on the tests. Each file has its own database,
  // and none mocks a module.
  isolate: false,
  setupFiles: [...setupFiles, './apps/api/test/sql-types/record-statements.ts'],
  globalSetup: ['./apps/api/test/global-setup.ts'],
  testTimeout: patience,
  hookTimeout: patience,
};

const projects = {
  unit: {
    test: {
      name: 'unit',
      include: ['packages/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}', 'e2e/languages/*.test.ts'],
      exclude: [...configDefaults.exclude, nightlyFiles],
      setupFiles,
      testTimeout: patience,
    },
  },
  api: {
    test: {
      ...server,
      name: 'api',
      include: ['apps/{api,lab}/**/*.test.ts'],
      exclude: [...configDefaults.exclude, nightlyFiles],
    },
  },
  nightly: {
    test: {
      ...server,
      name: 'nightly',
      include: [`apps/{api,lab}/${nightlyFiles}`],
      exclude: [...configDefaults.exclude, heavyFiles],
    },
  },
  // Alone, with a database server of its own: nothing can be vacuumed while another test's long transaction
  // is open, and then every list reads more pages.
  heavy: { test: { ...server, name: 'heavy', include: [heavyFiles], sequence: { groupOrder: 1 } } },
  // Runs after the server's tests: it compares the rows of the statements that they ran (ADR 57).
  rows: {
    test: {
      name: 'rows',
      include: ['apps/api/test/sql-types/*.check.ts'],
      setupFiles,
      globalSetup: ['./apps/api/test/global-setup.ts'],
      testTimeout: patience,
      hookTimeout: patience,
      sequence: { groupOrder: 2 },
    },
  },
  web: {
    extends: './apps/web/vite.config.ts',
    test: {
      name: 'web',
      root: './apps/web',
      include: ['**/*.test.{ts,tsx}'],
      environment: 'happy-dom',
      // One happy-dom per worker and a fresh context per file: a quarter of the CPU time of a process per file.
      pool: 'vmThreads',
      // With two, the run takes twice as long and leaves half of the processor idle.
      maxWorkers: 4,
      sequence: { groupOrder: 3 },
      alias: { 'idb-keyval': `${import.meta.dirname}/apps/web/test/memory-idb.ts` },
      setupFiles,
      testTimeout: patience,
      hookTimeout: patience,
    },
  },
};

// Vitest prepares every project of this list, whichever it is asked to run. The web's Vite configuration
// takes a while to load, and should not keep the server's tests from running while it is half-written.
const named = process.argv.flatMap((argument, index, all) =>
  argument === '--project'
    ? [all[index + 1] ?? '']
    : argument.startsWith('--project=')
      ? [argument.slice(10)]
      : [],
);
const names = named.length > 0 ? named : ['unit', 'api', 'web'];
const chosen = Object.values(projects).filter(({ test }) => names.includes(test.name));

// One seed for the samples of all workers (scripts/seeded-sample.ts).
process.env.SEED ??= String(Math.floor(Math.random() * 1_000_000));
if (process.env.NIGHTLY !== 'true') process.stdout.write(`Samples: SEED=${process.env.SEED}\n`);

if (chosen.includes(projects.rows) && chosen.includes(projects.api)) {
  process.env.RECORDED_STATEMENTS ??= path.join(tmpdir(), `nearhand-statements-${process.pid}`);
  mkdirSync(process.env.RECORDED_STATEMENTS, { recursive: true });
}

export default defineConfig({
  test: {
    // Test files wait for the database more than they compute.
    maxWorkers: 2,
    projects: chosen,
  },
});
