import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/api/error.labels.ts';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { HelpLink } from '../../ui/help-link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { SettingsDevices, SettingsEmail } from '../devices/devices.tsx';
import { useChooseNotifications, useNotificationSettings } from './notification-settings.api.ts';
import type { SettingsChange } from './settings.rules.ts';
import { SettingsQuiet } from './settings-quiet.tsx';
import { SettingsTopics } from './settings-topics.tsx';
import { SettingsTry } from './settings-try.tsx';
import './notification-settings.css';

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
