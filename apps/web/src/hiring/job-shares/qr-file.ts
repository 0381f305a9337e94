import { encodeQR } from 'qr';

/** The white edge that scanners need, in modules. */
const quiet = 4;
const pngModule = 24;
const modulesOf = (text: string) => encodeQR(text, 'raw', { ecc: 'medium', border: quiet });

export function qrSvg(text: string): Blob {
  const modules = modulesOf(text);
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const size = modules.length;
  return new Blob(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="white" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`,
    ],
    { type: 'image/svg+xml' },
  );
}

/** A PNG of about 1,000 pixels. Throws if the browser can't draw one. */
export async function qrPng(text: string): Promise<Blob> {
  const modules = modulesOf(text);
  const canvas = document.createElement('canvas');
  canvas.width = modules.length * pngModule;
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no 2D canvas');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  for (const [y, row] of modules.entries())
    for (const [x, dark] of row.entries())
      if (dark) context.fillRect(x * pngModule, y * pngModule, pngModule, pngModule);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no PNG'))), 'image/png'),
  );
}
