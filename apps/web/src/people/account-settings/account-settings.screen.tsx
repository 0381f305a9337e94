import { useLingui } from '@lingui/react/macro';
import { useUser } from '../../lib/session.ts';
import { Screen } from '../../ui/pages/screen.tsx';
import { Leaving } from '../account-deletion/leaving.tsx';
import { YourData } from '../data-exports/your-data.tsx';
import { settingsSections } from './sections.ts';
import './account-settings.css';

export default function AccountSettingsScreen() {
  const { t } = useLingui();
  const user = useUser();
  if (user?.leaving)
    return (
      <Screen title={t`Account settings`} back={null} width="narrow">
        <div className="settings-column">
          <Leaving />
          <YourData />
        </div>
      </Screen>
    );
  return (
    <Screen title={t`Account settings`} back="/tabs/menu/account" width="wide">
      <div className="settings">
        {(['first', 'second'] as const).map((column) => (
          <div key={column} className="settings-column">
            {settingsSections[column].map(({ id, part: Part }) => (
              <Part key={id} />
            ))}
          </div>
        ))}
      </div>
    </Screen>
  );
}
