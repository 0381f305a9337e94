/** True where the page reads from right to left, as in Arabic. */
export const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';

const opposite: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The step from one item to the next that an arrow key takes in a row or list. */
export const arrowSteps: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Returns the pressed key as on a page read from the left: in Arabic, ArrowLeft leads to the next item. */
export const readingKey = ({ key }: { key: string }, element: Element): string =>
  isRightToLeft(element) ? (opposite[key] ?? key) : key;
