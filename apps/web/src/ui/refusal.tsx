import { type ReactNode, useEffect, useRef } from 'react';

/**
 * Holds what a person must read before going on: a refusal, a conflict. Comes into view with the focus, because the button that led to it may
 * be a screen away.
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
