import { languages } from '@nearhand/contract/languages';
import {
  appearances,
  clockFormats,
  distanceUnits,
  startSides,
} from '@nearhand/contract/people/account-settings.rules';
import { useSyncExternalStore } from 'react';

/** A small setting of this device, not of an account: one of a few values, in local storage. */
export type DeviceSetting<Value extends string> = {
  get: () => Value;
  set: (value: Value) => void;
  /** Whether it was set here; until then it is the first of its values. */
  isSet: () => boolean;
  /** Unsets it on this device. */
  reset: () => void;
  subscribe: (listener: () => void) => () => void;
};

export function deviceSetting<Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
): DeviceSetting<Value> {
  const listeners = new Set<() => void>();
  const read = (): Value | null => {
    try {
      const item = globalThis.localStorage?.getItem(key);
      return values.find((value) => value === item) ?? null;
    } catch {
      return null;
    }
  };
  let setting = read();
  const get = (): Value => setting ?? values[0];
  function change(next: Value | null): void {
    const before = get();
    setting = next;
    try {
      if (next === null) globalThis.localStorage?.removeItem(key);
      else globalThis.localStorage?.setItem(key, next);
    } catch {
      // Otherwise it lasts as long as the page.
    }
    if (get() !== before) for (const listener of [...listeners]) listener();
  }
  return {
    get,
    set: (value) => {
      if (value !== setting) change(value);
    },
    isSet: () => setting !== null,
    reset: () => change(null),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useDeviceSetting<Value extends string>(setting: DeviceSetting<Value>): Value {
  return useSyncExternalStore(setting.subscribe, setting.get);
}

/** The current side of the menu: finding work, or hiring. */
export const side = deviceSetting('nearhand-side', ['work', 'hire']);

/** Light, dark, or the device's setting. `public/start.js` reads it too, before the first paint. */
export const appearance = deviceSetting('nearhand-appearance', appearances);

/** Kilometres, miles, or by the country of the place (ADR 20). */
export const units = deviceSetting('nearhand-units', distanceUnits);

export const clock = deviceSetting('nearhand-clock', clockFormats);

/** The language of the screens, or the first of the browser's that we have. `public/start.js` reads it too. */
export const language = deviceSetting('nearhand-language', ['device', ...languages]);

export const startSide = deviceSetting('nearhand-start-side', startSides);

/** Whether the app asks for a fingerprint, a face or the phone's code before it shows itself (ADR 290). `public/start.js` reads it too. */
export const appLock = deviceSetting('nearhand-app-lock', ['off', 'on']);

/** The theme is an attribute of the root, where `tokens.css` reads it; the browser's bar takes its colour from the `meta` of the same scheme. */
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
