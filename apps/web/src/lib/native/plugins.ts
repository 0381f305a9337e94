/** The native plugins in use, as the shell's bridge exposes them; tests replace them. */
export type NativePlugins = {
  SecureStorage: {
    internalGetItem: (options: { prefixedKey: string; sync: boolean }) => Promise<{ data: string | null }>;
    internalSetItem: (options: {
      prefixedKey: string;
      data: string;
      sync: boolean;
      access: number;
    }) => Promise<unknown>;
    internalRemoveItem: (options: { prefixedKey: string; sync: boolean }) => Promise<unknown>;
  };
  Geolocation: {
    getCurrentPosition: (options: {
      enableHighAccuracy: boolean;
      timeout: number;
      maximumAge: number;
    }) => Promise<{ coords: { latitude: number; longitude: number; accuracy: number } }>;
  };
  Share: { share: (link: { title: string; text: string; url: string }) => Promise<unknown> };
  Haptics: { notification: (options: { type: 'SUCCESS' | 'WARNING' | 'ERROR' }) => Promise<void> };
  CapacitorBarcodeScanner: {
    scanBarcode: (options: ScanOptions) => Promise<{ ScanResult: string }>;
  };
  LocalNotifications: {
    addListener: (
      event: 'localNotificationActionPerformed',
      tapped: (tap: { notification: { extra?: { path?: unknown } | null } }) => void,
    ) => Promise<{ remove: () => Promise<void> }>;
  };
  /** Signs in at Google, Facebook or Apple and only returns their tokens; the web code continues (docs/mobile.md). */
  FirebaseAuthentication: Record<
    'signInWithGoogle' | 'signInWithFacebook' | 'signInWithApple',
    (options: { skipNativeAuth: true; scopes?: string[] }) => Promise<{ credential: ProviderTokens | null }>
  >;
  Browser: {
    open: (options: { url: string }) => Promise<void>;
    close: () => Promise<void>;
    addListener: (event: 'browserFinished', closed: () => void) => Promise<{ remove: () => Promise<void> }>;
  };
  /** Fingerprint or face, with the phone's code as fallback. Rejects with a code if authentication fails. */
  BiometricAuthNative: {
    checkBiometry: () => Promise<{ isAvailable: boolean; deviceIsSecure: boolean }>;
    internalAuthenticate: (options: {
      reason: string;
      androidTitle: string;
      cancelTitle: string;
      allowDeviceCredential: boolean;
    }) => Promise<void>;
  };
  SystemBars: { setStyle: (options: { style: 'DARK' | 'LIGHT' | 'DEFAULT' }) => Promise<void> };
};

type ProviderTokens = { idToken?: string; accessToken?: string; nonce?: string };

/** The plugin's native side requires all of them. */
type ScanOptions = {
  hint: number;
  scanInstructions: string;
  scanButton: boolean;
  scanText: string;
  cameraDirection: number;
  scanOrientation: number;
  cancelButtonAccessibilityLabel: string;
};

/** A plugin of the native shell; undefined in browsers and in older apps that lack it. */
export const nativePlugin = <Name extends keyof NativePlugins>(name: Name): NativePlugins[Name] | undefined =>
  (globalThis as { Capacitor?: { Plugins?: Partial<NativePlugins> } }).Capacitor?.Plugins?.[name];
