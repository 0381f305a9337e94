import { useLingui } from '@lingui/react/macro';
import type { ComponentType } from 'react';
import { useUser } from '../../lib/session.ts';
import { Screen } from '../../ui/pages/screen.tsx';
import { DeleteAccount } from '../account-deletion/delete-account.tsx';
import { Leaving } from '../account-deletion/leaving.tsx';
import { YourData } from '../data-exports/your-data.tsx';
import { OwnEmail } from '../email-change/own-email.tsx';
import { Passkeys } from '../passkeys/passkeys.tsx';
import { OwnDetails } from '../profiles/own-details.tsx';
import { SignedInDevices } from '../sessions/signed-in-devices.tsx';
import { SignInSecurity } from '../sign-in/sign-in-security.tsx';
import { AcceptedTerms } from '../terms-of-use/accepted-terms.tsx';
import { AppSettings } from './app-settings.tsx';
import './account-settings.css';

type Section = { id: string; part: ComponentType };

/** The sections of `/account-settings`. Each is a component of the slice that owns its data (`card settings-part`). */
const settingsSections: Record<'first' | 'second', readonly Section[]> = {
  first: [
    { id: 'details', part: OwnDetails },
    { id: 'email', part: OwnEmail },
    { id: 'app', part: AppSettings },
  ],
  second: [
    { id: 'sign-in', part: SignInSecurity },
    { id: 'passkeys', part: Passkeys },
    { id: 'devices', part: SignedInDevices },
    { id: 'terms', part: AcceptedTerms },
    { id: 'data', part: YourData },
    { id: 'delete', part: DeleteAccount },
  ],
};

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
