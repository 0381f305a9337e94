/** The share of the given time that is left. A fixed length would start short deadlines nearly empty. */
export function shareLeft(start: string | number, due: string | number, now: Date): number {
  const at = (instant: string | number) => (typeof instant === 'number' ? instant : Date.parse(instant));
  const timeLeft = at(due) - now.getTime();
  const durationMs = at(due) - at(start);
  if (!(timeLeft > 0 && durationMs > 0)) return 0;
  return Math.min(1, timeLeft / durationMs);
}
