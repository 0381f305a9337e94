/** This server's limits and terms (ADR 63); the product's defaults until the server has responded. */

import { limits } from '@nearhand/contract/limits';
import type { SettingsView } from '@nearhand/contract/people/settings';
import { useSyncExternalStore } from 'react';

const defaults: SettingsView = { ...limits, operator: '', contactEmail: '', mapHost: '' };
let settings: SettingsView = defaults;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const settingsNow = (): SettingsView => settings;

export const useSettings = (): SettingsView => useSyncExternalStore(subscribe, settingsNow);

/** Stores the server's response; null resets it. A setting that an older server lacks keeps its default. */
export function learnSettings(answered: SettingsView | null): void {
  settings = answered === null ? defaults : { ...defaults, ...answered };
  for (const listener of [...listeners]) listener();
}
