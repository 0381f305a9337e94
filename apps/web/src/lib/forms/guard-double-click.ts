import type { MouseEvent } from 'react';

/** Ignores the second click of a double click, which would press the next step's button in the same spot. */
export function onFirstClick(act: () => void) {
  return (event: MouseEvent): void => {
    if (event.detail < 2) act();
  };
}
