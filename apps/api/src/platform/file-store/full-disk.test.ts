import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { minuteMs } from '@nearhand/contract/durations';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { canMount, onSmallDisk } from '../../../test/small-disk.ts';
import { pdfBytes } from '../../people/files/files.fixtures.ts';
import { countFailedWrites, createFileStore, type FileStore } from './file-store.ts';

const app = useTestApp();
const megabyte = 1024 * 1024;
let folder = '';
let store: FileStore;
const spies: { mockRestore(): void }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  store = createFileStore({
    DATA_DIR: folder,
    FILES_S3_URL: undefined,
    FILES_S3_REGION: 'us-east-1',
    FILES_S3_KEY: undefined,
    FILES_S3_SECRET: undefined,
  });
});
afterEach(async () => {
  for (const spy of spies.splice(0)) spy.mockRestore();
  await rm(folder, { recursive: true, force: true });
});

const partsIn = async (place: string) =>
  (await readdir(place, { recursive: true })).filter((name) => name.endsWith('.part'));
const fill = async () => {
  await store.put('019f-first', new Uint8Array(1), 'text/plain');
  await expect(writeFile(path.join(folder, 'ballast'), Buffer.alloc(3 * megabyte))).rejects.toMatchObject({
    code: 'ENOSPC',
  });
};

const refusedFor = (code: string) => ({ code: 'request/unavailable', cause: { code } });

describe.skipIf(!canMount)('a full disk of stored files', () => {
  it('rejects an upload with 503, keeps nothing of it, and accepts it again once there is room', () =>
    onSmallDisk(folder, 2, async () => {
      const metrics = new Registry();
      const counted = countFailedWrites(metrics, store);
      spies.push(vi.spyOn(app.fileStore, 'put').mockImplementation(counted.put));
      spies.push(vi.spyOn(app.fileStore, 'get').mockImplementation(counted.get));
      const { api, token } = await app.person();
      const upload = () =>
        api.files.upload({ purpose: 'cv', file: new File([pdfBytes('x'.repeat(9_000))], 'cv.pdf') });
      const earlier = await upload();
      await fill();
      expect(await failure(upload())).toMatchObject({ status: 503, code: 'request/unavailable' });
      const form = new FormData();
      form.set('purpose', 'cv');
      form.set('file', new File([pdfBytes('x'.repeat(9_000))], 'cv.pdf'));
      const raw = new Request('http://localhost', { method: 'POST', body: form });
      const response = await app.raw({
        method: 'POST',
        url: '/api/files',
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': 'full-disk',
          'content-type': raw.headers.get('content-type') ?? '',
        },
        payload: Buffer.from(await raw.arrayBuffer()),
      });
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
      expect(await partsIn(folder)).toEqual([]);
      const { rows } = await app.pool.query('select id from files');
      expect(rows).toEqual([{ id: earlier.id }]);
      expect(await metrics.metrics()).toContain('stored_file_writes_failed_total 2');
      const read = await app.raw({
        url: `/api${earlier.path}`,
        headers: { authorization: `Bearer ${token}` },
      });
      expect(read.statusCode).toBe(200);
      await rm(path.join(folder, 'ballast'));
      expect(await upload()).toMatchObject({ purpose: 'cv' });
    }));

  it('keeps nothing of a large file copy', () =>
    onSmallDisk(folder, 2, async () => {
      const large = path.join(tmpdir(), `nearhand-test-${process.pid}-large`);
      await writeFile(large, Buffer.alloc(4 * megabyte));
      await expect(store.putFile('019f-large', large, 'application/zip')).rejects.toMatchObject(
        refusedFor('ENOSPC'),
      );
      await rm(large);
      expect(await partsIn(folder)).toEqual([]);
    }));

  it('appears in readiness, which stays 200, and in the metrics', () =>
    onSmallDisk(folder, 40, async () => {
      expect(await store.space()).toMatchObject({ size: 40 * megabyte, problem: null });
      await writeFile(path.join(folder, 'ballast'), Buffer.alloc(30 * megabyte));
      // Another file's test may have simulated a full disk in this process; that ends after a minute.
      const now = performance.now();
      spies.push(vi.spyOn(performance, 'now').mockImplementation(() => now + minuteMs));
      spies.push(vi.spyOn(app.fileStore, 'space').mockImplementation(store.space));
      const ready = await app.raw({ url: '/health/ready' });
      expect([ready.statusCode, ready.json()]).toEqual([
        200,
        { status: 'ready', lateQueues: [], fileStore: 'full' },
      ]);
      const { body } = await app.raw({ url: '/metrics', remoteAddress: '127.0.0.1' });
      const free = Number(/^stored_files_free_bytes (\d+)$/m.exec(body)?.[1]);
      expect(free).toBeGreaterThan(9 * megabyte);
      expect(free).toBeLessThan(11 * megabyte);
      expect(body).toContain(`stored_files_size_bytes ${40 * megabyte}\n`);
      expect(body).toContain('database_disk_full 0\n');
    }));

  it('is distinct from a read-only one', () =>
    onSmallDisk(folder, 2, async () => {
      await store.put('019f-first', new Uint8Array(1), 'text/plain');
      execFileSync('mount', ['-o', 'remount,ro', folder]);
      expect(await store.space()).toMatchObject({ problem: 'not writable' });
      await expect(store.put('019f-a', new Uint8Array(1), 'text/plain')).rejects.toMatchObject({
        code: 'request/unavailable',
      });
    }));
});

describe('incomplete files of a killed process', () => {
  it('are deleted after a day, and nothing else', async () => {
    await store.put('019f-aa', new Uint8Array(2), 'image/webp');
    const [old, recent] = ['019f-bb', '019f-cc'].map((key) =>
      path.join(folder, 'files', 'aa', `${key}.part`),
    );
    const now = Date.now();
    const dayAgo = new Date(now - 86_400_000);
    for (const file of [old, recent]) await writeFile(file ?? '', 'half');
    await utimes(old ?? '', new Date(now - 90_000_000), new Date(now - 90_000_000));
    await utimes(path.join(folder, 'files', 'aa', '019f-aa'), 1, 1);
    await store.sweep(dayAgo);
    expect((await readdir(path.join(folder, 'files', 'aa'))).sort()).toEqual(['019f-aa', '019f-cc.part']);
  });

  it('are searched for even where no file was ever stored', async () => {
    await expect(store.sweep(new Date())).resolves.toBeUndefined();
  });
});
