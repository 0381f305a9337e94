import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FilePurpose } from '@nearhand/contract/people/files';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { docxBytes, makeFile, pdfBytes } from './files.fixtures.ts';
import { fileUses } from './files.sql.ts';
import { purgeFilesTask, purgeUnusedFiles } from './files.ts';

const app = useTestApp();
let leila: Person;
beforeAll(async () => {
  leila = await app.person();
});

type Bytes = Uint8Array<ArrayBuffer>;
const bytesOf = (buffer: Buffer): Bytes => new Uint8Array(buffer);
const upload = (person: Person, purpose: FilePurpose, bytes: Bytes, name: string, type = '') =>
  person.api.files.upload({ purpose, file: new File([bytes], name, { type }) });
const content = (path: string, token?: string) =>
  app.raw({ url: `/api${path}`, headers: token ? { authorization: `Bearer ${token}` } : {} });
const photo = async (width: number, height: number) =>
  bytesOf(
    await sharp({ create: { width, height, channels: 3, background: '#0f3b2d' } })
      .withExif({ IFD0: { Make: 'Spy phone' }, IFD3: { GPSLatitude: '52/1 22/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer(),
  );

describe('files.upload', () => {
  it('stores a CV unchanged, with the type of its bytes', async () => {
    const file = await upload(leila, 'cv', pdfBytes(), 'سيرة 👩🏽‍🍳 ذاتية.exe', 'image/png');
    expect(file).toMatchObject({
      purpose: 'cv',
      name: 'سيرة 👩🏽‍🍳 ذاتية.pdf',
      mediaType: 'application/pdf',
      bytes: pdfBytes().byteLength,
      path: `/files/${file.id}/content`,
    });
    expect(app.fileStore.keys()).toContain(file.id);
  });

  it('accepts a DOCX', async () => {
    expect(await upload(leila, 'cv', docxBytes(), 'cv.docx')).toMatchObject({
      mediaType: expect.stringContaining('wordprocessingml'),
    });
  });

  it('accepts only pictures and PDFs of work, larger than a photo', async () => {
    const picture = await upload(leila, 'work', await photo(3_000, 1_500), 'Fence.heic');
    expect(picture).toMatchObject({ purpose: 'work', mediaType: 'image/webp', name: 'Fence.webp' });
    const { rawPayload } = await content(picture.path, leila.token);
    const rawMetadata = await sharp(rawPayload).metadata();
    expect(rawMetadata).toMatchObject({ width: 1_024, height: 2_048 });
    expect(rawMetadata.exif).toBeUndefined();
    expect((await content(picture.path)).statusCode).toBe(404);
    expect(await upload(leila, 'work', pdfBytes(), 'Bill.pdf')).toMatchObject({
      mediaType: 'application/pdf',
    });
    for (const bytes of [docxBytes(), bytesOf(Buffer.from('just text'))])
      expect(await failure(upload(leila, 'work', bytes, 'work.pdf'))).toMatchObject({
        status: 422,
        code: 'file/wrong-type',
        data: { allowed: expect.arrayContaining(['PDF', 'JPEG']) },
      });
    expect(
      await failure(upload(leila, 'work', bytesOf(Buffer.from('%PDF-1.4 cut off')), 'work.pdf')),
    ).toMatchObject({ status: 422, code: 'file/unreadable' });
  });

  it('turns an image upright, shrinks it and drops its metadata', async () => {
    const file = await upload(leila, 'photo', await photo(3000, 1500), 'me.jpg');
    expect(file).toMatchObject({ name: 'me.webp', mediaType: 'image/webp' });
    const metadata = await sharp((await app.fileStore.get(file.id)) ?? undefined).metadata();
    expect(metadata).toMatchObject({ format: 'webp', width: 512, height: 1024 });
    expect(metadata.exif).toBeUndefined();
    expect(metadata.orientation).toBeUndefined();
  });

  it.each<[string, FilePurpose, () => Bytes | Promise<Bytes>, string]>([
    ['a text called .pdf', 'cv', () => bytesOf(Buffer.from('not a PDF at all')), 'file/wrong-type'],
    ['a program called .pdf', 'cv', () => bytesOf(Buffer.from(`MZ${'\0'.repeat(600)}`)), 'file/wrong-type'],
    ['an image as CV', 'cv', () => photo(20, 20), 'file/wrong-type'],
    [
      'only the first letters of a PDF',
      'cv',
      () => bytesOf(Buffer.from('%PDF-1.7\nhello')),
      'file/unreadable',
    ],
    ['a DOCX cut in half', 'cv', () => docxBytes().slice(0, -30), 'file/unreadable'],
    ['nothing', 'cv', () => new Uint8Array(), 'file/unreadable'],
    ['a PDF as photo', 'photo', () => pdfBytes(), 'file/wrong-type'],
    [
      'a drawing with scripts as logo',
      'logo',
      () => bytesOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
      'file/wrong-type',
    ],
    ['half a photo', 'photo', async () => (await photo(900, 900)).slice(0, 2500), 'file/unreadable'],
    [
      'noise that begins like a JPEG',
      'photo',
      () => bytesOf(Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), randomBytes(2000)])),
      'file/unreadable',
    ],
  ])('refuses %s', async (_what, purpose, make, code) => {
    const refused = await failure(upload(leila, purpose, await make(), 'cv.pdf', 'application/pdf'));
    expect(refused).toMatchObject({ code, status: 422 });
  });

  it('rejects a small image that unpacks to huge dimensions', async () => {
    const bomb = await sharp({
      create: { width: 16_000, height: 5_000, channels: 3, background: '#000' },
    })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.byteLength).toBeLessThan(1_000_000);
    expect(await failure(upload(leila, 'photo', bytesOf(bomb), 'a.png'))).toMatchObject({
      code: 'file/too-large',
      data: { maxPixels: 64_000_000 },
    });
  });

  it('rejects a CV over 5 MB', async () => {
    const large = bytesOf(Buffer.concat([pdfBytes(), Buffer.alloc(5 * 1024 * 1024)]));
    expect(await failure(upload(leila, 'cv', large, 'cv.pdf'))).toMatchObject({
      status: 413,
      code: 'file/too-large',
      data: { maxBytes: 5 * 1024 * 1024 },
    });
  });

  it('returns the same file for a repeated call, and rejects the key for another file', async () => {
    const again = app.apiAs(leila.token, { 'idempotency-key': 'upload-0001' });
    const file = () => new File([pdfBytes('once')], 'once.pdf');
    const first = await again.files.upload({ purpose: 'cv', file: file() });
    const storedCount = app.fileStore.keys().length;
    expect(await again.files.upload({ purpose: 'cv', file: file() })).toEqual(first);
    expect(app.fileStore.keys()).toHaveLength(storedCount);
    const other = again.files.upload({ purpose: 'cv', file: new File([pdfBytes('two')], 'once.pdf') });
    expect(await failure(other)).toMatchObject({ code: 'idempotency/key-reused' });
  });

  it('holds no database connection while it reads and stores the bytes', async () => {
    const put = app.fileStore.put;
    const sizes: number[] = [];
    const spy = vi.spyOn(app.fileStore, 'put').mockImplementation((...args) => {
      sizes.push(app.pool.totalCount - app.pool.idleCount);
      return put(...args);
    });
    await upload(leila, 'photo', await photo(40, 40), 'me.jpg');
    expect(sizes).toEqual([0]);
    spy.mockRestore();
  });

  it('creates one file for two concurrent calls with one key', async () => {
    const twin = app.apiAs(leila.token, { 'idempotency-key': 'upload-twin' });
    const call = () => twin.files.upload({ purpose: 'cv', file: new File([pdfBytes('twin')], 'twin.pdf') });
    const answers = await Promise.allSettled([call(), call()]);
    const { rows } = await app.pool.query("select id from files where name = 'twin.pdf'");
    expect(rows).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'fulfilled') expect(answer.value.id).toBe(rows[0].id);
      else
        expect(await failure(Promise.reject(answer.reason))).toMatchObject({ code: 'idempotency/in-flight' });
  });

  it('rejects malformed uploads', async () => {
    const headers = { authorization: `Bearer ${leila.token}`, 'idempotency-key': 'no-upload-at-all' };
    const form = { ...headers, 'content-type': 'multipart/form-data; boundary=x' };
    const requests = [
      { headers: { ...headers, 'content-type': 'application/json' }, payload: '{"purpose":"cv","file":"x"}' },
      { headers: form, payload: 'rubbish' },
      {
        headers: form,
        payload: '--x\r\nContent-Disposition: form-data; name="purpose"\r\n\r\ncv\r\n--x--\r\n',
      },
      { headers: { ...headers, 'content-type': 'text/xml' }, payload: '<a/>' },
      { headers, payload: undefined },
    ];
    for (const request of requests) {
      const response = await app.raw({ method: 'POST', url: '/api/files', ...request });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ code: 'request/invalid' });
    }
  });

  it('requires a verified account', async () => {
    const file = new File([pdfBytes()], 'cv.pdf');
    expect(await failure(app.apiAs(null).files.upload({ purpose: 'cv', file }))).toMatchObject({
      status: 401,
    });
    const unverified = await app.person({ verified: false });
    expect(await failure(upload(unverified, 'cv', pdfBytes(), 'cv.pdf'))).toMatchObject({ status: 403 });
  });
});

