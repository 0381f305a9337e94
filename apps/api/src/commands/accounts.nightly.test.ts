import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useTestApp } from '../../test/harness.ts';
import { signUpAccount } from '../people/accounts/accounts.fixtures.ts';

const app = useTestApp();
const hashConfig = `algorithm: SCRYPT, base64_signer_key: ${Buffer.alloc(64, 'k').toString('base64')}, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14`;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nearhand-accounts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs `npm run accounts` on the test's database, as users run it. */
function run(args: string[], settings: Record<string, string> = {}) {
  const env = {
    ...process.env,
    DATABASE_URL: app.directUrl,
    DATA_DIR: folder,
    INIT_CWD: folder,
    ...settings,
  };
  return new Promise<{ code: unknown; out: string; error: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(import.meta.dirname, 'accounts.ts'), ...args],
      { env },
      (failed, out, error) => resolve({ code: failed?.code ?? 0, out, error }),
    );
  });
}

it('exports accounts to a file that only its owner can read, and imports them', async () => {
  const email = 'lina@example.test';
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Lina', password: 'a quiet harbour 7' });
  const exported = await run(['export', 'all.json']);
  expect(exported).toMatchObject({ code: 0, error: '' });
  expect(exported.out).toContain('auth:import');
  expect(exported.out).toContain(
    '--hash-algo=STANDARD_SCRYPT --mem-cost=16384 --block-size=16 --parallelization=1 --dk-len=64',
  );
  const file = path.join(folder, 'all.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { users } = JSON.parse(await readFile(file, 'utf8'));
  expect(users).toMatchObject([{ localId: id, email, displayName: 'Lina', emailVerified: true }]);
  expect((await run(['export', 'all.json'])).error).toMatch(/all\.json can't be written/);

  expect((await run(['import', 'all.json'])).error).toMatch(/^FIREBASE_HASH_CONFIG is missing/);
  const settings = { FIREBASE_HASH_CONFIG: hashConfig };
  // If hashes of another kind were imported as Firebase's, they would lock everyone out.
  expect((await run(['import', 'all.json'], settings)).error).toMatch(/was exported by this server/);
  const passwordHash = Buffer.alloc(64).toString('base64');
  const theirs = { users: [{ localId: id, email, passwordHash, salt: 'c2FsdA==' }, { localId: 'x' }] };
  await writeFile(path.join(folder, 'theirs.json'), JSON.stringify(theirs));
  expect(await run(['import', 'theirs.json'], settings)).toMatchObject({
    code: 0,
    out: '1 sign in here with their password of Firebase.\n1 never signed in to this server, and were left out.\n',
  });
});

it('reports what is wrong with a file or a call, and changes nothing', async () => {
  await writeFile(path.join(folder, 'broken.json'), '{"users": [');
  await writeFile(path.join(folder, 'odd.json'), '{"users": [{"email": 7}]}');
  const settings = { FIREBASE_HASH_CONFIG: hashConfig };
  expect((await run(['import', 'broken.json'], settings)).error).toMatch(
    /broken\.json can't be read as JSON/,
  );
  expect((await run(['import', 'odd.json'], settings)).error).toMatch(
    /odd\.json is no file of .*users\.0\.localId/,
  );
  expect((await run(['import', 'none.json'], settings)).error).toMatch(/none\.json can't be read/);
  for (const args of [
    [],
    ['export'],
    ['move', 'a.json'],
    ['export', 'a.csv'],
    ['export', 'a.json', 'b.json'],
  ])
    expect(await run(args)).toMatchObject({
      code: 1,
      error: expect.stringContaining('npm run accounts -- export'),
    });
});
