/** Returns whether the app runs in its native shell. Checks the shell's bridge, so that the web need not load Capacitor. */
type Bridge = { isNativePlatform?: () => boolean; getPlatform?: () => string };

const bridge = (): Bridge | undefined => (globalThis as { Capacitor?: Bridge }).Capacitor;

export const isNative = (): boolean => bridge()?.isNativePlatform?.() === true;

export const nativeKind = (): 'android' | 'ios' | null => {
  const kind = isNative() ? bridge()?.getPlatform?.() : null;
  return kind === 'android' || kind === 'ios' ? kind : null;
};

/** Returns whether a choice of files offers the camera, as phones' browsers and iOS do. Android's app needs an input of its own for it. */
export const pickerHasCamera = (): boolean => nativeKind() !== 'android';

/** Returns whether a download is saved. Android's app ignores links with `download`. */
export const savesFiles = (): boolean => nativeKind() !== 'android';
