import { type ReactNode, useEffect, useRef } from 'react';

/** Gets the focus and scrolls into view, since the button that caused it may be a screen away. */
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
