import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryFileStore } from '../../../test/memory-file-store.ts';
import { canMount, onSmallDisk } from '../../../test/small-disk.ts';
import { AppError } from '../app-error.ts';
import { StartRefusedError } from '../start-refused.ts';
import { findServiceProblems, requireWritableFiles } from './start-checks.ts';

let folder = '';
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nearhand-start-checks-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

async function openMailServer(refuses: boolean): Promise<string> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) =>
      refuses ? done(new Error('wrong password')) : done(null, { user: 'n' }),
  });
  server.server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return `smtp://nearhand:hush@127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

const store = createMemoryFileStore();
const none = { SMTP_URL: undefined, FILES_S3_URL: undefined };

it('logs nothing for a working mail server and bucket, and leaves nothing in the bucket', async () => {
  const config = { SMTP_URL: await openMailServer(false), FILES_S3_URL: 'https://files.example/bucket' };
  expect(await findServiceProblems(config, store)).toEqual([]);
  expect(await store.get('start-check')).toBeNull();
  expect(await findServiceProblems(none, store)).toEqual([]);
});

it('warns in one sentence each of a broken mail server and bucket, without their passwords', async () => {
  const broken = {
    ...store,
    put: () =>
      Promise.reject(new AppError('request/unavailable', undefined, { cause: new Error('answered 403') })),
  };
  const problems = [
    ...(await findServiceProblems(
      { SMTP_URL: await openMailServer(true), FILES_S3_URL: 'https://files.example/bucket' },
      broken,
    )),
    ...(await findServiceProblems({ ...none, SMTP_URL: 'smtp://nearhand:hush@127.0.0.1:9' }, store)),
  ];
  expect(problems).toEqual([
    expect.stringMatching(
      /^Warning: the mail server of SMTP_URL \(127\.0\.0\.1:\d+\) cannot be used: .*wrong password/,
    ),
    'Warning: files cannot be stored in the bucket of FILES_S3_URL (files.example): answered 403.',
    expect.stringContaining('ECONNREFUSED'),
  ]);
  for (const problem of problems) expect(problem).not.toContain('hush');
});

it('rejects a read-only DATA_DIR unless files are in a bucket', async () => {
  await requireWritableFiles({ DATA_DIR: folder, FILES_S3_URL: undefined });
  expect(await readdir(path.join(folder, 'files'))).toEqual([]);
  // A file in place of a folder stops root too, unlike permissions.
  const blocked = path.join(folder, 'taken');
  await writeFile(blocked, '');
  const config = { DATA_DIR: blocked, FILES_S3_URL: undefined };
  await expect(requireWritableFiles(config)).rejects.toThrow(StartRefusedError);
  await expect(requireWritableFiles(config)).rejects.toThrow(
    /^Files cannot be stored in .*taken\/files \(.*DATA_DIR/,
  );
  await requireWritableFiles({ ...config, FILES_S3_URL: 'https://files.example/bucket' });
});

it.skipIf(!canMount)('starts on a full disk of stored files, which readiness and alerts report', () =>
  onSmallDisk(folder, 1, async () => {
    await writeFile(path.join(folder, 'filler'), Buffer.alloc(2_000_000)).catch(() => {});
    await expect(writeFile(path.join(folder, 'more'), 'x'.repeat(10_000))).rejects.toThrow('ENOSPC');
    await requireWritableFiles({ DATA_DIR: folder, FILES_S3_URL: undefined });
  }),
);
