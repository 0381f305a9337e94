import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Each turn is a task of its own, short enough for a slow phone to answer a tap in between. */
const partsPerTurn = 4;

const waiting = new Set<() => void>();
const holds = new Set<symbol>();
let isPlanned = false;

function planTurn(): void {
  if (isPlanned || holds.size > 0 || waiting.size === 0) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    if (holds.size > 0) return;
    for (const draw of [...waiting].slice(0, partsPerTurn)) {
      waiting.delete(draw);
      draw();
    }
    planTurn();
  });
}

/** Draws no more parts while something covers them and wants the time for itself. Returns a function that resumes. */
export function holdTurns(): () => void {
  const hold = Symbol('hold');
  holds.add(hold);
  return () => {
    holds.delete(hold);
    planTurn();
  };
}

// Draws pending parts before printing.
globalThis.addEventListener('beforeprint', () =>
  flushSync(() => {
    for (const draw of waiting) draw();
    waiting.clear();
  }),
);

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
