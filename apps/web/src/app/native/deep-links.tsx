import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { nativeApp, removeListener } from './native-app.ts';
import { openUrl } from './open-url.ts';

/** Opens URLs the phone passes to the app, each as a path in the app (spec §2, Deep links). */
export function DeepLinks() {
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  useEffect(() => {
    const open = ({ url }: { url?: unknown }) => void latest.current(openUrl(String(url ?? '')));
    return removeListener(nativeApp()?.addListener?.('appUrlOpen', open));
  }, []);
  return null;
}
