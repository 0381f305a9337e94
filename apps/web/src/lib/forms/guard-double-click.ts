import type { MouseEvent } from 'react';

/** For the button that leads from step to step: a double click doesn't also press the button of the next step, which is in the same spot. */
export function onFirstClick(act: () => void) {
  return (event: MouseEvent): void => {
    if (event.detail < 2) act();
  };
}
