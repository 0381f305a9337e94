import { limits } from '@nearhand/contract/limits';
import type { SettingsView } from '@nearhand/contract/people/settings';
import { useSyncExternalStore } from 'react';

/**
 * The terms, rings and rounds that this server keeps to, for whoever states them (ADR 0063). The defaults of the product until the server has said; the
 * app asks it when it starts (`app/server-settings.tsx`).
 */
export type { SettingsView } from '@nearhand/contract/people/settings';

let known: SettingsView = limits;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** As known at this moment; in a component use `useSettings`. */
export const settingsNow = (): SettingsView => known;

export const useSettings = (): SettingsView => useSyncExternalStore(subscribe, settingsNow);

/** What the server answered; null forgets it. A number that an older server does not know of keeps its default. */
export function learnSettings(notified: SettingsView | null): void {
  known = notified === null ? limits : { ...limits, ...notified };
  for (const listener of [...listeners]) listener();
}
