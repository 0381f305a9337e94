// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { faults } from './faults.mjs';
import { root } from './steps.mjs';

it('finds the place of every planted fault exactly once, and the tests that should notice it', () => {
  const misplaced = faults.flatMap(({ name, file, from, tests }) => {
    const places = readFileSync(path.join(root, file), 'utf8').split(from).length - 1;
    const missing = tests.filter((test) => !existsSync(path.join(root, test)));
    return places === 1 && missing.length === 0 ? [] : [{ name, places, missing }];
  });
  expect(misplaced).toEqual([]);
});
