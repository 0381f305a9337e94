import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { NotificationSettings } from '@nearhand/contract/talk/notification-settings';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { demoLocalNotice, type LocalWay, localBridge } from '../../lib/device/local-notice.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useTestNotice } from './notification-settings.api.ts';
import { channelName } from './topic-names.ts';

type Way = { channel: 'app' | 'push' | 'email'; deviceId: string | null; outcome: string };

export function SettingsTry({ settings }: { settings: NotificationSettings }) {
  const { t } = useLingui();
  const test = useTestNotice();
  const local = useMove();
  const [localWay, setLocalWay] = useState<LocalWay | null>(null);
  const ways = test.data?.ways as Way[] | undefined;
  const resultRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ways || localWay) resultRef.current?.scrollIntoView?.({ block: 'nearest' });
  }, [ways, localWay]);
  useEffect(() => {
    if (!localWay) return;
    const timer = setTimeout(() => setLocalWay(null), limits.localNotificationDemoMs);
    return () => clearTimeout(timer);
  }, [localWay]);

  const outcome = ({ channel, deviceId, outcome: how }: Way): string => {
    const device = settings.devices.find(({ id }) => id === deviceId)?.label;
    switch (how) {
      case 'queued':
        return channel === 'email'
          ? t`On its way to ${settings.email.address}`
          : device
            ? t`On its way to ${device}`
            : t`On its way`;
      case 'no-device':
        return t`No device receives push notifications yet. Turn them on above.`;
      case 'email-not-verified':
        return t`Your address isn't confirmed yet.`;
      case 'email-refused':
        return t`Email to your address bounces.`;
      default:
        return t`This server doesn't send it.`;
    }
  };
  const showLocal = () =>
    local.run(async () => {
      const words = {
        title: t`A notification from this device`,
        body: t`This device created it five seconds ago, without the server.`,
        path: '/notification-settings',
      };
      setLocalWay(
        await demoLocalNotice(words, {
          bridge: localBridge,
          inApp: ({ title, body }) => showToast(`${title}. ${body}`),
        }),
      );
    });
  const localWords: Record<LocalWay, string> = {
    phone: t`It arrives in five seconds, even if you leave the app.`,
    browser: t`It arrives in five seconds. Keep this page open; you can switch to another window.`,
    'in-app': t`Notifications aren't allowed here, so it appears at the bottom of this page in five seconds.`,
  };

  return (
    <section className="card nset-part">
      <div className="row g3 top">
        <IconSign icon="megaphone" round />
        <div className="grow">
          <h3 className="h-s">{t`Try it`}</h3>
          <p className="sm mute">{t`Check that notifications reach you.`}</p>
        </div>
      </div>
      <div className="col g2 mt4">
        <Button kind="ink" full busy={test.isPending} onClick={() => test.mutate({})}>
          {t`Send a test notification`}
        </Button>
        <Button kind="out" full busy={local.busy} needsNetwork={false} onClick={() => void showLocal()}>
          {t`Show one from this device in 5 seconds`}
        </Button>
      </div>
      <div role="status" ref={resultRef}>
        {ways ? (
          <ul className="nset-outcomes">
            {ways.map((way) => (
              <li key={`${way.channel} ${way.deviceId}`}>
                <Icon name={way.outcome === 'queued' ? 'check-circle' : 'info'} />
                <span>
                  <span className="mid">{channelName(way.channel)}: </span>
                  {outcome(way)}
                </span>
              </li>
            ))}
          </ul>
        ) : null}
        {localWay ? <p className="sm mute mt3">{localWords[localWay]}</p> : null}
      </div>
      <Refused text={test.error ? errorText(test.error) : local.refusal} />
    </section>
  );
}
