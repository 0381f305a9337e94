import { i18n } from '@lingui/core';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { pictureErrorText, pictureProblem, withoutHeic } from './picture.ts';

const file = (type: string) => new File(['not a picture'], 'bar', { type });
beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => vi.unstubAllGlobals());

describe('a chosen picture', () => {
  it("is rejected at once, with an error about pictures, if it doesn't open", async () => {
    vi.stubGlobal(
      'createImageBitmap',
      vi.fn().mockRejectedValue(new DOMException('broken', 'InvalidStateError')),
    );
    expect(await pictureProblem(file('image/jpeg'))).toMatch(/^This picture can't be opened/);
    // Not every browser opens AVIF: the server decides.
    for (const type of ['image/avif', '']) expect(await pictureProblem(file(type)), type).toBeUndefined();
  });

  it('is accepted if it opens', async () => {
    const close = vi.fn();
    const size = { width: 8_000, height: 8_000 };
    vi.stubGlobal('createImageBitmap', vi.fn().mockResolvedValue({ ...size, close }));
    expect(await pictureProblem(file('image/png'))).toBeUndefined();
    expect(close).toHaveBeenCalledOnce();
  });

  it('is rejected at once with more pixels than the server opens', async () => {
    const size = { width: 12_000, height: 12_000 };
    vi.stubGlobal('createImageBitmap', vi.fn().mockResolvedValue({ ...size, close: vi.fn() }));
    expect(await pictureProblem(file('image/jpeg'))).toMatch(/at most 64 megapixels/);
  });

  it('is rejected at once if it is empty, or a HEIC photo by any name', async () => {
    for (const type of ['image/jpeg', 'application/pdf', ''])
      expect(await pictureProblem(new File([], 'door', { type })), type).toMatch(/is empty/);
    for (const brand of ['heic', 'heix', 'hevc'])
      expect(
        await pictureProblem(new File([`\0\0\0\x18ftyp${brand}`], 'IMG_1.jpg', { type: 'image/jpeg' })),
      ).toMatch(/HEIC/);
    expect(
      await pictureProblem(new File(['\0\0\0\x18ftypavif'], 'a.avif', { type: 'image/avif' })),
    ).toBeUndefined();
  });

  it('is rejected at once if it is no whole PDF or DOCX', async () => {
    const problemOf = (name: string, ...parts: BlobPart[]) => pictureProblem(new File(parts, name));
    expect(await problemOf('cv.pdf', '%PDF-1.7\n1 0 obj\n', '%%EOF')).toBeUndefined();
    expect(await problemOf('cv.docx', 'PK\x03\x04', 'PK\x05\x06')).toBeUndefined();
    for (const [name, text] of [
      ['cv.pdf', 'hello'],
      ['cv.PDF', '%PDF-1.7\n%%EOF'],
      ['cv.pdf', '%PDF-1.7\n1 0 obj\n'],
      ['cv.docx', 'PK\x03\x04'],
    ] as const)
      expect(await problemOf(name, text), text).toMatch(/^This file can't be opened/);
  });

  it('gets no error about CVs when the server rejects it', () => {
    for (const code of ['file/unreadable', 'file/wrong-type'] as const)
      expect(pictureErrorText(new ApiError(code))).toMatch(/^This picture can't be opened/);
    expect(pictureErrorText(new ApiError('file/daily-limit', { data: { limit: 200 } }))).toMatch(
      /^You can upload 200 files/,
    );
  });
});

describe('a HEIC photo', () => {
  const heic = new File(['\0\0\0\x18ftypheic'], 'IMG_1.HEIC', { type: 'image/heic' });
  const browserThat = (decode: () => Promise<void>, size = { width: 4_000, height: 3_000 }) => {
    vi.stubGlobal(
      'Image',
      class {
        naturalWidth = size.width;
        naturalHeight = size.height;
        decode = decode;
      },
    );
    const made: number[] = [];
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
      this: HTMLCanvasElement,
      done,
    ) {
      made.push(this.width * this.height);
      done(new Blob(['jpeg'], { type: 'image/jpeg' }));
    });
    return made;
  };

  it('becomes a JPEG if the browser opens it, small enough for an iPhone to draw', async () => {
    browserThat(async () => {});
    const ready = await withoutHeic(heic);
    expect([ready.name, ready.type, ready.size]).toEqual(['IMG_1.jpg', 'image/jpeg', 4]);
    const pixels = browserThat(async () => {}, { width: 8_064, height: 6_048 });
    await withoutHeic(new File([heic], 'IMG_2.jpg', { type: 'image/jpeg' }));
    expect(pixels[0]).toBeLessThanOrEqual(16_100_000);
  });

  it("stays unchanged if the browser can't open it, and is rejected", async () => {
    browserThat(() => Promise.reject(new DOMException('no', 'EncodingError')));
    expect(await withoutHeic(heic)).toBe(heic);
    expect(await pictureProblem(heic)).toMatch(/HEIC/);
  });

  it('is the only converted file', async () => {
    const made = browserThat(async () => {});
    for (const other of [file('image/jpeg'), file('application/pdf'), new File([], 'empty')])
      expect(await withoutHeic(other)).toBe(other);
    expect(made).toEqual([]);
  });
});
