import { encodeQR } from 'qr';
import './qr.css';

export default function Qr({ text, boxed }: { text: string; boxed?: boolean }) {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 2 });
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const code = (
    <svg viewBox={`0 0 ${modules.length} ${modules.length}`} shapeRendering="crispEdges" aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  );
  return boxed ? <div className="qr-box">{code}</div> : code;
}
