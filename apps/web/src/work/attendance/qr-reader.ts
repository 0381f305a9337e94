/** Reads a QR code from the current video frame; null without one. */
export type QrReader = (video: HTMLVideoElement) => Promise<string | null>;

type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats: () => Promise<string[]>;
};

/** The browser's QR reader, or ours where it has none (Safari, Firefox). */
export async function qrReader(): Promise<QrReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats: string[] = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (BarcodeDetector && formats.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    return async (video) => {
      const found = await detector.detect(video).catch(() => []);
      return found[0]?.rawValue ?? null;
    };
  }
  const { qrInImage } = await import('./qr-image.ts');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no 2D canvas.');
  return async (video) => {
    const size = readSize(video.videoWidth, video.videoHeight);
    if (size === null) return null;
    Object.assign(canvas, size);
    context.drawImage(video, 0, 0, size.width, size.height);
    return qrInImage(context.getImageData(0, 0, size.width, size.height));
  };
}

/** Large enough to read a code, small enough for an old phone to decode five times a second. */
const readSide = 640;

/** The size at which a frame is decoded; null before the first frame. */
export function readSize(width: number, height: number): { width: number; height: number } | null {
  const longer = Math.max(width, height);
  if (longer === 0) return null;
  const scale = Math.min(1, readSide / longer);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
