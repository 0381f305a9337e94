import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { FilePurpose } from '@nearhand/contract/people/files';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { failure, useTestApp } from '../../../test/harness.ts';
import { standstill } from '../../platform/process/standstill.fixtures.ts';
import { partsMax } from './active-office.ts';
import { pdfBytes } from './files.fixtures.ts';

const app = useTestApp();
const megabyte = 1024 * 1024;

/** A PDF with these compressed objects. */
function pdfOf(objects: Buffer): Uint8Array<ArrayBuffer> {
  const packed = deflateSync(Buffer.concat([Buffer.from('9 0 '), objects])).toString('latin1');
  const more = `10 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream\nendobj\n`;
  const plain = Buffer.from(pdfBytes()).toString('latin1');
  return new Uint8Array(Buffer.from(plain.replace('xref\n', `${more}xref\n`), 'latin1'));
}

async function zipOf(parts: Iterable<[string, Buffer]>): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile();
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}
const types = Buffer.from(
  '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
);

async function upload(bytes: Uint8Array<ArrayBuffer>, purpose: FilePurpose) {
  const { api } = await app.person();
  return api.files.upload({ purpose, file: new File([bytes], 'a') });
}

// Each of these keeps a core busy for seconds, on a busy machine for minutes.
describe('a small document that unpacks to much', { timeout: 300_000 }, () => {
  it('is parsed in another process, so the server stays responsive', async () => {
    const bytes = pdfOf(Buffer.alloc(49 * megabyte, '/XFAs 1 '));
    expect(bytes.byteLength).toBeLessThan(megabyte);
    await upload(pdfBytes(), 'cv');
    expect(await standstill(() => upload(bytes, 'cv'))).toBeLessThan(0.5);
  });

  it('never causes an internal error, for any text', async () => {
    const texts = Buffer.concat([Buffer.from('['), Buffer.alloc(39 * megabyte, '() '), Buffer.from(']')]);
    expect(await upload(pdfOf(texts), 'cv')).toMatchObject({ purpose: 'cv' });
    for (const fill of ['(\\', '(', '[', '<<'])
      expect(await failure(upload(pdfOf(Buffer.alloc(40 * megabyte, fill)), 'cv'))).toMatchObject({
        code: 'file/unreadable',
      });
    const hidden = pdfOf(Buffer.from(`[(${'a\\)'.repeat(megabyte)}) << /S /JavaScript /JS (x) >>]`));
    expect(await failure(upload(hidden, 'cv'))).toMatchObject({ code: 'file/active-content' });
  });

  it('is rejected with more parts, or more content, than Office writes', async () => {
    const parts = Array.from({ length: partsMax }, (_, at): [string, Buffer] => [`a${at}`, Buffer.alloc(1)]);
    const many = await zipOf([['[Content_Types].xml', types], ...parts]);
    expect(await failure(upload(many, 'cv'))).toMatchObject({ code: 'file/unreadable' });
    const long = await zipOf([
      ['[Content_Types].xml', types],
      ['_rels/.rels', Buffer.alloc(17 * megabyte, '&#65;')],
      ['word/media/noise.png', randomBytes(megabyte)],
    ]);
    expect(await failure(upload(long, 'cv'))).toMatchObject({ code: 'file/unreadable' });
  });
});

/** The header of a PNG, which alone is enough to refuse it. */
function pngSaying(width: number, height: number, { depth = 8, interlaced = 0 } = {}) {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.byteLength);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, 6, 0, 0, interlaced]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const data = chunk('IDAT', deflateSync(Buffer.alloc(1_000)));
  return new Uint8Array(
    Buffer.concat([signature, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))]),
  );
}

describe('a picture that would take a thread or the memory', () => {
  it.each([
    ['a line of millions of pixels', () => pngSaying(1, 60_000_000)],
    [
      '64 million pixels of two bytes per channel',
      () => pngSaying(8_000, 8_000, { depth: 16, interlaced: 1 }),
    ],
    [
      'an AVIF of a kilobyte with 60 million pixels',
      async () => {
        const create = { width: 16, height: 16, channels: 3 as const, background: '#abc' };
        const bytes = await sharp({ create }).avif().toBuffer();
        // An AVIF has its size in a separate box.
        const size = bytes.indexOf('ispe') + 8;
        bytes.writeUInt32BE(7_700, size);
        bytes.writeUInt32BE(7_700, size + 4);
        return new Uint8Array(bytes);
      },
    ],
  ])('is rejected before decoding: %s', async (_what, make) => {
    expect(await failure(upload(new Uint8Array(await make()), 'photo'))).toMatchObject({
      status: 413,
      code: 'file/too-large',
      data: { maxPixels: expect.any(Number) },
    });
  });

  it('waits for its turn to decode, so other work gets threads', async () => {
    const create = { width: 3_000, height: 3_000, channels: 3 as const, background: '#abc' };
    const bytes = new Uint8Array(await sharp({ create }).png().toBuffer());
    let max = 0;
    const timer = setInterval(() => {
      const { queue, process } = sharp.counters();
      max = Math.max(max, queue + process);
    }, 1);
    const uploads = await Promise.all(Array.from({ length: 8 }, () => upload(bytes, 'photo')));
    clearInterval(timer);
    expect(uploads).toHaveLength(8);
    expect(max).toBeGreaterThan(0);
    // At most two run at a time; one that has just ended may still be counted.
    expect(max).toBeLessThanOrEqual(4);
    // No decoded picture stays in the cache.
    expect(sharp.cache().items).toEqual({ current: 0, max: 0 });
  });
});
