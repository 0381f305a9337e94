import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { appearance } from '../../lib/device/device-setting.ts';
import { plugin } from '../../lib/native/plugins.ts';
import { hasLayers, onLayers } from '../../lib/pages/back-button.ts';
import { canGoBack } from '../../lib/pages/go-back.ts';
import { homePath } from '../routes.ts';
import { nativeApp, removeListener } from './native-app.ts';
import { insidePath } from './open-url.ts';

const styles = { light: 'LIGHT', dark: 'DARK', system: 'DEFAULT' } as const;

/**
 * What only the native shell needs, and loads: the bars of the phone follow the appearance that was chosen in the app, and a tap on a local
 * notification opens its screen, and Android shows where its back gesture leads.
 */
export default function NativeShell() {
  usePredictiveBack();
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  useEffect(() => {
    const opened = ({ notification }: { notification: { extra?: { path?: unknown } | null } }) =>
      void latest.current(insidePath(String(notification.extra?.path ?? '')) ?? homePath);
    return removeListener(
      plugin('LocalNotifications')?.addListener('localNotificationActionPerformed', opened),
    );
  }, []);
  useEffect(() => {
    const follow = () =>
      void plugin('SystemBars')
        ?.setStyle({ style: styles[appearance.get()] })
        .catch(() => {});
    follow();
    return appearance.subscribe(follow);
  }, []);
  return null;
}

/** From here on, Android's own back sends the app to the background and keeps it; before, it would end it. */
const previewsBack = () => /Android (1[3-9]|[2-9]\d)/.test(navigator.userAgent);

/** Leaves the back gesture to Android where it leads out of the app, so that the phone shows what lies behind. */
function usePredictiveBack(): void {
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page has its own place in the history
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
