/** A box by its middle, in pixels of the map. */
export type Box = { x: number; y: number; width: number; height: number };

/** How near to the edge a label's middle may be. */
const edge = { side: 4, top: 14, bottom: 14 };

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

/** The index of the first place where a label of this size is in view and covers nothing that is taken; -1 without one. */
export function freeSpot(
  places: readonly { x: number; y: number }[],
  size: { width: number; height: number },
  taken: readonly Box[],
  view: { width: number; height: number },
): number {
  return places.findIndex(({ x, y }) => {
    const box = { x, y, ...size };
    const inView =
      x - size.width / 2 >= edge.side &&
      x + size.width / 2 <= view.width - edge.side &&
      y >= edge.top &&
      y <= view.height - edge.bottom;
    return inView && !taken.some((other) => overlap(box, other));
  });
}
