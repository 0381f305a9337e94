import { minuteMs } from '@nearhand/contract/durations';

let touchedAt = Date.now();

/** Notes every key and pointer, to send with reads whether someone is at the screen (ADR 181). */
export function watchPresence(): void {
  const touch = () => {
    touchedAt = Date.now();
  };
  for (const kind of ['pointerdown', 'keydown', 'wheel'] as const)
    addEventListener(kind, touch, { capture: true, passive: true });
}

/** Returns whether someone touched a key or pointer within the last minute. */
export const isPresent = (): boolean => Date.now() - touchedAt < minuteMs;
