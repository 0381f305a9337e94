import { minuteMs } from '@nearhand/contract/durations';
import { useSyncExternalStore } from 'react';

/** Chromium's install prompt. `start.js` stores it, since the event fires before the app listens. */
type InstallOffer = { prompt: () => Promise<unknown> };
type Kept = { nearhandInstall?: InstallOffer };

const scope = globalThis as Kept;
const changed = 'nearhand-install';

function subscribe(listener: () => void): () => void {
  globalThis.addEventListener(changed, listener);
  return () => globalThis.removeEventListener(changed, listener);
}

/** Shows the browser's install prompt. Null if the app is installed or can't be. A prompt can be used once. */
export function useInstall(): (() => void) | null {
  const offer = useSyncExternalStore(subscribe, () => scope.nearhandInstall);
  if (!offer) return null;
  return () => {
    scope.nearhandInstall = undefined;
    globalThis.dispatchEvent(new Event(changed));
    // `prompt()` rejects when called twice.
    offer.prompt().catch(() => {});
  };
}

const visitsKey = 'nearhand-visits';

const awayMs = 30 * minuteMs;

/** True until `endInstallHint`, because the page may close at once. */
export function isLaterVisit(nowMs: number): boolean {
  try {
    const item = localStorage.getItem(visitsKey);
    if (item === 'told') return false;
    const isLater = item !== null && nowMs - Number(item) >= awayMs;
    if (!isLater) localStorage.setItem(visitsKey, String(nowMs));
    return isLater;
  } catch {
    return false;
  }
}

/** Stops suggesting to install the app on this device. */
export function endInstallHint(): void {
  try {
    localStorage.setItem(visitsKey, 'told');
  } catch {
    // Without storage, every visit counts as the first.
  }
}
