import { decodeQR } from 'qr/decode.js';

/** Decodes a QR code in an image. Loaded only if the browser has no built-in reader. */
export function qrInImage(image: Pick<ImageData, 'data' | 'width' | 'height'>): string | null {
  try {
    return decodeQR(image as Parameters<typeof decodeQR>[0]);
  } catch {
    return null;
  }
}
