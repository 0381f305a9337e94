import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { closeTopLayer } from '../../lib/pages/back-button.ts';
import { canGoBack } from '../../lib/pages/go-back.ts';
import { nativeApp, removeListener } from './native-app.ts';

/** Android's back button: closes the top layer, otherwise goes back, and leaves the app on the first page. */
export function HardwareBack() {
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  useEffect(() => {
    const app = nativeApp();
    const back = () => {
      if (closeTopLayer()) return;
      if (canGoBack()) latest.current(-1);
      else void app?.minimizeApp?.();
    };
    return removeListener(app?.addListener?.('backButton', back));
  }, []);
  return null;
}
