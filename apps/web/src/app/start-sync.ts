import { followAccountSettings } from '../people/account-settings/account-settings.api.ts';
import { saveStepsWhenSignedIn } from '../people/profiles/sign-up-steps.ts';

/** Once for the app, after its first screen: saves what someone typed at sign-up, and keeps this device's settings like the account's. */
export function startFollowing(): void {
  saveStepsWhenSignedIn();
  followAccountSettings();
}
