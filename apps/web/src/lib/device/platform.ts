/** Checks the shell's bridge, so that the web need not load Capacitor. */
type Bridge = { isNativePlatform?: () => boolean; getPlatform?: () => string };

const bridge = (): Bridge | undefined => (globalThis as { Capacitor?: Bridge }).Capacitor;

export const isNative = (): boolean => bridge()?.isNativePlatform?.() === true;

export const nativeKind = (): 'android' | 'ios' | null => {
  const kind = isNative() ? bridge()?.getPlatform?.() : null;
  return kind === 'android' || kind === 'ios' ? kind : null;
};

/** Returns whether the file picker offers the camera. Android's app needs a separate input for it. */
export const pickerHasCamera = (): boolean => nativeKind() !== 'android';

/** Returns whether a download is saved. Android's app ignores links with `download`. */
export const savesFiles = (): boolean => nativeKind() !== 'android';

const inAppBrowsers =
  /\b(?:Instagram|FBAN|FBAV|FB_IAB|Messenger|TikTok|musical_ly|BytedanceWebview|trill|MicroMessenger|Line\/|Snapchat|Pinterest|LinkedInApp)/i;

/** Returns whether the page is open inside another app, where Google refuses to sign people in. */
export const isInAppBrowser = (userAgent = navigator.userAgent): boolean =>
  !isNative() && inAppBrowsers.test(userAgent);

/** Passkeys don't work at an IP address, without encryption, or on a native app's own page. */
export const passkeysWork = (): boolean =>
  !isNative() &&
  typeof PublicKeyCredential === 'function' &&
  globalThis.isSecureContext &&
  !/^[\d.]+$|:/.test(globalThis.location.hostname);
