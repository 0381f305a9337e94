/** This server's limits and terms (ADR 63); the product's defaults until the server has responded. */

import type { SettingsView } from '@nearhand/contract/people/settings';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { createStore } from './store.ts';

const defaults: SettingsView = {
  ...settingDefaults,
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
