import { languages } from '@nearhand/contract/languages';
import {
  appearances,
  clockFormats,
  distanceUnits,
  startSides,
} from '@nearhand/contract/people/profile-choices';
import { useSyncExternalStore } from 'react';
import { createStore } from '../store.ts';
import { readStored, writeStored } from './stored.ts';

/** A device setting with a fixed set of values, in local storage. */
export type DeviceSetting<Value extends string> = {
  get: () => Value;
  set: (value: Value) => void;
  isSet: () => boolean;
  reset: () => void;
  subscribe: (listener: () => void) => () => void;
};

export function deviceSetting<Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
): DeviceSetting<Value> {
  const item = readStored(key);
  const stored = values.find((value) => value === item);
  const store = createStore(stored ?? values[0]);
  let isSet = stored !== undefined;
  return {
    get: store.get,
    set(value) {
      if (isSet && value === store.get()) return;
      isSet = true;
      writeStored(key, value);
      store.set(value);
    },
    isSet: () => isSet,
    reset() {
      isSet = false;
      writeStored(key, null);
      store.set(values[0]);
    },
    subscribe: store.subscribe,
  };
}

export function useDeviceSetting<Value extends string>(setting: DeviceSetting<Value>): Value {
  return useSyncExternalStore(setting.subscribe, setting.get);
}

export const side = deviceSetting('nearhand-side', ['work', 'hire']);

/** `public/start.js` reads it too, before the first paint. */
export const appearance = deviceSetting('nearhand-appearance', appearances);

/** Kilometres, miles, or by the country of the place (ADR 20). */
export const units = deviceSetting('nearhand-units', distanceUnits);

export const clock = deviceSetting('nearhand-clock', clockFormats);

/** `device` is the first supported language of the browser. `public/start.js` reads it too. */
export const language = deviceSetting('nearhand-language', ['device', ...languages]);

export const startSide = deviceSetting('nearhand-start-side', startSides);

/** Requires a fingerprint, a face or the phone's code to open the app (ADR 218). `public/start.js` reads it too. */
export const appLock = deviceSetting('nearhand-app-lock', ['off', 'on']);

/** `tokens.css` reads the theme from the root; the browser's bar takes its colour from the scheme's `meta`. */
export function applyAppearance(): void {
  const choice = appearance.get();
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { scheme } = bar.dataset;
    if (choice === 'system') bar.media = `(prefers-color-scheme: ${scheme})`;
    else bar.media = scheme === choice ? 'all' : 'not all';
  }
}
