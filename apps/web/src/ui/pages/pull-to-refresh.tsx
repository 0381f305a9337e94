import { useLingui } from '@lingui/react/macro';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { ProgressRing } from '../art/rings.tsx';

/** How far a page is pulled before it reloads, and the maximum. */
const enough = 72;
const most = 110;

/** Pulling a page down reloads it: a ring that fills. Others use the page's and the browser's buttons. */
export function PullToRefresh({
  host,
  onRefresh,
}: {
  host: RefObject<HTMLElement | null>;
  onRefresh: () => Promise<unknown>;
}) {
  const { t } = useLingui();
  const [pulled, setPulled] = useState(0);
  const [busy, setBusy] = useState(false);
  const run = useRef(onRefresh);
  run.current = onRefresh;

  useEffect(() => {
    const content = host.current;
    if (!content) return;
    let from: number | null = null;
    let distance = 0;

    const start = (event: TouchEvent) => {
      const [touch] = event.touches;
      // A map and a field have gestures of their own.
      const own = (event.target as Element).closest?.('.map-canvas, input, textarea, dialog');
      from = touch && event.touches.length === 1 && content.scrollTop <= 0 && !own ? touch.clientY : null;
    };
    const move = (event: TouchEvent) => {
      const [touch] = event.touches;
      if (from === null || !touch) return;
      const down = touch.clientY - from;
      if (down <= 0 || content.scrollTop > 0) from = null;
      distance = from === null ? 0 : Math.min(most, down * 0.5);
      setPulled(distance);
    };
    const end = () => {
      const far = distance >= enough;
      from = null;
      distance = 0;
      setPulled(0);
      if (!far) return;
      setBusy(true);
      // What failed is shown by the page itself.
      const done = () => setBusy(false);
      run.current().then(done, done);
    };
    const passive = { passive: true };
    content.addEventListener('touchstart', start, passive);
    content.addEventListener('touchmove', move, passive);
    content.addEventListener('touchend', end, passive);
    content.addEventListener('touchcancel', end, passive);
    return () => {
      content.removeEventListener('touchstart', start);
      content.removeEventListener('touchmove', move);
      content.removeEventListener('touchend', end);
      content.removeEventListener('touchcancel', end);
    };
  }, [host]);

  if (!busy && pulled < 4) return null;
  return (
    <div className={busy ? 'pull busy' : 'pull'} role={busy ? 'status' : undefined}>
      <ProgressRing done={busy ? 0.3 : pulled / enough} />
      {busy ? <span className="vh">{t`Loading`}</span> : null}
    </div>
  );
}
