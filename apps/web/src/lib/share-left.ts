/**
 * What every ring of a term shows: the share of the given time that is left, from 1 when it was made to 0 when it is due. A ring that counted from a
 * usual length instead would be nearly empty for a term that was short from the start.
 */
export function shareLeft(made: string | number, due: string | number, now: Date): number {
  const at = (instant: string | number) => (typeof instant === 'number' ? instant : Date.parse(instant));
  const left = at(due) - now.getTime();
  const whole = at(due) - at(made);
  // Also of what is no time.
  if (!(left > 0 && whole > 0)) return 0;
  return Math.min(1, left / whole);
}