describe('a body of 20 MB over a real connection', () => {
  it.each(['multipart/form-data', 'application/json'])('as %s gets a 413 with a code', async (type) => {
    if (!app.server.server.listening) await app.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.server.address() as AddressInfo;
    let body: string | FormData = `{"name":"${'x'.repeat(20 * 1024 * 1024)}"}`;
    if (type === 'multipart/form-data') {
      body = new FormData();
      body.set('purpose', 'cv');
      body.set('file', new File([bytesOf(Buffer.alloc(20 * 1024 * 1024))], 'cv.pdf'));
    }
    const response = await fetch(`http://127.0.0.1:${port}/api/files`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${leila.token}`,
        'idempotency-key': `large-${type}`,
        ...(type === 'application/json' ? { 'content-type': type } : {}),
      },
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'request/too-large' });
  });
});

describe('files.details', () => {
  it('returns a CV only to its owner', async () => {
    const file = await upload(leila, 'cv', pdfBytes(), 'cv.pdf');
    expect(await leila.api.files.details({ fileId: file.id })).toEqual(file);
    const other = await app.person();
    expect(await failure(other.api.files.details({ fileId: file.id }))).toMatchObject({
      status: 404,
      code: 'file/not-found',
    });
    expect(await failure(app.apiAs(null).files.details({ fileId: file.id }))).toMatchObject({ status: 401 });
  });

  it('rejects invalid and unknown ids', async () => {
    expect(await failure(leila.api.files.details({ fileId: 'x\u0000' }))).toMatchObject({ status: 400 });
    expect(await failure(leila.api.files.details({ fileId: crypto.randomUUID() }))).toMatchObject({
      status: 404,
    });
  });
});

describe('GET /api/files/{fileId}/content', () => {
  it('serves an image to anyone with its address, cacheable', async () => {
    const file = await upload(leila, 'photo', await photo(40, 40), 'me.jpg');
    const response = await content(file.path);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-disposition': 'inline',
    });
    expect(response.rawPayload.byteLength).toBe(file.bytes);
  });

  it('serves a CV to its owner as a download with its name', async () => {
    const file = await upload(leila, 'cv', pdfBytes(), 'Žofie.pdf');
    const response = await content(file.path, leila.token);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="_ofie.pdf"; filename*=UTF-8\'\'%C5%BDofie.pdf',
    });
    expect(Buffer.from(pdfBytes()).equals(response.rawPayload)).toBe(true);
  });

  it("returns the same 404 for a stranger's CV and for an unknown id", async () => {
    const file = await upload(leila, 'cv', pdfBytes(), 'cv.pdf');
    const stranger = await app.person();
    for (const response of [
      await content(file.path),
      await content(file.path, stranger.token),
      await content(`/files/${crypto.randomUUID()}/content`),
      await content('/files/%00/content'),
      await content('/files/..%2f..%2fetc/content'),
    ]) {
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ code: 'file/not-found' });
    }
  });

  it('returns 404 when the store lost the bytes', async () => {
    const file = await upload(leila, 'photo', await photo(40, 40), 'me.jpg');
    await app.fileStore.remove(file.id);
    expect((await content(file.path)).statusCode).toBe(404);
  });
});

describe('files.purge-unused', () => {
  it('deletes unreferenced files after 7 days and keeps the rest', async () => {
    const cv = await upload(leila, 'cv', pdfBytes(), 'kept.pdf');
    const loose = await upload(leila, 'cv', pdfBytes(), 'loose.pdf');
    await app.db
      .insertInto('profiles')
      .values({ accountId: leila.accountId, cvFileId: cv.id, updatedAt: app.clock.now() })
      .execute();
    app.clock.forward({ days: 6 });
    const young = await makeFile(app.db, app.scopeOf(leila));
    app.clock.forward({ days: 2 });
    await app.db.transaction().execute((tx) => enqueue(tx, purgeFilesTask, {}));
    await app.runDue();
    expect(app.fileStore.keys()).toEqual(expect.arrayContaining([cv.id, young.id]));
    expect(app.fileStore.keys()).not.toContain(loose.id);
    const { rows } = await app.pool.query('select id from files where account_id = $1', [leila.accountId]);
    expect(rows.map(({ id }) => id).sort()).toEqual([cv.id, young.id].sort());
  });

  it('covers every column that references a file', async () => {
    const { rows } = await app.pool.query<{ used: string }>(
      `select conrelid::regclass || '.' || attname as used from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and confrelid = 'files'::regclass`,
    );
    expect(rows.map(({ used }) => used).sort()).toEqual(fileUses.map((use) => use.join('.')).sort());
  });

  it('checks each of many once, past those in use', async () => {
    const minh = await app.person();
    const ids = Array.from({ length: 1_200 }, () => newId(app.clock.now()));
    await app.pool.query(
      `insert into files (id, account_id, purpose, name, media_type, bytes, created_at)
       select id, $2, 'cv', 'cv.pdf', 'application/pdf', 1, $3 from unnest($1::uuid[]) id`,
      [ids, minh.accountId, app.clock.now()],
    );
    const usedIds = [ids[0], ids[700]];
    await app.pool.query(
      'insert into profiles (account_id, photo_file_id, cv_file_id, updated_at) values ($1, $2, $3, now())',
      [minh.accountId, ...usedIds],
    );
    app.clock.forward({ days: 8 });
    await purgeUnusedFiles(app.db, app);
    const { rows } = await app.pool.query('select id from files where account_id = $1', [minh.accountId]);
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(usedIds));
  });
});
