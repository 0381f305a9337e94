import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limitOutsideCalls } from '../process/outside-calls.ts';
import { openSilentServer } from '../test-services/silent-server.fixtures.ts';
import { createFileStore } from './file-store.ts';
import { bucketStore } from './file-store-s3.ts';

let folder = '';
let bucket: InstanceType<typeof S3rver>;
let bucketUrl = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'nearhand-store-'));
  bucket = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: path.join(folder, 'bucket'),
    configureBuckets: [{ name: 'nearhand', configs: [] }],
  });
  const { port } = await bucket.run();
  bucketUrl = `http://127.0.0.1:${port}/nearhand`;
});
afterAll(async () => {
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = (overrides: object = {}) => ({
  DATA_DIR: folder,
  FILES_S3_URL: undefined as string | undefined,
  FILES_S3_REGION: 'us-east-1',
  FILES_S3_KEY: 'S3RVER',
  FILES_S3_SECRET: 'S3RVER',
  ...overrides,
});

describe('a bucket that accepts and never answers', () => {
  const times = { call: 200, large: 400 };
  const s3Settings = { region: 'us-east-1', key: 'S3RVER', secret: 'S3RVER' };
  afterAll(() => limitOutsideCalls());

  it('times out within the limit of each call, also in the middle of a file', async () => {
    const silent = await openSilentServer();
    // The server's limit for other calls must neither be needed nor cut off a large file.
    limitOutsideCalls(100);
    const store = bucketStore({ ...s3Settings, url: `http://127.0.0.1:${silent.port}/nearhand` }, times);
    const file = path.join(folder, 'small.zip');
    await writeFile(file, 'zip');
    const took = async (work: () => Promise<unknown>) => {
      const at = performance.now();
      await expect(work()).rejects.toMatchObject({ code: 'request/unavailable' });
      return performance.now() - at;
    };
    const slack = 3_000;
    for (const [limit, work] of [
      [times.call, () => store.get('a')],
      [times.call, () => store.put('a', new Uint8Array(1), 'text/plain')],
      [times.call, () => store.remove('a')],
      [times.large, () => store.open('a')],
      [times.large, () => store.putFile('a', file, 'application/zip')],
    ] as const) {
      const ms = await took(work);
      expect(ms).toBeGreaterThan(limit - 20);
      expect(ms).toBeLessThan(limit + slack);
    }
    expect(silent.taken()).toBeGreaterThanOrEqual(5);
    silent.close();
    const half = createServer(
      (_, response) => void response.writeHead(200, { 'content-length': 10 }).write('half'),
    );
    await new Promise<void>((resolve) => half.listen(0, '127.0.0.1', resolve));
    const { port } = half.address() as AddressInfo;
    const cut = bucketStore({ ...s3Settings, url: `http://127.0.0.1:${port}/nearhand` }, times);
    expect(await took(() => cut.get('a'))).toBeLessThan(times.call + slack);
    const stream = await cut.open('a');
    await expect(stream?.toArray()).rejects.toThrow();
    half.closeAllConnections();
    half.close();
  });
});

describe.each(['a folder', 'a bucket'])('files in %s', (kind) => {
  const store = () => createFileStore(settings(kind === 'a bucket' ? { FILES_S3_URL: bucketUrl } : {}));

  it('return unchanged', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
    await store().put('019f-a', bytes, 'application/pdf');
    expect(Buffer.from((await store().get('019f-a')) ?? []).equals(bytes)).toBe(true);
  });

  it('are the same when streamed in and out', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256);
    const file = path.join(folder, 'large.zip');
    await writeFile(file, bytes);
    await store().putFile('export-019f-a', file, 'application/zip');
    const stream = await store().open('export-019f-a');
    expect(Buffer.concat((await stream?.toArray()) ?? []).equals(bytes)).toBe(true);
    expect(Buffer.from((await store().get('export-019f-a')) ?? []).equals(bytes)).toBe(true);
    expect(await store().open('export-019f-none')).toBeNull();
  });

  it('return null if unknown, and removing an unknown one is a no-op', async () => {
    expect(await store().get('019f-none')).toBeNull();
    await store().remove('019f-none');
  });

  it('return null after removal', async () => {
    await store().put('019f-b', new Uint8Array([1, 2]), 'image/webp');
    await store().remove('019f-b');
    expect(await store().get('019f-b')).toBeNull();
  });
});

describe('a bucket that refuses', () => {
  it('returns request/unavailable and keeps the cause private', async () => {
    const store = createFileStore(settings({ FILES_S3_URL: bucketUrl, FILES_S3_KEY: 'SOMEBODY' }));
    const failed = await store.put('019f-c', new Uint8Array([1]), 'image/webp').catch((error) => error);
    expect(failed).toMatchObject({ code: 'request/unavailable', data: undefined });
    expect(String(failed.cause)).toContain('403');
  });
});
