import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';

const api = path.resolve(import.meta.dirname, '../..');
const vitest = path.resolve(api, '../../node_modules/vitest/vitest.mjs');
let folder = '';

afterEach(() => rm(folder, { recursive: true, force: true }));

it('leaves a recording of every test file, even of one with only skipped tests', async () => {
  await mkdir(path.join(api, '.cache'), { recursive: true });
  folder = await mkdtemp(path.join(api, '.cache/recordings-'));
  const recordings = path.join(folder, 'recordings');
  await mkdir(recordings);
  await writeFile(path.join(folder, 'runs.test.ts'), `import { it } from 'vitest'; it('runs', () => {});`);
  await writeFile(
    path.join(folder, 'skipped.test.ts'),
    `import { it } from 'vitest'; it.skip('is skipped', () => { throw new Error(); });`,
  );
  const setUp = path.join(import.meta.dirname, 'record-statements.ts');
  await writeFile(
    path.join(folder, 'vitest.config.js'),
    `export default { test: { setupFiles: [${JSON.stringify(setUp)}] } };`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'run', '--root', folder], {
    env: { ...process.env, RECORDED_STATEMENTS: recordings },
  });
  expect(stdout).toMatch(/1 passed.*1 skipped/);
  const left = await readdir(recordings);
  expect(left).toHaveLength(2);
  for (const name of left) expect(await readFile(path.join(recordings, name), 'utf8')).toBe('[]');
});
