import type { ComponentType } from 'react';
import { DeleteAccount } from '../account-deletion/delete-account.part.tsx';
import { YourData } from '../data-exports/your-data.part.tsx';
import { OwnEmail } from '../email-change/own-email.part.tsx';
import { Passkeys } from '../passkeys/passkeys.part.tsx';
import { OwnDetails } from '../profiles/own-details.part.tsx';
import { SignedInDevices } from '../sessions/signed-in-devices.part.tsx';
import { SignInSecurity } from '../sign-in/sign-in-security.part.tsx';
import { AcceptedTerms } from '../terms-of-use/accepted-terms.part.tsx';
import { AppSettings } from './app-settings.part.tsx';

type Section = { id: string; part: ComponentType };

/**
 * The sections of `/account-settings`, in two columns on a desktop. Each is a `*.part.tsx` of the slice that owns its data, a card
 * (`card settings-part`) with its own heading and states. Add a line to add one.
 */
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
