// @ts-check
import { expect, it } from 'vitest';
import { registrations } from './slice-lists.mjs';

it('a new slice is added to every list of slices', () => {
  const lists = registrations({ domain: 'work', slice: 'loans', noun: 'loan', Noun: 'Loan', table: 'loans' });
  const added = {
    'packages/contract/src/contract.ts': /export const contract = \{[^}]*\n {2}loans,\n\};/,
    'packages/contract/src/errors.ts': /'loan\/not-found': 404,\n\} as const/,
    'apps/web/src/lib/api/error-text.ts': /const errorMessages[\s\S]*'loan\/not-found': msg`[^`]+`,\n\};/,
    'apps/api/src/app.ts': /export const router = \{[^}]*\n {2}loans: loansRoutes,\n\};/,
    'scripts/architecture/import-rules.ts': /export const serviceEdges[^}]*\n {2}loans: \[\],\n\};/,
    'scripts/architecture/shape-rules.ts': /export const tableOwners[^}]*\n {2}loans: 'loans',\n\};/,
  };
  expect(Object.keys(lists).sort()).toEqual(Object.keys(added).sort());
  for (const [file, text] of Object.entries(added)) expect(lists[file], file).toMatch(text);
});
