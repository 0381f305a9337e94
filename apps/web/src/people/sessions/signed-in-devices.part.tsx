import { useLingui } from '@lingui/react/macro';
import type { SessionView } from '@nearhand/contract/people/sessions';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { deviceName } from '../../lib/words/device-name.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useEndSessions, useSessions } from './sessions.api.ts';
import { isPhone, lastUsed } from './sessions-words.ts';
import { SignInHistory } from './sign-in-history.tsx';

/** Where the account is signed in, and what happened to its sign-in. */
export function SignedInDevices() {
  const { t } = useLingui();
  const query = useSessions();
  const [historyOpen, setHistoryOpen] = useState(false);
  return (
    <section className="card settings-part" aria-labelledby="settings-devices">
      <h2 className="h-s" id="settings-devices">{t`Signed-in devices`}</h2>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your devices`}
        describe={errorText}
        asOf={formatAgo}
        offlineNote={t`You can sign out devices when you're back online.`}
      >
        {(devices) => <Devices devices={devices} />}
      </QueryState>
      <Button kind="text" size="s" icon="clock" needsNetwork onClick={() => setHistoryOpen(true)}>
        {t`Sign-in history`}
      </Button>
      <SignInHistory open={historyOpen} onClose={() => setHistoryOpen(false)} />
    </section>
  );
}

function Devices({ devices }: { devices: readonly SessionView[] }) {
  const { t } = useLingui();
  const { end, endOthers } = useEndSessions();
  const others = devices.filter(({ current }) => !current).length;

  const endOne = async ({ id, device: label }: SessionView) => {
    const device = deviceName(label);
    try {
      await end.mutateAsync({ sessionId: id });
      showToast(t`${device}: signed out`);
    } catch (failure) {
      showToast(errorText(failure));
    }
  };
  const endAll = async () => {
    const answer = await showAlert({
      tone: 'ask',
      title: t`Sign out all other devices?`,
      message: t`You stay signed in here. Everyone else has to log in again.`,
      buttons: [
        { value: 'end', label: t`Sign out other devices` },
        { value: 'cancel', label: t`Cancel` },
      ],
    });
    if (answer !== 'end') return;
    try {
      await endOthers.mutateAsync(undefined);
      showToast(t`Other devices signed out`);
    } catch (failure) {
      showToast(errorText(failure));
    }
  };

  return (
    <>
      <ul className="settings-list">
        {devices.map((device) => (
          <li key={device.id} className="li">
            <Icon name={isPhone(device) ? 'phone' : 'laptop'} className="mute" />
            <span className="grow">
              <span className="t block">{deviceName(device.device)}</span>
              <span className="sm mute block">{lastUsed(device)}</span>
            </span>
            {device.current ? (
              <Badge>{t`This device`}</Badge>
            ) : (
              <Button
                kind="text"
                size="s"
                disabled={end.isPending}
                needsNetwork
                onClick={() => void endOne(device)}
              >
                {t`Sign out`}
                <span className="vh">: {deviceName(device.device)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others > 0 ? (
        <Button kind="out" full icon="sign-out" busy={endOthers.isPending} onClick={() => void endAll()}>
          {t`Sign out other devices`}
        </Button>
      ) : null}
    </>
  );
}
