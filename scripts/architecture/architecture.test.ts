import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../packages/contract/src/limits.ts';
import {
  edgeCircles,
  importCycles,
  importViolations,
  serviceEdges,
  unusedEdges,
  type Violation,
} from './import-rules.ts';
import { copiedLimits, numberViolations } from './number-rules.ts';
import {
  clockViolations,
  colourViolations,
  folderViolations,
  functionViolations,
  idleWriters,
  restylingViolations,
  shapeViolations,
  tableOwners,
  tableViolations,
} from './shape-rules.ts';
import { oneSidedSlices, oneSidedViolations } from './slice-rules.ts';
import { parseSource, readSourceFiles } from './source-files.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = readSourceFiles();
const notified = (violations: Violation[]) => violations.map(({ file, message }) => `${file} ${message}`);
const styles = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '--', 'apps/web/*.css'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))
  .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));

describe('the house', () => {
  it('was read', () => {
    expect(files.length).toBeGreaterThan(40);
  });
  it('lets each layer import only what it may', () => expect(notified(importViolations(files))).toEqual([]));
  it('has no import cycles', () => expect(notified(importCycles(files))).toEqual([]));
  it('has no mutual pair of slices and no longer circle of them', () =>
    expect(edgeCircles(serviceEdges)).toEqual([]));
  it('declares only edges that are used', () => expect(unusedEdges(files, serviceEdges)).toEqual([]));
  it('keeps files short, named after what they do, without barrels', () =>
    expect(notified(shapeViolations(files))).toEqual([]));
  it('keeps folders small', () => expect(notified(folderViolations(files))).toEqual([]));
  it('keeps functions short', () => expect(notified(functionViolations(files))).toEqual([]));
  it('reads the clock in one place', () => expect(notified(clockViolations(files))).toEqual([]));
  it('writes each table from its own slice', () => expect(notified(tableViolations(files))).toEqual([]));
  it('lets no other slice write a table without need', () =>
    expect(idleWriters(files, tableOwners)).toEqual([]));
  it('names a slice the same on its sides', () =>
    expect(oneSidedViolations(files, oneSidedSlices)).toEqual([]));
  it('names every limit of a schema, a field or a text', () =>
    expect(notified(numberViolations(files))).toEqual([]));
  it('repeats no limit under another name', () => expect(notified(copiedLimits(files, limits))).toEqual([]));
  it('keeps colours in the tokens', () => expect(notified(colourViolations(styles))).toEqual([]));
  it('restyles no whole page', () => expect(notified(restylingViolations(styles))).toEqual([]));
  it('knows an owner for every table of the migrations', () => {
    const folder = path.join(root, 'apps/api/migrations');
    const tables = execFileSync('git', ['ls-files', '--cached', '--others', '--', folder], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((file) => file.endsWith('.sql') && existsSync(path.join(root, file)))
      .flatMap((file) =>
        [
          ...readFileSync(path.join(root, file), 'utf8').matchAll(
            /create (?:unlogged )?table (?:if not exists )?([a-z_]+)/g,
          ),
        ].map((match) => match[1]),
      );
    expect(tables.filter((table) => table !== undefined && !(table in tableOwners))).toEqual([]);
  });
});

/** Each rule must be able to fail: a made-up file that breaks it is found. */
describe('the rules can fail', () => {
  const check = (
    rule: (list: ReturnType<typeof readSourceFiles>) => Violation[],
    file: string,
    text: string,
  ) => rule([parseSource(file, text)]);
  const api = 'apps/api/src/hiring';

  it.each([
    ['a rule that reads the database', `${api}/jobs/jobs.rules.ts`, "import '../../platform/db.ts';"],
    ['a rule with IO', `${api}/jobs/jobs.rules.ts`, "import 'node:fs';"],
    ['another slice’s SQL', `${api}/jobs/jobs.service.ts`, "import '../offers/offers.sql.ts';"],
    [
      'an edge that is not listed',
      `${api}/interviews/interviews.service.ts`,
      "import '../pipeline/notes.service.ts';",
    ],
    [
      'a domain that calls a later one',
      'apps/api/src/money/holds/holds.service.ts',
      "import '../../hiring/offers/offers.service.ts';",
    ],
    [
      'a domain that reads the contract of a later one',
      'apps/web/src/people/profiles/profile-words.ts',
      "import type { Job } from '@nearhand/contract/hiring/jobs';",
    ],
    [
      'a contract that knows a later domain',
      'packages/contract/src/money/wallet.ts',
      "import '../work/engagements.ts';",
    ],
    [
      'a shared part of the contract that knows a domain',
      'packages/contract/src/limits.ts',
      "import './hiring/jobs.ts';",
    ],
    [
      'a route that calls another slice',
      `${api}/jobs/jobs.routes.ts`,
      "import '../offers/offers.service.ts';",
    ],
    [
      'a test of the product that needs the lab',
      `${api}/jobs/jobs.fixtures.ts`,
      "import '@nearhand/lab/experiments/webhooks.ts';",
    ],
    ['a path into the lab', `${api}/jobs/jobs.service.ts`, "import '../../../../lab/bench/load.ts';"],
    [
      'a type import counts',
      `${api}/jobs/jobs.service.ts`,
      "import type { X } from '../offers/offers.rules.ts';",
    ],
    [
      'platform that knows a slice',
      'apps/api/src/platform/db.ts',
      "import '../hiring/jobs/jobs.service.ts';",
    ],
    ['a contract with a library', 'packages/contract/src/jobs.ts', "import 'kysely';"],
    ['ui that knows a slice', 'apps/web/src/ui/card.tsx', "import '../hiring/jobs/jobs.api.ts';"],
    [
      'a slice that imports app',
      'apps/web/src/hiring/jobs/job-desc.screen.tsx',
      "import '../../app/routes.ts';",
    ],
    [
      'a screen of another slice',
      'apps/web/src/hiring/jobs/job-desc.screen.tsx',
      "import '../../people/places/place-picker.tsx';",
    ],
    [
      'a slice that imports the console',
      'apps/web/src/hiring/jobs/one.tsx',
      "import '../../console/door.tsx';",
    ],
    ['a console with a screen of the app', 'apps/web/src/console/door.tsx', "import '../app/routes.ts';"],
    ['a console with a slice', 'apps/web/src/console/door.tsx', "import '../people/sign-in/sign-in.api.ts';"],
    ['a dynamic import counts', 'apps/web/src/ui/card.tsx', "const x = import('../app/routes.ts');"],
  ])('%s', (_name, file, text) => {
    expect(check(importViolations, file, text)).toHaveLength(1);
  });

  it('a cycle', () => {
    const circle = [
      parseSource('apps/api/src/platform/one.ts', "import './two.ts';"),
      parseSource('apps/api/src/platform/two.ts', "import './one.ts';"),
    ];
    expect(importCycles(circle)).toHaveLength(1);
  });

  it('a mutual pair of slices, and a circle of three', () => {
    expect(edgeCircles({ jobs: ['seats'], seats: ['jobs'] })).toEqual(['jobs -> seats -> jobs']);
    expect(edgeCircles({ jobs: ['seats'], offers: ['jobs'], seats: ['offers'] })).toHaveLength(1);
    expect(edgeCircles({ jobs: [], seats: ['jobs'], offers: ['jobs', 'seats'] })).toEqual([]);
  });

  it('a declared edge that nothing uses', () => {
    const caller = parseSource(`${api}/seats/seats.service.ts`, "import '../jobs/job-states.service.ts';");
    expect(unusedEdges([caller], { jobs: ['seats'], seats: ['jobs'] })).toEqual(['jobs -> seats']);
  });

  it.each([
    ['401 lines', 'apps/api/src/platform/long.ts', '\n'.repeat(401)],
    ['a barrel', 'apps/api/src/platform/jobs.ts', "export * from './db.ts';\n"],
    ['an index', 'apps/web/src/ui/index.ts', ''],
    ['a dumping ground', 'apps/web/src/lib/utils.ts', ''],
    ['camel case', 'apps/web/src/lib/jobCard.ts', ''],
  ])('%s', (_name, file, text) => {
    expect(check(shapeViolations, file, text)).toHaveLength(1);
  });

  it.each([
    ['116 lines of code', 'apps/api/src/platform/long.ts', 116],
    ['171 lines of a component', 'apps/web/src/ui/long.tsx', 171],
  ])('a function of %s', (_name, file, lines) => {
    const text = (count: number) => `export function long() {${'\n'.repeat(count - 1)}}\n`;
    expect(check(functionViolations, file, text(lines))).toHaveLength(1);
    expect(check(functionViolations, file, text(lines - 1))).toHaveLength(0);
  });

  it('a folder of 21 source files', () => {
    const folder = (count: number) =>
      Array.from({ length: count }, (_, index) => parseSource(`${api}/jobs/part-${index}.ts`, ''));
    const tests = [
      parseSource(`${api}/jobs/jobs.test.ts`, ''),
      parseSource(`${api}/jobs/jobs.fixtures.ts`, ''),
    ];
    expect(folderViolations([...folder(21), ...tests])).toHaveLength(1);
    expect(folderViolations([...folder(20), ...tests])).toHaveLength(0);
  });

  it.each(['new Date()', 'Date.now()', 'Date()'])('%s outside the clock', (text) => {
    expect(check(clockViolations, `${api}/jobs/jobs.service.ts`, `export const x = ${text};`)).toHaveLength(
      1,
    );
    expect(
      check(clockViolations, `${api}/jobs/jobs.service.ts`, 'export const x = new Date(0);'),
    ).toHaveLength(0);
  });

  it.each([
    ['another slice’s table', `${api}/jobs/jobs.sql.ts`, 'sql`update applications set status = 1`'],
    ['another slice’s table by builder', `${api}/jobs/jobs.sql.ts`, "db.insertInto('applications')"],
    ['its own table outside SQL files', `${api}/jobs/jobs.service.ts`, "db.deleteFrom('jobs')"],
    ['a table without owner', `${api}/jobs/jobs.sql.ts`, "db.deleteFrom('ghosts')"],
  ])('writes %s', (_name, file, text) => {
    expect(check(tableViolations, file, text)).toHaveLength(1);
  });

  it('a slice that may write a table and does not', () => {
    const writer = parseSource(`${api}/jobs/jobs.sql.ts`, "db.updateTable('jobs')");
    expect(idleWriters([writer], { jobs: ['jobs', 'seats'], offers: 'offers' })).toEqual([
      'seats writes jobs',
    ]);
  });

  it.each([
    ['a schema', 'packages/contract/src/hiring/jobs.ts', 'z.string().max(120)', 1],
    ['a calculated bound', 'packages/contract/src/work/timesheets.ts', 'z.number().max(24 * 60)', 1],
    ['a text of the contract', 'packages/contract/src/hiring/jobs.ts', 'line(120, 0)', 1],
    ['a field', 'apps/web/src/hiring/jobs/job.tsx', '<input maxLength={120} />', 1],
    ['a length', 'apps/web/src/hiring/jobs/job.rules.ts', 'text.trim().length > 120', 1],
    ['a named bound', 'packages/contract/src/hiring/jobs.ts', 'line(limits.titleMax); z.number().min(1)', 0],
    ['arithmetic', 'packages/contract/src/hiring/jobs.ts', 'Math.min(120, minutes)', 0],
    ['a shape', 'apps/web/src/hiring/jobs/job.rules.ts', 'choices.length < 2', 0],
  ])('a number without a name in %s', (_name, file, text, count) => {
    expect(check(numberViolations, file, text)).toHaveLength(count);
  });

  it('a slice of one side, and a reason without one', () => {
    const made = (...paths: string[]) => paths.map((path) => parseSource(path, ''));
    const ghost = 'apps/web/src/hiring/ghosts/ghosts.screen.tsx';
    expect(oneSidedViolations(made(ghost), {})).toHaveLength(1);
    expect(oneSidedViolations(made(ghost), { 'hiring/ghosts': 'seen by one side' })).toEqual([]);
    const both = made(ghost, 'packages/contract/src/hiring/ghosts.rules.ts');
    expect(oneSidedViolations(both, {})).toEqual([]);
    expect(oneSidedViolations(both, { 'hiring/ghosts': 'seen by one side' })).toHaveLength(1);
  });

  it('a copy of a limit', () => {
    const copies = (text: string) =>
      copiedLimits([parseSource('apps/web/src/hiring/jobs/job.rules.ts', text)], { titleMax: 120 });
    expect(copies('const mostOfTitle = 120;')).toHaveLength(1);
    expect(copies('const titleMost = 140; const gap = 120;')).toHaveLength(0);
  });

  it('a colour outside the tokens', () => {
    expect(
      colourViolations([{ path: 'apps/web/src/ui/card.css', text: '.card { color: #ff0000; }' }]),
    ).toHaveLength(1);
  });

  it('a rule that restyles a whole page', () => {
    const found = (text: string) => restylingViolations([{ path: 'apps/web/src/ui/parts.css', text }]);
    expect(found('.a, .stale:has(.btn) > :not(.btn, :has(.btn)) { color: red }')).toHaveLength(1);
    expect(found('@media print { .stale:has(.btn):hover * { color: red } }')).toHaveLength(1);
    expect(found('.stale:not(:has(.btn)) > * {}')).toHaveLength(1);
    expect(found(':is(.a:has(.b)) > * {}')).toHaveLength(1);
    expect(found('.stale:has(.btn) .row > :not(.x) {}')).toHaveLength(1);
    expect(found('.a:has(.b) > .c > * {}')).toHaveLength(1);
    expect(found('.a:has(.b) > [data-x="c > *"], .stale:not(:has(.btn)) > .c {}')).toEqual([]);
    expect(found('.stale > :not(.btn, :has(.btn)), body:has(.bar) .toasts, p:has(a) + p {}')).toEqual([]);
  });
});
