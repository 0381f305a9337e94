import { t as say } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Device, NotificationSettings } from '@nearhand/contract/notifications';
import { errorText } from '../../lib/error-text.ts';
import { formatDay, joined, ownTimeZone } from '../../lib/format.ts';
import { isNative } from '../../lib/platform.ts';
import { useMove } from '../../lib/use-move.ts';
import { ownDeviceId, pushUnreachable } from '../../lib/web-push.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconSign } from '../../ui/sign.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useDevicesChanged, useRemoveDevice } from './notification-settings.api.ts';
import { type PushHere, usePushHere } from './use-push-here.ts';

/** Push on this device, with what to do where it cannot be had; then every device that gets it. */
export function SettingsDevices({ settings }: { settings: NotificationSettings }) {
  const { t } = useLingui();
  const here = usePushHere(settings);
  const changed = useDevicesChanged();
  const remove = useRemoveDevice();
  const turning = useMove((failure) =>
    // The browser's own push service, which a firewall or a setting may keep away.
    failure instanceof Error && failure.message === pushUnreachable
      ? t`The push service of this browser could not be reached. A setting of the browser, or of the network, may keep it away.`
      : errorText(failure),
  );
  const own = ownDeviceId();

  const turnOn = () =>
    turning.run(async () => {
      await here.turnOn();
      await changed();
    });
  const takeAway = async (device: Device) => {
    try {
      await remove.mutateAsync({ deviceId: device.id });
      if (device.id === own) await here.turnOff();
      showToast(t`${device.label} gets no more push`);
    } catch (failure) {
      showToast(errorText(failure));
    }
  };
  const ownDevice = settings.devices.find(({ id }) => id === own);
  // The server forgets a device that its push service no longer knows: then it is off here, whatever the browser believes.
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
            {turning.busy ? t`Turning push on...` : t`Turn push on here`}
          </Button>
        </div>
      ) : null}
      {state === 'on' && ownDevice ? (
        <div className="mt4">
          <Button kind="out" full busy={remove.isPending} onClick={() => void takeAway(ownDevice)}>
            {t`Turn push off here`}
          </Button>
        </div>
      ) : null}
      <Refused text={turning.refusal} />
      {settings.devices.length > 0 ? (
        <>
          <h4 className="flabel nset-listed">{t`Devices that get push`}</h4>
          <ul className="nset-devices">
            {settings.devices.map((device) => (
              <li key={device.id} className="li">
                <Icon name={device.kind === 'web' ? 'laptop' : 'phone'} className="mute" />
                <span className="grow">
                  <span className="t block">{device.label}</span>
                  <span className="sm mute block">{deviceNote(device)}</span>
                </span>
                {device.id === own ? <Badge>{t`This one`}</Badge> : null}
                <Button
                  kind="text"
                  size="s"
                  disabled={remove.isPending}
                  onClick={() => void takeAway(device)}
                >
                  {t`Remove`}
                  <span className="vh">: {device.label}</span>
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
    lastUsedAt !== null && say`last notice ${formatDay(lastUsedAt, zone)}`,
  );
}

function PushWords({ state }: { state: PushHere }) {
  const { t } = useLingui();
  const words: Record<PushHere, string> = {
    checking: t`Looking...`,
    on: t`On. What you chose below comes here also when Nearhand is closed.`,
    off: t`Off. Turned on, what you chose below comes here also when Nearhand is closed.`,
    denied: t`Blocked in the settings of this browser or phone. Allow notices for Nearhand there, then come back.`,
    'home-screen': t`On an iPhone or iPad, add Nearhand to the home screen first: press Share, then Add to Home Screen, and open it from there.`,
    unsupported: t`This browser cannot receive push. Email and the list in the app reach you all the same.`,
    'no-server': t`This server does not send push. Email and the list in the app reach you all the same.`,
  };
  return <p className="sm mute">{words[state]}</p>;
}

/** Where mail goes, and whether it arrives. */
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
          <p className="sm mute break">{t`Goes to ${email.address}`}</p>
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
          {t`This address is not confirmed yet, so nothing is sent to it.`}
        </Banner>
      ) : null}
      {email.state === 'refused' ? (
        <Banner tone="bad" icon="warning-circle">
          {t`Mail to this address comes back: the other side says that there is no such address. Until it is put right we reach you in the app and by push.`}
        </Banner>
      ) : null}
    </section>
  );
}
