import { minuteMs } from '@nearhand/contract/durations';
import { useSyncExternalStore } from 'react';

/** What Chromium offers where the app can be installed. Kept by `start.js`, since it comes before the app listens. */
type InstallOffer = { prompt: () => Promise<unknown> };
type Kept = { nearhandInstall?: InstallOffer | undefined };

const scope = globalThis as Kept;
const changed = 'nearhand-install';

function subscribe(listener: () => void): () => void {
  globalThis.addEventListener(changed, listener);
  return () => globalThis.removeEventListener(changed, listener);
}

/** Installs the app: the browser asks. Null where it is installed already, or the browser does not offer it. An offer can be used once. */
export function useInstall(): (() => void) | null {
  const offer = useSyncExternalStore(subscribe, () => scope.nearhandInstall);
  if (!offer) return null;
  return () => {
    scope.nearhandInstall = undefined;
    globalThis.dispatchEvent(new Event(changed));
    // Refused after a second press.
    offer.prompt().catch(() => {});
  };
}

const visitsKey = 'nearhand-visits';

/** Opened again after this long, it is another visit. */
const awayMs = 30 * minuteMs;

/**
 * Whether this is a visit after the first of the app on this device: someone who comes back may want it on the home screen. True until
 * `endInstallHint`, because a hint can be shown on a page that goes at once.
 */
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

/** Marks the hint as read, so it isn't shown again. */
export function endInstallHint(): void {
  try {
    localStorage.setItem(visitsKey, 'told');
  } catch {
    // Without storage no visit is known to be a later one.
  }
}
