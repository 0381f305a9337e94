import { useSyncExternalStore } from 'react';

/** A small choice that belongs to this device and to nobody's account: one of a few words, kept in local storage. */
export type DeviceSetting<Value extends string> = {
  get: () => Value;
  set: (value: Value) => void;
  subscribe: (listener: () => void) => () => void;
};

export function deviceSetting<Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
): DeviceSetting<Value> {
  const listeners = new Set<() => void>();
  const read = (): Value => {
    try {
      const kept = globalThis.localStorage?.getItem(key);
      return values.find((value) => value === kept) ?? values[0];
    } catch {
      return values[0];
    }
  };
  let current = read();
  return {
    get: () => current,
    set(value) {
      if (value === current) return;
      current = value;
      try {
        globalThis.localStorage?.setItem(key, value);
      } catch {
        // It then lasts as long as the page.
      }
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useDeviceSetting<Value extends string>(setting: DeviceSetting<Value>): Value {
  return useSyncExternalStore(setting.subscribe, setting.get);
}

/** Which side of the menu is open: finding work, or hiring. */
export const side = deviceSetting('nearhand-side', ['work', 'hire']);

/** Light, dark, or as the device has it. */
export const appearance = deviceSetting('nearhand-appearance', ['system', 'light', 'dark']);

/** The theme lies on the root, where `tokens.css` reads it. */
export function applyAppearance(): void {
  const choice = appearance.get();
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}
