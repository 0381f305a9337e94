import { t } from '@lingui/core/macro';
import { isLeaving } from '../lib/sign-out.ts';
import { followAccountSettings } from '../people/account-settings/account-settings.api.ts';
import { saveStepsWhenSignedIn } from '../people/profiles/sign-up-steps.ts';
import { showAlert } from '../ui/overlays/alert.tsx';

export function startSync(): void {
  saveStepsWhenSignedIn();
  followAccountSettings();
}

/** Explains why someone was signed out if they didn't do it here. */
export async function alertSignedOut(): Promise<void> {
  if (isLeaving()) return;
  await showAlert({
    title: t`You've been signed out`,
    message: t`This device was signed out from another one, your password changed, or the session expired. Log in to continue.`,
  });
}
