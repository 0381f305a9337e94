import type { NotificationSettings } from '@nearhand/contract/talk/notification-settings';
import { useCallback, useEffect, useState } from 'react';
import { nativePushBridge, nativePushState } from '../../lib/device/native-push.ts';
import { isNative, nativeKind } from '../../lib/device/platform.ts';
import { endWebPush, turnOnWebPush, type WebPushState, webPushState } from '../../lib/device/web-push.ts';

/** `checking` until the browser has answered; `no-server` where the server sends no push, `not-in-app` where the app was built without it. */
export type PushHere = WebPushState | 'checking' | 'no-server' | 'not-in-app';

/** Push on this device: its state, and how to turn it on and off. Checked again when the page is shown, since browser settings change elsewhere. */
export function usePushHere({
  vapidPublicKey,
  nativePush,
}: {
  vapidPublicKey: string | null;
  nativePush: NotificationSettings['nativePush'];
}) {
  const native = isNative();
  const kind = nativeKind();
  const served = native ? kind !== null && nativePush[kind] : vapidPublicKey !== null;
  const [state, setState] = useState<PushHere>(served ? 'checking' : 'no-server');

  const look = useCallback(async () => {
    if (!served) return setState('no-server');
    try {
      if (!native) return setState(await webPushState());
      const phone = await nativePushBridge();
      setState(phone ? await nativePushState(phone.bridge) : 'not-in-app');
    } catch {
      setState('unsupported');
    }
  }, [served, native]);

  useEffect(() => {
    void look();
    const seen = () => {
      if (!document.hidden) void look();
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [look]);

  return {
    state,
    look,
    /** On a tap only: the browser asks the person. */
    turnOn: async () => {
      const phone = native ? await nativePushBridge() : null;
      if (phone) {
        const { receive } = await phone.bridge.requestPermissions();
        if (receive === 'granted') await phone.bridge.register();
      } else if (vapidPublicKey !== null) setState(await turnOnWebPush(vapidPublicKey));
      await look();
    },
    turnOff: async () => {
      await endWebPush();
      await look();
    },
  };
}
