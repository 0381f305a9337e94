import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import './pull-refresh.css';

/** Pixels to pull before releasing reloads. */
const enough = 72;

/**
 * Pull to refresh on touch screens: first in a page, listening to its scroll container. With keys and mouse it's the browser's reload, or
 * a retry button.
 */
export function PullRefresh({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const { t } = useLingui();
  const marker = useRef<HTMLDivElement>(null);
  const [pulled, setPulled] = useState(0);
  const [busy, setBusy] = useState(false);
  const refresh = useRef(onRefresh);
  refresh.current = onRefresh;

  useEffect(() => {
    const content = marker.current?.closest('main');
    if (!content) return;
    let from: number | null = null;
    let far = 0;
    const start = (event: TouchEvent) => {
      const onMap = (event.target as Element).closest?.('.map-canvas, input, dialog');
      from = content.scrollTop <= 0 && !onMap ? (event.touches[0]?.clientY ?? null) : null;
      far = 0;
    };
    const move = (event: TouchEvent) => {
      if (from === null) return;
      const down = (event.touches[0]?.clientY ?? from) - from;
      if (down <= 0 || content.scrollTop > 0) {
        far = 0;
        setPulled(0);
        return;
      }
      // Half the finger's distance, like a spring.
      far = Math.min(enough * 1.4, down / 2);
      if (event.cancelable) event.preventDefault();
      setPulled(far);
    };
    const end = () => {
      if (from === null) return;
      from = null;
      setPulled(0);
      if (far < enough) return;
      setBusy(true);
      void refresh.current().finally(() => setBusy(false));
    };
    content.addEventListener('touchstart', start, { passive: true });
    content.addEventListener('touchmove', move, { passive: false });
    content.addEventListener('touchend', end);
    content.addEventListener('touchcancel', end);
    return () => {
      content.removeEventListener('touchstart', start);
      content.removeEventListener('touchmove', move);
      content.removeEventListener('touchend', end);
      content.removeEventListener('touchcancel', end);
    };
  }, []);

  const shown = busy ? enough * 0.75 : pulled;
  return (
    <div ref={marker} className="pull" style={{ height: shown }} role="status">
      {shown > 0 ? (
        <svg viewBox="0 0 32 32" className={busy ? 'pull-ring turning' : 'pull-ring'} aria-hidden="true">
          <circle cx="16" cy="16" r="13" fill="none" stroke="var(--line)" strokeWidth="3" />
          <circle
            cx="16"
            cy="16"
            r="13"
            fill="none"
            stroke="var(--text)"
            strokeWidth="3"
            strokeLinecap="round"
            strokeDasharray={`${Math.min(1, busy ? 0.3 : pulled / enough) * 81.7} 81.7`}
            transform="rotate(-90 16 16)"
          />
          <circle cx="16" cy="16" r="3" fill="var(--here)" />
        </svg>
      ) : null}
      {busy ? <span className="vh">{t`Refreshing`}</span> : null}
    </div>
  );
}
