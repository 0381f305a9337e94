import { useEffect, useState } from 'react';

/** Each turn is a task of its own, short enough for a slow phone to answer a tap in between. */
const partsPerTurn = 4;

const waiting = new Set<() => void>();
let isPlanned = false;

function planTurn(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    for (const draw of [...waiting].slice(0, partsPerTurn)) {
      waiting.delete(draw);
      draw();
    }
    if (waiting.size > 0) planTurn();
  });
}

/**
 * Whether a part of a long list may be drawn yet. Parts that wait are drawn a few at a time, in their order, and stay drawn.
 * @param waits false for what is seen first
 */
export function useTurn(waits: boolean): boolean {
  const [hasTurn, setHasTurn] = useState(!waits);
  useEffect(() => {
    if (hasTurn) return;
    const draw = () => setHasTurn(true);
    waiting.add(draw);
    planTurn();
    return () => void waiting.delete(draw);
  }, [hasTurn]);
  return hasTurn;
}
