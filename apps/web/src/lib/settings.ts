/** This server's limits and terms (ADR 63); the product's defaults until the server has responded. */

import { limits } from '@nearhand/contract/limits';
import type { SettingsView } from '@nearhand/contract/people/settings';
import { createStore } from './store.ts';

const defaults: SettingsView = {
  ...limits,
  operator: '',
  contactEmail: '',
  settlementBody: '',
  settlementBodyUrl: '',
  mapHost: '',
};
const settings = createStore<SettingsView>(defaults);

export const settingsNow = settings.get;

export const useSettings = settings.useValue;

/** Stores the server's response; null resets it. A setting that an older server lacks keeps its default. */
export function learnSettings(answered: SettingsView | null): void {
  settings.set(answered === null ? defaults : { ...defaults, ...answered });
}
