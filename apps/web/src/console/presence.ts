import { minuteMs } from '@nearhand/contract/durations';

let touchedAt = Date.now();

/** Records input, so that reads can report whether someone is at the screen (ADR 181). */
export function watchPresence(): void {
  const touch = () => {
    touchedAt = Date.now();
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel'] as const)
    addEventListener(kind, touch, { capture: true, passive: true });
}

export const isPresent = (): boolean => Date.now() - touchedAt < minuteMs;
