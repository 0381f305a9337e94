import { encodeQR } from 'qr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { qrReader, readSize } from './code-field.tsx';
import { qrInImage } from './qr-image.ts';

/** A QR code as a camera might see it: grey on grey, somewhere in a larger picture, slightly rotated. */
function pictureOf(text: string, turn = 0) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 2 });
  const width = 320;
  const height = 240;
  const scale = 6;
  const data = new Uint8ClampedArray(width * height * 4).fill(200);
  const sin = Math.sin(turn);
  const cos = Math.cos(turn);
  const middle = modules.length / 2;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const dx = (x - width / 2) / scale;
      const dy = (y - height / 2) / scale;
      const dark =
        modules[Math.floor(dy * cos - dx * sin + middle)]?.[Math.floor(dx * cos + dy * sin + middle)];
      data.set(dark ? [40, 40, 40, 255] : [200, 200, 200, 255], (y * width + x) * 4);
    }
  }
  return { data, width, height };
}

describe('reading a QR code without the browser', () => {
  it('reads the displayed code, straight and rotated', () => {
    expect(qrInImage(pictureOf('048213'))).toBe('048213');
    expect(qrInImage(pictureOf('990017', 0.35))).toBe('990017');
    expect(qrInImage(pictureOf('https://nearhand.example/c/123456'))).toBe(
      'https://nearhand.example/c/123456',
    );
  });

  it('returns nothing without a code', () => {
    const { width, height } = pictureOf('1');
    expect(
      qrInImage({ data: new Uint8ClampedArray(width * height * 4).fill(128), width, height }),
    ).toBeNull();
  });

  it('reads frames at a size that suits an old phone', () => {
    expect(readSize(0, 0)).toBeNull();
    expect(readSize(1920, 1080)).toEqual({ width: 640, height: 360 });
    expect(readSize(320, 240)).toEqual({ width: 320, height: 240 });
  });
});

describe('the reader of the browser', () => {
  afterEach(() => vi.unstubAllGlobals());
  const detector = (formats: string[]) =>
    class {
      static getSupportedFormats = async () => formats;
      detect = async () => [{ rawValue: '048213' }];
    };

  it('is used if it supports QR codes', async () => {
    vi.stubGlobal('BarcodeDetector', detector(['ean_13', 'qr_code']));
    expect(await (await qrReader())(document.createElement('video'))).toBe('048213');
  });

  it('is unused if it supports none', async () => {
    vi.stubGlobal('BarcodeDetector', detector([]));
    await expect(qrReader()).rejects.toThrow('no 2D canvas');
  });
});
