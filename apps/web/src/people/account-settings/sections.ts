import type { ComponentType } from 'react';
import { DeleteAccount } from '../account-deletion/delete-account.tsx';
import { YourData } from '../data-exports/your-data.tsx';
import { OwnEmail } from '../email-change/own-email.tsx';
import { Passkeys } from '../passkeys/passkeys.tsx';
import { OwnDetails } from '../profiles/own-details.tsx';
import { SignedInDevices } from '../sessions/signed-in-devices.tsx';
import { SignInSecurity } from '../sign-in/sign-in-security.tsx';
import { AcceptedTerms } from '../terms-of-use/accepted-terms.tsx';
import { AppSettings } from './app-settings.tsx';

type Section = { id: string; part: ComponentType };

/** The sections of `/account-settings`. Each is a component of the slice that owns its data (`card settings-part`). */
export const settingsSections: Record<'first' | 'second', readonly Section[]> = {
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
