import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useCurrentBusiness } from '../businesses/businesses.api.ts';
import { useChooseNotifications, useNotificationSettings } from './notification-settings.api.ts';
import type { SettingsChange } from './settings.rules.ts';
import { SettingsDevices, SettingsEmail } from './settings-devices.tsx';
import { SettingsQuiet } from './settings-quiet.tsx';
import { SettingsTopics } from './settings-topics.tsx';
import { SettingsTry } from './settings-try.tsx';
import './notification-settings.css';

/** What a person is told, by which way, and when not. Each press is saved at once. */
export default function NotificationSettingsScreen() {
  const { t } = useLingui();
  const query = useNotificationSettings();
  const { choose } = useChooseNotifications();
  const hires = useCurrentBusiness().all.length > 0;
  const onChoose = (change: SettingsChange) => {
    if (change.topics?.length === 0) return;
    choose(change, (failure) => showToast(t`Not saved. ${errorText(failure)}`));
  };
  return (
    <Screen
      title={t`Notification settings`}
      lead={t`What we tell you, by which way, and when we keep quiet. Each choice is saved at once.`}
      back="/notifications"
      width="wide"
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load your settings`}
        describe={errorText}
        asOf={formatAgo}
        offlineNote={t`Changes can be made when you have a connection.`}
      >
        {(settings) => (
          <div className="nset">
            <section className="nset-column">
              <h2 className="h-m">{t`Ways to reach you`}</h2>
              <SettingsDevices settings={settings} />
              <SettingsEmail email={settings.email} />
              <SettingsQuiet quiet={settings.quiet} onChoose={(quiet) => onChoose({ quiet })} />
              <SettingsTry settings={settings} />
            </section>
            <section className="nset-column">
              <h2 className="h-m">{t`What reaches you`}</h2>
              <SettingsTopics
                settings={settings}
                sides={hires ? ['work', 'hire'] : ['work']}
                onChoose={onChoose}
              />
            </section>
          </div>
        )}
      </QueryState>
    </Screen>
  );
}
