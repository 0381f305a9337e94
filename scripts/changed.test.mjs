// @ts-check
import { describe, expect, it } from 'vitest';
import { changesSql, testFiles, testsBeside } from './changed.mjs';

const tests = [
  'apps/api/src/hiring/jobs/jobs.test.ts',
  'apps/api/src/hiring/jobs/jobs-load.nightly.test.ts',
  'apps/api/src/hiring/offers/offers.test.ts',
  'apps/web/src/hiring/jobs/listed-job.test.tsx',
  'packages/contract/src/hiring/jobs.rules.test.ts',
  'apps/api/src/platform/http/forms.test.ts',
  'apps/api/src/platform/database/database-server.nightly.test.ts',
];

describe('the tests of a change', () => {
  it('include its slice on all sides', () => {
    expect(testsBeside(['packages/contract/src/hiring/jobs.ts'], tests)).toEqual([
      tests[0],
      tests[3],
      tests[4],
    ]);
    expect(testsBeside(['apps/web/src/hiring/jobs/forms/job-form.tsx'], tests)).toEqual([
      tests[0],
      tests[3],
      tests[4],
    ]);
  });

  it('include its folder, slow ones too', () => {
    expect(testsBeside(['apps/api/src/platform/http/forms.ts'], tests)).toEqual([tests[5]]);
    expect(testsBeside(['apps/api/src/hiring/jobs/jobs.ts'], tests)).toContain(tests[1]);
    expect(testsBeside(['apps/api/migrations/0001-accounts.sql'], tests)).toEqual([tests[6]]);
    expect(testsBeside(['docs/operations.md', 'apps/api/src/platform/http/notes.md'], tests)).toEqual([]);
  });

  it('exist', () => {
    expect(testFiles()).toContain('scripts/changed.test.mjs');
    expect(testFiles().filter((file) => file.includes('node_modules'))).toEqual([]);
  });

  it('include the rows of its raw SQL', () => {
    expect(changesSql(['apps/api/migrations/0001-accounts.sql'])).toBe(true);
    expect(changesSql(['apps/api/src/gone/gone.sql.ts'])).toBe(true);
    expect(changesSql(['apps/api/src/platform/clock.ts', 'docs/gone.md'])).toBe(false);
  });
});
