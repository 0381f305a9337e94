import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { nativePushBridge, registerNativePush } from '../../lib/device/native-push.ts';
import { registerWhenStable } from '../../lib/device/service-worker.ts';
import { renewWebPush, unregisterWebPush } from '../../lib/device/web-push.ts';
import { useUser } from '../../lib/session.ts';
import { beforeSignOut } from '../../lib/sign-out.ts';
import { inbox, noticeParameter } from '../../service-worker/push-message.rules.ts';
import { useOpenNotification } from '../../talk/notifications/notifications.api.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { insidePath } from './open-url.ts';

const lookForQuietMs = 2_000;
const noticeId = /^[0-9a-f-]{36}$/i;

export default function Push() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const open = useOpenNotification();
  const user = useUser();
  const isVerified = user?.emailVerified === true;

  const follow = (path: string, notificationId: string) => {
    navigate(insidePath(path) ?? inbox);
    if (noticeId.test(notificationId) && isVerified) open.mutate({ notificationId });
  };
  const newest = useRef(follow);
  newest.current = follow;
  const openPush = useRef<(push: { title: string; path: string; notificationId: string }) => void>(() => {});
  openPush.current = ({ title, path, notificationId }) =>
    showToast(title, { label: t`Open`, run: () => newest.current(path, notificationId) });

  useOpenedByPush(isVerified, (notificationId) => open.mutate({ notificationId }));

  const newVersion = useRef(() => {});
  newVersion.current = () =>
    showToast(t`A new version of Nearhand is ready.`, {
      label: t`Reload`,
      run: () => globalThis.location.reload(),
    });
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    // Another toast may offer "Undo", and a toast behind a dialog goes unread.
    const onNewVersion = () => {
      clearTimeout(waiting);
      if (document.querySelector('.toast, dialog[open]')) waiting = setTimeout(onNewVersion, lookForQuietMs);
      else newVersion.current();
    };
    registerWhenStable({ onNewVersion });
    return () => clearTimeout(waiting);
  }, []);

  useEffect(() => {
    const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
    const received = ({ data, ports }: MessageEvent) => {
      if ((data as { kind?: unknown } | null)?.kind !== 'push-tap') return;
      const { path, notificationId } = data as { path: unknown; notificationId: unknown };
      ports[0]?.postMessage('shown');
      newest.current(String(path), String(notificationId ?? ''));
    };
    workers?.addEventListener('message', received);
    return () => workers?.removeEventListener('message', received);
  }, []);

  useEffect(() => {
    if (isVerified) void renewWebPush().catch(() => {});
  }, [isVerified]);

  useEffect(() => {
    const ways: (() => void)[] = [beforeSignOut(unregisterWebPush)];
    let unmounted = false;
    void nativePushBridge().then(async (native) => {
      if (!native || unmounted) return;
      const nativePush = await registerNativePush({
        ...native,
        add: (device) => api.devices.add(device),
        remove: (deviceId) => api.devices.remove({ deviceId }),
        onTap: (path, notificationId) => newest.current(path, notificationId),
        onShown: (push) => openPush.current(push),
      });
      ways.push(nativePush.stop, beforeSignOut(nativePush.leave));
    });
    return () => {
      unmounted = true;
      for (const end of ways) end();
    };
  }, []);
  return null;
}

/** Reports the notice named in the address as opened, and removes it from the address. */
function useOpenedByPush(verified: boolean, notify: (notificationId: string) => void): void {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const onNotified = useRef(notify);
  onNotified.current = notify;
  useEffect(() => {
    const query = new URLSearchParams(search);
    const id = query.get(noticeParameter);
    if (id === null || !verified) return;
    query.delete(noticeParameter);
    const remainingQuery = query.toString();
    navigate(pathname + (remainingQuery ? `?${remainingQuery}` : ''), { replace: true });
    if (noticeId.test(id)) onNotified.current(id);
  }, [pathname, search, verified, navigate]);
}
