import { Trans, useLingui } from '@lingui/react/macro';
import { plainDigits } from '@nearhand/contract/typed-digits';
import { siteCodeDigits, siteCodeShape } from '@nearhand/contract/work/attendance.rules';
import { useEffect, useRef, useState } from 'react';
import { nativePlugin } from '../../lib/native/plugins.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';

const endingCode = new RegExp(`(\\d{${siteCodeDigits}})(?!.*\\d{${siteCodeDigits}})`);

/** The six digits in scanned text: the code alone, or a URL that ends with it. */
export const parseSiteCode = (text: string): string | null => endingCode.exec(text)?.[1] ?? null;

/** QR codes, by the back camera, in either orientation; no button, because the scanner starts at once. */
const scanOptions = { hint: 0, scanButton: false, scanText: ' ', cameraDirection: 1, scanOrientation: 3 };

export function CodeField({
  start = '',
  busy,
  error,
  onCode,
}: {
  /** The code that was sent before: while it is sent, the field is not on the page. */
  start?: string;
  busy: boolean;
  error?: string;
  onCode: (code: string) => void;
}) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(start);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error) field.current?.focus();
  }, [error]);
  const [missing, setMissing] = useState(false);
  const [scanning, setScanning] = useState(false);
  const phone = nativePlugin('CapacitorBarcodeScanner');
  const canScan = Boolean(phone || navigator.mediaDevices?.getUserMedia);
  const send = (code: string) => {
    const complete = siteCodeShape.test(code);
    setMissing(!complete);
    if (complete) onCode(code);
  };
  const scanned = (code: string) => {
    setScanning(false);
    setTyped(code);
    send(code);
  };
  const scanByPhone = async () => {
    const options = { ...scanOptions, scanInstructions: t`Point the camera at the check-in code.` };
    // Closing the scanner, or refusing the camera, leaves the field for typing.
    const scan = await phone
      ?.scanBarcode({ ...options, cancelButtonAccessibilityLabel: t`Cancel` })
      .catch(() => null);
    const code = parseSiteCode(scan?.ScanResult ?? '');
    if (code) scanned(code);
  };
  return (
    <Form className="code-form" onSubmit={() => send(typed)}>
      <TextInput
        label={t`Check-in code`}
        help={t`Six digits. Someone from the business can show you the code. It changes every minute.`}
        error={missing ? t`Enter all six digits.` : error}
        ref={field}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={siteCodeDigits + 1}
        className="num"
        value={typed}
        onChange={(event) =>
          setTyped(plainDigits(event.target.value).replace(/\D/g, '').slice(0, siteCodeDigits))
        }
      />
      <div className="row g2 wrap mt3">
        <Button type="submit" kind="ink" size="s" busy={busy} needsNetwork={false}>
          {t`Use this code`}
        </Button>
        {canScan ? (
          <Button
            kind="out"
            size="s"
            icon="qr-code"
            onClick={() => (phone ? void scanByPhone() : setScanning((on) => !on))}
          >
            {scanning ? t`Stop camera` : t`Scan code`}
          </Button>
        ) : null}
      </div>
      {scanning ? <Scanner onCode={scanned} /> : null}
    </Form>
  );
}

function Scanner({ onCode }: { onCode: (code: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const onCodeRef = useRef(onCode);
  onCodeRef.current = onCode;
  useEffect(() => {
    let stream: MediaStream | null = null;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      stopped = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    const look = async (read: QrReader) => {
      if (stopped || !video.current) return;
      const code = parseSiteCode((await read(video.current)) ?? '');
      if (stopped) return;
      if (code) onCodeRef.current(code);
      else timer = setTimeout(() => void look(read), 200);
    };
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (stopped || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
      await look(await qrReader());
    };
    start().catch(() => {
      stop();
      setFailed(true);
    });
    return stop;
  }, []);
  if (failed)
    return (
      <p className="help err mt3" role="alert">
        <Trans>We can't use the camera. Type the code instead.</Trans>
      </p>
    );
  return <video ref={video} className="code-video mt3" muted playsInline />;
}

type QrReader = (video: HTMLVideoElement) => Promise<string | null>;

type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> };
type DetectorClass = {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats: () => Promise<string[]>;
};

/** The browser's QR reader, or ours if it has none (Safari, Firefox). */
export async function qrReader(): Promise<QrReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats: string[] = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  if (BarcodeDetector && formats.includes('qr_code')) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    return async (video) => {
      const codes = await detector.detect(video).catch(() => []);
      return codes[0]?.rawValue ?? null;
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

export function readSize(width: number, height: number): { width: number; height: number } | null {
  const longer = Math.max(width, height);
  if (longer === 0) return null;
  const scale = Math.min(1, readSide / longer);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
