import { type ReactNode, useState } from 'react';

/** What is shown next to a list: the selection, or the first, which follows the list until someone uses it. */
export function useBeside<Shown>(first: Shown | null) {
  const [chosen, choose] = useState<Shown | null>(null);
  const shown = chosen ?? first;
  return { shown, choose, hold: () => choose(shown) };
}

/** A focus within, in a sheet too, pins it: a list update removes neither input nor an error. */
export function Beside({ onHold, children }: { onHold: () => void; children: ReactNode }) {
  return <div onFocusCapture={onHold}>{children}</div>;
}
