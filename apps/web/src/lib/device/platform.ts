/** A pointer finer than a finger most likely comes with a keyboard. */
export const hasFinePointer = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(hover: hover) and (pointer: fine)').matches;

/** Returns whether the browser asks to save data. */
export const savesData = (): boolean =>
  (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Checks the shell's bridge, so that the web need not load Capacitor. */
type Bridge = { isNativePlatform?: () => boolean; getPlatform?: () => string };

const bridge = (): Bridge | undefined => (globalThis as { Capacitor?: Bridge }).Capacitor;

export const isNative = (): boolean => bridge()?.isNativePlatform?.() === true;

export const nativeKind = (): 'android' | 'ios' | null => {
  const kind = isNative() ? bridge()?.getPlatform?.() : null;
  return kind === 'android' || kind === 'ios' ? kind : null;
};

/** Android's app needs a separate input for the camera. */
export const pickerHasCamera = (): boolean => nativeKind() !== 'android';

/** Android's app ignores links with `download`. */
export const savesFiles = (): boolean => nativeKind() !== 'android';

const inAppBrowsers =
  /\b(?:Instagram|FBAN|FBAV|FB_IAB|Messenger|TikTok|musical_ly|BytedanceWebview|trill|MicroMessenger|Line\/|Snapchat|Pinterest|LinkedInApp)/i;

/** Google refuses to sign people in inside another app. */
export const isInAppBrowser = (userAgent = navigator.userAgent): boolean =>
  !isNative() && inAppBrowsers.test(userAgent);

/** Passkeys don't work at an IP address, without encryption, or on a native app's own page. */
export const passkeysWork = (): boolean =>
  !isNative() &&
  typeof PublicKeyCredential === 'function' &&
  globalThis.isSecureContext &&
  !/^[\d.]+$|:/.test(globalThis.location.hostname);
