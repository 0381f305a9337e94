import { type ReactNode, useEffect, useRef } from 'react';

/**
 * What someone must read before continuing: a refusal, a conflict. Scrolls into view and gets the focus, since the button that caused it
 * may be a screen away.
 */
export function Refusal({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView?.({ block: 'center' });
  }, []);
  return (
    <div ref={box} tabIndex={-1} className="refusal">
      {children}
    </div>
  );
}
