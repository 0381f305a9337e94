type Listener = { remove: () => unknown };

type NativeApp = {
  addListener?: {
    (event: 'appUrlOpen', listener: (opened: { url?: unknown }) => void): Listener | Promise<Listener>;
    (event: 'backButton', listener: () => void): Listener | Promise<Listener>;
  };
  minimizeApp?: () => Promise<void>;
  toggleBackButtonHandler?: (options: { enabled: boolean }) => Promise<void>;
};

/** Accessed through its global, so the web build does not include Capacitor. */
export function nativeApp(): NativeApp | undefined {
  return (globalThis as { Capacitor?: { Plugins?: { App?: NativeApp } } }).Capacitor?.Plugins?.App;
}

export const removeListener = (listener: Listener | Promise<Listener> | undefined) => () =>
  void Promise.resolve(listener).then((handle) => handle?.remove());
