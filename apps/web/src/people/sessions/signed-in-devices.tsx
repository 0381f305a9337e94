import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import type { SessionView, SignInEvent, SignInEventKind } from '@nearhand/contract/people/sessions';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';
import { deviceName } from '../../lib/words/device-name.ts';
import { formatCalendarDay, formatDayTime, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';

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
  const otherCount = devices.filter(({ current }) => !current).length;

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
    const choice = await showAlert({
      tone: 'ask',
      title: t`Sign out all other devices?`,
      message: t`You stay signed in here. Everyone else has to log in again.`,
      buttons: [
        { value: 'end', label: t`Sign out other devices` },
        { value: 'cancel', label: t`Cancel` },
      ],
    });
    if (choice !== 'end') return;
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
      {otherCount > 0 ? (
        <Button kind="out" full icon="sign-out" busy={endOthers.isPending} onClick={() => void endAll()}>
          {t`Sign out other devices`}
        </Button>
      ) : null}
    </>
  );
}

function SignInHistory({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const query = useSignInHistory(open);
  return (
    <Sheet open={open} onClose={onClose} title={t`Sign-in history`}>
      <p className="mute">{t`The last ${peopleLimits.signInHistoryDays} days. If you don't recognize something, change your password.`}</p>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your history`}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="mt4">{t`Nothing yet. Your next sign-in will be listed here.`}</p>}
      >
        {({ pages }) => (
          <ul className="settings-list mt4">
            {pages
              .flatMap(({ items }) => items)
              .map((event) => (
                <li key={event.id} className="li">
                  <Icon
                    name={event.kind === 'failed' || event.newDevice ? 'warning' : 'shield-check'}
                    className="mute"
                  />
                  <span className="grow">
                    <span className="t block">{eventTitle(event)}</span>
                    <span className="sm mute block">{eventNote(event)}</span>
                  </span>
                </li>
              ))}
          </ul>
        )}
      </QueryState>
      {query.data ? <LoadMore query={query} /> : null}
    </Sheet>
  );
}

function useSessions() {
  const user = useUser();
  return useQuery(
    apiQuery.sessions.list.queryOptions({ enabled: user !== null, staleTime: 0, ...neverPersist }),
  );
}

const useSignInHistory = (open: boolean) =>
  useInfiniteQuery(
    apiQuery.sessions.history.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      ...pages,
      enabled: open,
      ...neverPersist,
    }),
  );

function useEndSessions() {
  const onSettled = () => refetchChanged(['account']);
  return {
    end: useMutation(apiQuery.sessions.end.mutationOptions({ onSettled })),
    endOthers: useMutation(apiQuery.sessions.endOthers.mutationOptions({ onSettled })),
  };
}

const kinds: Record<SignInEventKind, MessageDescriptor> = {
  'signed-in': msg`Signed in`,
  failed: msg`Wrong password or code`,
  'password-changed': msg`Password changed`,
  'password-reset': msg`Password reset by email`,
  'email-changed': msg`Email changed`,
  'email-change-undone': msg`Email change undone`,
  'second-step-on': msg`Second step turned on`,
  'second-step-off': msg`Second step turned off`,
  'recovery-codes-made': msg`New recovery codes`,
  'recovery-code-used': msg`Recovery code used`,
  'passkey-added': msg`Passkey added`,
  'passkey-removed': msg`Passkey removed`,
};

function eventTitle({ kind, tries, newDevice }: SignInEvent): string {
  const title = i18n._(kinds[kind]);
  if (tries > 1) return t`${title}, ${tries} times`;
  return newDevice ? t`${title} on a new device` : title;
}

/** Events caused by links in mails carry no device. */
const eventNote = ({ device, happenedAt, kind }: SignInEvent): string =>
  joined(
    formatDayTime(happenedAt, ownTimeZone()),
    kind !== 'email-changed' && kind !== 'email-change-undone' && deviceName(device),
  );

function lastUsed({ lastUsedAt }: SessionView, now = new Date()): string {
  const zone = ownTimeZone();
  const day = dayIn(zone, lastUsedAt);
  if (day === dayIn(zone, now)) return t`Last used today`;
  return t`Last used ${formatCalendarDay(day, { now })}`;
}

const isPhone = ({ device }: Pick<SessionView, 'device'>): boolean => /iPhone|Android/.test(device);
