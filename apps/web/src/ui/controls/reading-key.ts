const opposite: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The step from one item to the next that an arrow key takes in a row or list. */
export const arrowSteps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Returns the pressed key as on a page read from the left: in Arabic, ArrowLeft leads to the next item. */
export function readingKey({ key }: { key: string }, element: Element): string {
  return getComputedStyle(element).direction === 'rtl' ? (opposite[key] ?? key) : key;
}
