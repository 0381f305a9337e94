import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { isSecondDay, useInstall } from '../../lib/device/install-offer.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';

/** On the second day, says once to a member that the app can be installed. */
export default function InstallHint(): null {
  const { t } = useLingui();
  const offered = useInstall() !== null;
  const isMember = useUser()?.emailVerified === true;
  useEffect(() => {
    if (offered && isMember && isSecondDay(new Date().toDateString()))
      showToast(t`You can install Nearhand. Find it in your account.`);
  }, [offered, isMember, t]);
  return null;
}
