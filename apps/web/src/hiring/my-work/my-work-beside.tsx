import { type ReactNode, useState } from 'react';

/** The item next to a list: the selection, or the first, which follows the list until someone uses it. */
export function useBeside<Item>(first: Item | null) {
  const [selection, choose] = useState<Item | null>(null);
  const item = selection ?? first;
  return { item, choose, hold: () => choose(item) };
}

/** Focus inside the item, also in a sheet, pins it, so that a list update removes neither input nor an error. */
export function Beside({ onHold, children }: { onHold: () => void; children: ReactNode }) {
  return <div onFocusCapture={onHold}>{children}</div>;
}
