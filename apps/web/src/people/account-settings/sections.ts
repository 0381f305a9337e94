import type { ComponentType } from 'react';
import { OwnEmail } from '../email-change/own-email.part.tsx';
import { OwnDetails } from '../profiles/own-details.part.tsx';
import { SignedInDevices } from '../sessions/signed-in-devices.part.tsx';
import { SignInSecurity } from '../sign-in/sign-in-security.part.tsx';
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
    { id: 'devices', part: SignedInDevices },
  ],
};
