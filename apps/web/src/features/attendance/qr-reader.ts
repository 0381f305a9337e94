/** Looks for a QR code in what a camera shows now; null when there is none. */
export type QrReader = (video: HTMLVideoElement) => Promise<string | null>;

type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats: () => Promise<string[]>;
};

/** The browser's own reader where it has one that knows QR codes, else ours, which is loaded only then (Safari and Firefox have none). */
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
  if (!context) throw new Error('This browser gives no picture to read from.');
  return async (video) => {
    const size = readSize(video.videoWidth, video.videoHeight);
    if (size === null) return null;
    Object.assign(canvas, size);
    context.drawImage(video, 0, 0, size.width, size.height);
    return qrInImage(context.getImageData(0, 0, size.width, size.height));
  };
}

/** Enough to read six digits held up to a phone, and little enough for an old one to do five times a second. */
const readSide = 640;

/** The size a frame is read at; null before the camera has given one. */
export function readSize(width: number, height: number): { width: number; height: number } | null {
  const longer = Math.max(width, height);
  if (longer === 0) return null;
  const scale = Math.min(1, readSide / longer);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
