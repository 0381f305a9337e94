import { Dialog } from '../overlays/dialog.tsx';

export function Busy({ text }: { text: string | null }) {
  return (
    <Dialog open={text !== null} className="busy" label={text ?? ''}>
      <svg className="busy-ring" viewBox="0 0 48 48" aria-hidden="true">
        <circle cx="24" cy="24" r="21" fill="none" stroke="var(--line)" strokeWidth="3" />
        <circle
          className="turning"
          cx="24"
          cy="24"
          r="21"
          fill="none"
          stroke="var(--text)"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray="36 132"
        />
        <circle cx="24" cy="24" r="4.5" fill="var(--text)" />
      </svg>
      <p className="mid" role="status">
        {text}
      </p>
    </Dialog>
  );
}
