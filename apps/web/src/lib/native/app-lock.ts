import { appLock } from '../device/device-setting.ts';
import { isNative } from '../device/platform.ts';
import { session } from '../session.ts';
import { createStore } from '../store.ts';
import { nativePlugin } from './plugins.ts';

/** Shorter absences don't lock: people look up a message or take a photo in between. */
export const lockAfterMs = 5 * 60_000;

type Words = { reason: string; title: string; cancel: string };

const locked = createStore(mayLock());
let release: () => void = () => {};
let unlocked = locked.get() ? newWait() : Promise.resolve();

function mayLock(): boolean {
  return isNative() && appLock.get() === 'on' && session.user() !== null;
}

function newWait(): Promise<void> {
  return new Promise((resolve) => {
    release = resolve;
  });
}

function change(next: boolean): void {
  if (next === locked.get()) return;
  if (next) unlocked = newWait();
  else release();
  locked.set(next);
}

/** Hides the app until the phone's owner unlocks it; a no-op if the setting is off or nobody is signed in. */
export const lockApp = (): void => {
  if (mayLock()) change(true);
};

export const openApp = (): void => change(false);

/** Unlocks the session while the app stays hidden, so that it can be ended. */
export const releaseSession = (): void => release();

/** Resolves once the app is unlocked. The stored session is used only then. */
export const whenUnlocked = (): Promise<void> => unlocked;

export const useLocked = locked.useValue;

/** True if this phone has the plugin and a screen lock. */
export async function canAsk(): Promise<boolean> {
  const phone = await nativePlugin('BiometricAuthNative')
    ?.checkBiometry()
    .catch(() => null);
  return phone?.deviceIsSecure === true;
}

export async function askPhone({ reason, title, cancel }: Words): Promise<boolean> {
  const prompt = nativePlugin('BiometricAuthNative')?.internalAuthenticate({
    reason,
    androidTitle: title,
    cancelTitle: cancel,
    allowDeviceCredential: true,
  });
  if (!prompt) return false;
  return prompt.then(
    () => true,
    () => false,
  );
}
