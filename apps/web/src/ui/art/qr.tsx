import { encodeQR } from 'qr';

/** A QR code as one SVG path, to be loaded when one is first shown. What it says is shown next to it as text. */
export default function Qr({ text }: { text: string }) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 2 });
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg viewBox={`0 0 ${modules.length} ${modules.length}`} shapeRendering="crispEdges" aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  );
}
