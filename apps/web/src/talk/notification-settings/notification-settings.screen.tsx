import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { NotificationSettings, QuietHours } from '@nearhand/contract/talk/notification-settings';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { demoLocalNotice, type LocalWay, localBridge } from '../../lib/device/local-notice.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import { zoneOptions } from '../../lib/words/zoned-time.ts';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Switch } from '../../ui/controls/choices.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { SettingsDevices, SettingsEmail } from '../devices/devices.tsx';
import {
  useChooseNotifications,
  useNotificationSettings,
  useTestNotice,
} from './notification-settings.api.ts';
import type { SettingsChange } from './settings.rules.ts';
import { SettingsTopics } from './settings-topics.tsx';
import { channelName } from './topic-names.ts';
import './notification-settings.css';

const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;

export function SettingsQuiet({
  quiet,
  onChoose,
}: {
  quiet: QuietHours;
  onChoose: (quiet: QuietHours) => void;
}) {
  const { t } = useLingui();
  // Input stays until it is a valid time; server updates apply when nothing is being typed.
  const [typed, setTyped] = useState({ from: quiet.from, to: quiet.to });
  const [lastTyped, setLastTyped] = useState(typed);
  // An effect would run again when the page is shown again, and drop what was just typed.
  if (lastTyped.from !== quiet.from || lastTyped.to !== quiet.to) {
    setLastTyped({ from: quiet.from, to: quiet.to });
    setTyped({ from: quiet.from, to: quiet.to });
  }
  const isSame = typed.from === typed.to;
  const ownZone = ownTimeZone();

  const type = (change: Partial<typeof typed>) => {
    const next = { ...typed, ...change };
    setTyped(next);
    if (clockTime.test(next.from) && clockTime.test(next.to) && next.from !== next.to)
      onChoose({ ...quiet, ...next });
  };
  return (
    <ReasonGroup>
      <section className="card nset-part">
        <Switch
          needsNetwork
          label={<span className="h-s">{t`Quiet hours`}</span>}
          help={t`Push and email wait until they end. Urgent notifications still arrive, such as an interview about to start or a cancelled shift.`}
          checked={quiet.on}
          onChange={() => onChoose({ ...quiet, on: !quiet.on })}
        />
        <SharedReason />
        {quiet.on ? (
          <div className="nset-quiet">
            <TextInput
              label={t`From`}
              type="time"
              needsNetwork
              value={typed.from}
              onChange={(event) => type({ from: event.target.value })}
            />
            <TextInput
              label={t`To`}
              type="time"
              needsNetwork
              value={typed.to}
              error={isSame ? t`Choose an end time that differs from the start.` : undefined}
              onChange={(event) => type({ to: event.target.value })}
            />
            <div className="nset-zone">
              <Select
                label={t`Time zone`}
                help={t`The daily email waits too.`}
                options={zoneOptions(quiet.timeZone, ownTimeZone(), 'UTC')}
                value={quiet.timeZone}
                needsNetwork
                onChange={(event) => onChoose({ ...quiet, timeZone: event.target.value })}
              />
              {ownZone === quiet.timeZone ? null : (
                <p className="sm mute row wrap g2 mt2">
                  <span>
                    <Trans>This device is in {ownZone.replaceAll('_', ' ')}.</Trans>
                  </span>
                  <Button
                    kind="text"
                    size="s"
                    needsNetwork
                    onClick={() => onChoose({ ...quiet, timeZone: ownZone })}
                  >
                    {t`Use it`}
                  </Button>
                </p>
              )}
            </div>
          </div>
        ) : null}
      </section>
    </ReasonGroup>
  );
}

export default function NotificationSettingsScreen() {
  const { t } = useLingui();
  const query = useNotificationSettings();
  const { choose } = useChooseNotifications();
  const isHiring = useCurrentBusiness().all.length > 0;
  const onChoose = (change: SettingsChange) => {
    if (change.topics?.length === 0) return;
    choose(change, (failure) => showToast(t`Not saved. ${errorText(failure)}`));
  };
  return (
    <Screen
      title={t`Notification settings`}
      lead={t`Choose what you're notified about, how, and when. Changes are saved right away.`}
      back="/notifications"
      width="wide"
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your settings`}
        offlineNote={t`You can make changes when you're back online.`}
      >
        {(settings) => (
          <div className="nset">
            <section className="nset-column">
              <h2 className="h-m">{t`How we reach you`}</h2>
              <SettingsDevices settings={settings} />
              <SettingsEmail email={settings.email} />
              <SettingsQuiet quiet={settings.quiet} onChoose={(quiet) => onChoose({ quiet })} />
              <SettingsTry settings={settings} />
              <HelpLink article="notification-settings">{t`About notification settings`}</HelpLink>
            </section>
            <section className="nset-column">
              <h2 className="h-m">{t`What you get`}</h2>
              <SettingsTopics
                settings={settings}
                sides={isHiring ? ['work', 'hire'] : ['work']}
                onChoose={onChoose}
              />
            </section>
          </div>
        )}
      </QueryState>
    </Screen>
  );
}

type Way = { channel: 'app' | 'push' | 'email'; deviceId: string | null; outcome: string };

function SettingsTry({ settings }: { settings: NotificationSettings }) {
  const { t } = useLingui();
  const test = useTestNotice();
  const local = useAction();
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

  const outcome = ({ channel, deviceId, outcome: reason }: Way): string => {
    const device = settings.devices.find(({ id }) => id === deviceId)?.label;
    switch (reason) {
      case 'queued':
        if (channel === 'email') return t`On its way to ${settings.email.address}`;
        return device ? t`On its way to ${device}` : t`On its way`;
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
