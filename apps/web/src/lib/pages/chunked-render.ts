import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Each turn is a separate task, short enough for a slow phone to handle a tap in between. */
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

/** Pauses chunked rendering while something covers the list. Returns a function that resumes it. */
export function pauseChunks(): () => void {
  const hold = Symbol('hold');
  holds.add(hold);
  return () => {
    holds.delete(hold);
    planTurn();
  };
}

globalThis.addEventListener('beforeprint', () =>
  flushSync(() => {
    for (const draw of waiting) draw();
    waiting.clear();
  }),
);

/**
 * Returns whether a part of a long list may render yet.
 * @param isWaiting false for parts visible first
 */
export function useChunkedRender(isWaiting: boolean): boolean {
  const [hasTurn, setHasTurn] = useState(!isWaiting);
  useEffect(() => {
    if (hasTurn) return;
    const draw = () => setHasTurn(true);
    waiting.add(draw);
    planTurn();
    return () => void waiting.delete(draw);
  }, [hasTurn]);
  return hasTurn;
}
