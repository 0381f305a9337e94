import { t } from '@lingui/core/macro';
import { showAlert } from '../ui/overlays/alert.tsx';

/** Says why someone was signed out who did not do it here. */
export const sayWhySignedOut = (): Promise<string | null> =>
  showAlert({
    title: t`You've been signed out`,
    message: t`This device was signed out from another one, your password changed, or the session expired. Log in to continue.`,
  });
