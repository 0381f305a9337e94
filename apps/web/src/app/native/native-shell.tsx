import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { appearance } from '../../lib/device/device-setting.ts';
import { nativePlugin } from '../../lib/native/plugins.ts';
import { hasLayers, onLayers } from '../../lib/pages/back-button.ts';
import { canGoBack } from '../../lib/pages/go-back.ts';
import { homePath } from '../../lib/pages/next-path.ts';
import { nativeApp, removeListener } from './native-app.ts';
import { insidePath } from './open-url.ts';

const styles = { light: 'LIGHT', dark: 'DARK', system: 'DEFAULT' } as const;

export default function NativeShell() {
  usePredictiveBack();
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  useEffect(() => {
    const opened = ({ notification }: { notification: { extra?: { path?: unknown } | null } }) =>
      void latest.current(insidePath(String(notification.extra?.path ?? '')) ?? homePath);
    return removeListener(
      nativePlugin('LocalNotifications')?.addListener('localNotificationActionPerformed', opened),
    );
  }, []);
  useEffect(() => {
    const follow = () =>
      void nativePlugin('SystemBars')
        ?.setStyle({ style: styles[appearance.get()] })
        .catch(() => {});
    follow();
    return appearance.subscribe(follow);
  }, []);
  return null;
}

/**
 * Returns whether the system's back gesture sends the app to the background instead of closing it (Android 13 and
 * later).
 */
const previewsBack = () => /Android (1[3-9]|[2-9]\d)/.test(navigator.userAgent);

function usePredictiveBack(): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every page, since each has its own history entry
  useEffect(() => {
    if (!previewsBack()) return;
    const follow = () =>
      void nativeApp()
        ?.toggleBackButtonHandler?.({ enabled: canGoBack() || hasLayers() })
        .catch(() => {});
    follow();
    return onLayers(follow);
  }, [key]);
}
