import { t as say } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Device } from '@nearhand/contract/talk/devices';
import type { NotificationSettings } from '@nearhand/contract/talk/notification-settings';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { nativePushBridge, nativePushState } from '../../lib/device/native-push.ts';
import { isNative, nativeKind } from '../../lib/device/platform.ts';
import {
  endWebPush,
  ownDeviceId,
  pushUnreachable,
  turnOnWebPush,
  type WebPushState,
  webPushState,
} from '../../lib/device/web-push.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { deviceName } from '../../lib/words/device-name.ts';
import { formatDay, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

/** Push on this device, or how to get it, and all devices with push. */
export function SettingsDevices({ settings }: { settings: NotificationSettings }) {
  const { t } = useLingui();
  const here = usePushHere(settings);
  const changed = useDevicesChanged();
  const remove = useRemoveDevice();
  const turning = useAction((failure) =>
    failure instanceof Error && failure.message === pushUnreachable
      ? t`We couldn't reach this browser's push service. A browser or network setting may be blocking it.`
      : errorText(failure),
  );
  const ownId = ownDeviceId();

  const turnOn = () =>
    turning.run(async () => {
      await here.turnOn();
      await changed();
    });
  const removeThis = async (device: Device) => {
    try {
      await remove.mutateAsync({ deviceId: device.id });
      if (device.id === ownId) await here.turnOff();
      const label = deviceName(device.label);
      showToast(t`${label}: push turned off`);
    } catch (failure) {
      showToast(errorText(failure));
    }
  };
  const ownDevice = settings.devices.find(({ id }) => id === ownId);
  // The server removes a device that its push service no longer knows, even if the browser still shows it as
  // on.
  const state = here.state === 'on' && !ownDevice && !isNative() ? 'off' : here.state;

  return (
    <section className="card nset-part">
      <div className="row g3 top">
        <IconSign icon="bell-ringing" round colour={state === 'on' ? 'moss' : ''} />
        <div className="grow">
          <h3 className="h-s">{t`Push on this device`}</h3>
          <PushWords state={state} />
        </div>
      </div>
      {state === 'off' ? (
        <div className="mt4">
          <Button kind="go" full busy={turning.busy} onClick={() => void turnOn()}>
            {turning.busy ? t`Turning on push...` : t`Turn on push`}
          </Button>
        </div>
      ) : null}
      {state === 'on' && ownDevice ? (
        <div className="mt4">
          <Button kind="out" full busy={remove.isPending} onClick={() => void removeThis(ownDevice)}>
            {t`Turn off push`}
          </Button>
        </div>
      ) : null}
      <Refused text={turning.refusal} />
      {settings.devices.length > 0 ? (
        <>
          <h4 className="flabel nset-listed">{t`Devices with push notifications`}</h4>
          <ul className="nset-devices">
            {settings.devices.map((device) => (
              <li key={device.id} className="li">
                <Icon name={device.kind === 'web' ? 'laptop' : 'phone'} className="mute" />
                <span className="grow">
                  <span className="t block">{deviceName(device.label)}</span>
                  <span className="sm mute block">{deviceNote(device)}</span>
                </span>
                {device.id === ownId ? <Badge>{t`This device`}</Badge> : null}
                <Button
                  kind="text"
                  size="s"
                  disabled={remove.isPending}
                  needsNetwork
                  onClick={() => void removeThis(device)}
                >
                  {t`Remove`}
                  <span className="vh">: {deviceName(device.label)}</span>
                </Button>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function deviceNote({ addedAt, lastUsedAt }: Device): string {
  const zone = ownTimeZone();
  return joined(
    say`Added ${formatDay(addedAt, zone)}`,
    lastUsedAt !== null && say`last used ${formatDay(lastUsedAt, zone)}`,
  );
}

function PushWords({ state }: { state: PushHere }) {
  const { t } = useLingui();
  const words: Record<PushHere, string> = {
    checking: t`Looking...`,
    on: t`On. You get these even when Nearhand is closed.`,
    off: t`Get these even when Nearhand is closed.`,
    denied: t`Notifications are blocked in this browser's or phone's settings. Allow them for Nearhand, then come back.`,
    'home-screen': t`On an iPhone or iPad, first add Nearhand to your home screen: tap Share, then Add to Home Screen, and open it from there.`,
    unsupported: t`This browser can't receive push notifications. You'll still get email and notifications in the app.`,
    'not-in-app': t`This app can't receive push notifications. You'll still get email and notifications in the app.`,
    'no-server': t`This server doesn't send push notifications. You'll still get email and notifications in the app.`,
  };
  return <p className="sm mute">{words[state]}</p>;
}

export function SettingsEmail({ email }: { email: NotificationSettings['email'] }) {
  const { t } = useLingui();
  return (
    <section className="card nset-part">
      <div className="row g3 top">
        <IconSign icon="envelope-simple" round />
        <div className="grow">
          <h3 className="h-s row wrap g2">
            {t`Email`} {email.state === 'ok' ? <Badge tone="good">{t`Works`}</Badge> : null}
          </h3>
          <p className="sm mute break">{t`Sent to ${email.address}`}</p>
        </div>
      </div>
      {email.state === 'not-verified' ? (
        <Banner
          tone="wait"
          icon="warning"
          action={
            <ButtonLink kind="text" size="s" to="/tabs/menu/account">
              {t`See your account`}
            </ButtonLink>
          }
        >
          {t`This address isn't confirmed yet, so we don't send anything to it.`}
        </Banner>
      ) : null}
      {email.state === 'refused' ? (
        <Banner tone="bad" icon="warning-circle">
          {t`Email to this address bounces because it doesn't exist. Until you correct it, we'll notify you in the app and by push.`}
        </Banner>
      ) : null}
    </section>
  );
}

const settingsKey = () => apiQuery.notificationSettings.get.queryKey();

function useRemoveDevice() {
  return useMutation(
    apiQuery.devices.remove.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: settingsKey() }),
    }),
  );
}

function useDevicesChanged(): () => Promise<void> {
  return () => queryClient.invalidateQueries({ queryKey: settingsKey() });
}

/** `no-server`: the server sends no push; `not-in-app`: the app was built without it. */
type PushHere = WebPushState | 'checking' | 'no-server' | 'not-in-app';

/** Push on this device. The state is read again when the page is shown, since browser settings change elsewhere. */
function usePushHere({
  vapidPublicKey,
  nativePush,
}: {
  vapidPublicKey: string | null;
  nativePush: NotificationSettings['nativePush'];
}) {
  const native = isNative();
  const kind = nativeKind();
  const isServed = native ? kind !== null && nativePush[kind] : vapidPublicKey !== null;
  const [state, setState] = useState<PushHere>(isServed ? 'checking' : 'no-server');

  const look = useCallback(async () => {
    if (!isServed) return setState('no-server');
    try {
      if (!native) return setState(await webPushState());
      const phone = await nativePushBridge();
      setState(phone ? await nativePushState(phone.bridge) : 'not-in-app');
    } catch {
      setState('unsupported');
    }
  }, [isServed, native]);

  useEffect(() => {
    void look();
    const lookIfVisible = () => {
      if (!document.hidden) void look();
    };
    document.addEventListener('visibilitychange', lookIfVisible);
    return () => document.removeEventListener('visibilitychange', lookIfVisible);
  }, [look]);

  return {
    state,
    look,
    /** Call only on a tap, because the browser prompts. */
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
