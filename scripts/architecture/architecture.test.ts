import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  clockViolations,
  importViolations,
  nameViolations,
  sliceCycles,
  strayExports,
  tableWrites,
} from './rules.ts';
import { parseSource, readSourceFiles } from './source-files.ts';
import { tablesOf } from './table-owners.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = readSourceFiles();

describe('the source', () => {
  it('is not empty', () => expect(files.length).toBeGreaterThan(1000));
  it('imports along the order of domains and layers', () => expect(importViolations(files)).toEqual([]));
  it('has no cycle of slices on the server', () => expect(sliceCycles(files)).toEqual([]));
  it('names files after what they do, without barrels', () => expect(nameViolations(files)).toEqual([]));
  it('exports routes and tasks from the files of their slices', () =>
    expect(strayExports(files)).toEqual([]));
  it('reads the clock in one place', () => expect(clockViolations(files)).toEqual([]));

  it('writes each table only from the slices that own it, and shares no table without need', () => {
    const { used, violations } = tableWrites(files);
    expect(violations).toEqual([]);
    const slices = Object.entries(tablesOf).flatMap(([slice, tables]) =>
      tables.split(' ').map((table) => ({ slice, table })),
    );
    const shared = slices.filter(({ table }) => slices.filter((other) => other.table === table).length > 1);
    expect(shared.filter(({ slice, table }) => !used.has(`${slice} ${table}`))).toEqual([]);
  });

  it('has an owner for every table of the migrations', () => {
    const owned = Object.values(tablesOf).join(' ').split(' ');
    const tables = new Set<string>();
    let created = 0;
    for (const file of globSync(`${root}/apps/api/migrations/*.sql`).sort())
      for (const [, made, old = '', renamed] of readFileSync(file, 'utf8').matchAll(
        /create (?:unlogged )?table (?:if not exists )?([a-z_]+)|alter table ([a-z_]+) rename to ([a-z_]+)/g,
      )) {
        if (made) created += 1;
        if (renamed) tables.delete(old);
        tables.add(made ?? renamed ?? '');
      }
    expect(created).toBeGreaterThan(100);
    expect([...tables].filter((table) => !owned.includes(table))).toEqual([]);
  });
});

/** Each rule finds a made-up file that breaks it. */
describe('the rules can fail', () => {
  const jobs = 'apps/api/src/hiring/jobs';

  it.each([
    ['a rule that reads the database', `${jobs}/jobs.rules.ts`, '../../platform/db.ts'],
    ['a rule with I/O', `${jobs}/jobs.rules.ts`, 'node:fs'],
    ['another slice’s routes', `${jobs}/jobs.service.ts`, '../offers/offers.routes.ts'],
    [
      'an earlier domain that calls a later one',
      'apps/api/src/money/holds/holds.ts',
      '../../hiring/jobs/jobs.ts',
    ],
    [
      'an earlier screen that reads a later contract',
      'apps/web/src/people/team/team.tsx',
      '@nearhand/contract/hiring/jobs',
    ],
    [
      'a contract that knows a later domain',
      'packages/contract/src/money/wallet.ts',
      '../work/engagements.ts',
    ],
    ['a root of the contract that knows a domain', 'packages/contract/src/limits.ts', './hiring/jobs.ts'],
    ['a contract with a library', 'packages/contract/src/jobs.ts', 'kysely'],
    ['rules of the browser with a library', 'packages/contract/src/hiring/jobs.rules.ts', 'zod'],
    ['a product that needs the lab', `${jobs}/jobs.service.ts`, '@nearhand/lab/bench/load.ts'],
    ['a product that needs fixtures', `${jobs}/jobs.service.ts`, '../offers/offers.fixtures.ts'],
    ['a platform that knows a slice', 'apps/api/src/platform/db.ts', '../hiring/jobs/jobs.service.ts'],
    ['a slice that knows the start', `${jobs}/jobs.service.ts`, '../../app.ts'],
    ['a server that needs the web', `${jobs}/jobs.service.ts`, '../../../../web/src/lib/forms.ts'],
    ['a browser that needs the server', 'apps/web/src/lib/api/client.ts', '../../../../api/src/app.ts'],
    ['ui that knows a slice', 'apps/web/src/ui/card.tsx', '../hiring/jobs/jobs.api.ts'],
    ['a slice that imports app', 'apps/web/src/hiring/jobs/jobs.tsx', '../../app/routes.ts'],
    ['a screen of another slice', 'apps/web/src/hiring/jobs/jobs.tsx', '../../people/team/team.screen.tsx'],
    ['a slice that imports the console', 'apps/web/src/hiring/jobs/jobs.tsx', '../../console/queue.tsx'],
    ['a console with a slice', 'apps/web/src/console/queue.tsx', '../people/sign-in/sign-in.api.ts'],
  ])('%s', (_name, file, target) => {
    for (const text of [
      `import '${target}';`,
      `import type { X } from '${target}';`,
      `const x = import('${target}');`,
    ])
      expect(importViolations([parseSource(file, text)]), text).toHaveLength(1);
  });

  it('a cycle of three slices', () => {
    const edge = (from: string, to: string) =>
      parseSource(`apps/api/src/hiring/${from}/${from}.ts`, `import '../${to}/${to}.ts';`);
    expect(sliceCycles([edge('jobs', 'spots'), edge('spots', 'offers')])).toEqual([]);
    expect(sliceCycles([edge('jobs', 'spots'), edge('spots', 'offers'), edge('offers', 'jobs')])).toEqual([
      'jobs -> spots -> offers -> jobs',
    ]);
  });

  it.each([
    ['a barrel', 'apps/api/src/platform/jobs.ts', "export * from './db.ts';"],
    ['an index', 'apps/web/src/ui/index.ts', ''],
    ['a dumping ground', 'apps/web/src/lib/utils.ts', ''],
    ['camel case', 'apps/web/src/lib/jobCard.ts', ''],
    ['a value called "given"', 'apps/web/src/lib/amounts.ts', 'const given = 1;'],
    [
      'a parameter called "of"',
      'apps/web/src/lib/amounts.ts',
      'export const double = (of: number) => 2 * of;',
    ],
  ])('%s', (_name, file, text) => expect(nameViolations([parseSource(file, text)])).toHaveLength(1));

  it.each(['holdsRoutes = {}', 'holdsTasks = []'])('%s of a sibling', (text) =>
    expect(
      strayExports([parseSource('apps/api/src/money/holds/cover.ts', `export const ${text};`)]),
    ).toHaveLength(1),
  );

  it.each(['new Date()', 'Date.now()', 'Date()'])('%s outside the clock', (read) => {
    const violations = (text: string) =>
      clockViolations([parseSource(`${jobs}/jobs.ts`, `const x = ${text};`)]);
    expect(violations(read)).toHaveLength(1);
    expect(violations('new Date(0)')).toEqual([]);
  });

  it.each([
    ['another slice’s table', 'sql`update offers set status = 1`'],
    ['another slice’s table by builder', "db.insertInto('offers')"],
    ['a table without an owner', "db.deleteFrom('ghosts')"],
  ])('a write of %s', (_name, text) =>
    expect(tableWrites([parseSource(`${jobs}/jobs.sql.ts`, text)]).violations).toHaveLength(1),
  );
});
