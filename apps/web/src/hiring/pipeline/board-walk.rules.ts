type Lanes = readonly (readonly { id: string }[])[];

/** A step from card to card: down and up a lane, or to the adjacent lane. */
export type Step = 'next' | 'previous' | 'next-lane' | 'previous-lane';

/**
 * The card that a step leads to; the first of all without a current card. Empty lanes are skipped, and a shorter lane is entered at its
 * end. Undefined if there is none.
 */
export function cardAfter(lanes: Lanes, from: string | null, step: Step): string | undefined {
  const lane = lanes.findIndex((list) => list.some(({ id }) => id === from));
  const list = lanes[lane];
  if (!list) return lanes.find(({ length }) => length > 0)?.[0]?.id;
  const at = list.findIndex(({ id }) => id === from);
  if (step === 'next') return list[at + 1]?.id;
  if (step === 'previous') return list[at - 1]?.id;
  const beside = step === 'next-lane' ? lanes.slice(lane + 1) : lanes.slice(0, lane).reverse();
  const entered = beside.find(({ length }) => length > 0);
  return entered?.[Math.min(at, entered.length - 1)]?.id;
}
