/**
 * The value of every deadline ring: the share of the given time that is left, from 1 when it was set to 0 when it is due. Counting from a
 * usual length instead would leave the ring of a short deadline nearly empty from the start.
 */
export function shareLeft(start: string | number, due: string | number, now: Date): number {
  const at = (instant: string | number) => (typeof instant === 'number' ? instant : Date.parse(instant));
  const left = at(due) - now.getTime();
  const whole = at(due) - at(start);
  // Also for invalid times.
  if (!(left > 0 && whole > 0)) return 0;
  return Math.min(1, left / whole);
}
