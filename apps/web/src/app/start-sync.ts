import { followAccountSettings } from '../people/account-settings/account-settings.api.ts';
import { saveStepsWhenSignedIn } from '../people/profiles/sign-up-steps.ts';

export function startSync(): void {
  saveStepsWhenSignedIn();
  followAccountSettings();
}
