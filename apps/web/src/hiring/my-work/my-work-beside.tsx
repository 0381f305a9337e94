import { type ReactNode, useState } from 'react';

/** What stands beside a list: what was chosen, or else the first, which changes as the list does until somebody has begun with it. */
export function useBeside<Shown>(first: Shown | null) {
  const [chosen, choose] = useState<Shown | null>(null);
  const shown = chosen ?? first;
  return { shown, choose, hold: () => choose(shown) };
}

/** Whatever takes the focus in it, a sheet too, holds it: a list that changes meanwhile takes away neither what is typed nor why it was refused. */
export function Beside({ onHold, children }: { onHold: () => void; children: ReactNode }) {
  return <div onFocusCapture={onHold}>{children}</div>;
}
