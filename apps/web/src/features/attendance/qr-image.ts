import { decodeQR } from 'qr/decode.js';

/** The text of a QR code somewhere in a picture, or null. Loaded only where the browser cannot read one by itself. */
export function qrInImage(image: Pick<ImageData, 'data' | 'width' | 'height'>): string | null {
  try {
    return decodeQR(image as Parameters<typeof decodeQR>[0]);
  } catch {
    // Nothing there, or not sharp enough yet.
    return null;
  }
}
