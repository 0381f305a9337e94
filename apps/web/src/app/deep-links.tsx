import { useIonRouter } from '@ionic/react';
import { useEffect, useRef } from 'react';
import { openUrl } from './open-url.ts';

type UrlOpen = { url?: unknown };
type Listener = { remove: () => unknown };

/** The phone's app plugin, where the app runs in its shell. Reached by its global, so that the web does not carry it. */
type NativeApp = {
  addListener?: (event: 'appUrlOpen', heard: (opened: UrlOpen) => void) => Listener | Promise<Listener>;
};

function nativeApp(): NativeApp | undefined {
  return (globalThis as { Capacitor?: { Plugins?: { App?: NativeApp } } }).Capacitor?.Plugins?.App;
}

/** Opens the addresses that the phone hands to the app, each as a path inside it (spec §2, Deep links). */
export function DeepLinks() {
  const router = useIonRouter();
  const push = useRef(router.push);
  push.current = router.push;
  useEffect(() => {
    const listening = nativeApp()?.addListener?.('appUrlOpen', ({ url }) => {
      push.current(openUrl(String(url ?? '')), 'root', 'push');
    });
    return () => void Promise.resolve(listening).then((listener) => listener?.remove());
  }, []);
  return null;
}
